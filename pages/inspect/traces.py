"""Traces: past runs, to find again, replay, fork and export."""

import streamlit as st

from rag_graphs.ui import traces_fork
from rag_graphs.ui.places import place
from rag_graphs.ui.text import _
from rag_graphs.ui.traces_head import head
from rag_graphs.ui.traces_import import import_popover
from rag_graphs.ui.traces_list import runs_section
from rag_graphs.ui.traces_recorded import recorded_section
from rag_graphs.ui.traces_run import opened_run
from rag_graphs.ui.traces_state import opened

traces_fork.start_wished()
run = opened()
with place(run is None):
    if run is None:
        with st.container(horizontal=True, vertical_alignment="center", horizontal_alignment="distribute"):
            st.title(_("Traces"), anchor=False, width="content")
            import_popover()
        runs_section()
        recorded_section()
with place(run is not None):
    if run is not None:
        head(run)
        opened_run(run)
