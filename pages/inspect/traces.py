"""Traces: past runs, to find again, replay, fork and export."""

from rag_graphs.ui.shared.places import place
from rag_graphs.ui.traces import fork
from rag_graphs.ui.traces.head import head
from rag_graphs.ui.traces.list import list_head, runs_section
from rag_graphs.ui.traces.recorded import recorded_section
from rag_graphs.ui.traces.run import opened_run
from rag_graphs.ui.traces.state import opened

fork.start_wished()
run = opened()
with place(run is None):
    if run is None:
        list_head()
        runs_section()
        recorded_section()
with place(run is not None):
    if run is not None:
        head(run)
        opened_run(run)
