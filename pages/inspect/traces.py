"""Traces: past runs, to find again, replay, fork and export."""

import streamlit as st

from rag_graphs.ui.shared.places import place
from rag_graphs.ui.traces import fork
from rag_graphs.ui.traces.head import head
from rag_graphs.ui.traces.importing import import_popover
from rag_graphs.ui.traces.list import runs_section
from rag_graphs.ui.traces.recorded import recorded_section
from rag_graphs.ui.traces.run import opened_run
from rag_graphs.ui.traces.state import opened
from rag_graphs.views.translation import _

fork.start_wished()
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
