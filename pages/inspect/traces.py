"""Traces: past runs, to find again, replay, fork and export."""

from rag_graphs.ui.shared.empty_places import place
from rag_graphs.ui.traces import fork
from rag_graphs.ui.traces.list import list_head, runs_section
from rag_graphs.ui.traces.opened_run import opened_run
from rag_graphs.ui.traces.recorded import recorded_section
from rag_graphs.ui.traces.remembered import opened
from rag_graphs.ui.traces.run_head import head

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
