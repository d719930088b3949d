"""What the Traces page remembers between two runs of the page: which run is open, what is asked for, what is confirmed."""

from __future__ import annotations

from typing import TYPE_CHECKING

import streamlit as st

from rag_graphs import Trace
from rag_graphs.samples import RecordedRun, recorded_runs
from rag_graphs.ui.shared import session, visit
from rag_graphs.ui.shared.shown import Shown, find

if TYPE_CHECKING:
    from rag_graphs import Store


def opened() -> Shown | None:
    """The run of the address, or None for the list. Raises UnknownRun."""
    run_id = st.query_params.get("run", "")
    return find(run_id) if run_id else None


def open_run(run_id: str) -> None:
    """Show this run instead of the list."""
    st.query_params.from_dict({"run": run_id})
    visit.deleting.forget()


def open_list() -> None:
    """Back to all runs."""
    st.query_params.clear()


def shipped() -> dict[str, RecordedRun]:
    """The recorded runs that come with the app, by run id."""
    return {r.trace.head.run_id: r for r in recorded_runs()}


def delete(run_id: str) -> None:
    """Forget one of this visitor's runs."""
    session.workspace().delete(session.visitor_id(), run_id)
    visit.shown_traces.get().pop(run_id, None)
    if visit.shown_run.get() == run_id:
        visit.shown_run.forget()
    visit.deleting.forget()
    if st.query_params.get("run") == run_id:
        open_list()


def history() -> Store:
    """The kept runs."""
    space = session.workspace()
    space.runs.get("")  # opening the runs marks those that an earlier server left without an end
    return space.store


def star(run_id: str, starred: bool) -> None:
    """Star one of this visitor's runs, or take its star back."""
    session.workspace().store.star(session.visitor_id(), run_id, starred)


def ask_to_delete(run_id: str) -> None:
    """Ask before this run is deleted; an empty id asks no more."""
    visit.deleting.set(run_id)


def keep_import(trace: Trace) -> None:
    """Keep an imported run as this visitor's, and open it."""
    open_run(session.workspace().store.import_trace(trace, session.visitor_id()))
