"""Starting a what-if: a new run from a moment of a recorded one, in the background."""

from __future__ import annotations

from typing import TYPE_CHECKING

import streamlit as st

from rag_graphs.ui.shared import session, visit
from rag_graphs.ui.shared.spent import count
from rag_graphs.ui.traces.remembered import history, open_run
from rag_graphs.views.translation import _

if TYPE_CHECKING:
    from rag_graphs import Change, RunRow, Trace

LOOKED_THROUGH = 200


def wish(trace: Trace, at: int, change: Change) -> None:
    """Fork when the page runs next: a callback may not fail in words, the page can."""
    visit.fork_wish.set(visit.ForkWish(trace=trace, visit=at, change=change))


def start_wished() -> None:
    """Start the fork that was asked for, if one was, and open it. Raises SettingsError, SetupError, TooManyRuns."""
    wanted = visit.fork_wish.take()
    if wanted is None:
        return
    with st.spinner(_("Going on from there. The first time, the sample pages are loaded for it.")):
        run = session.workspace().fork(
            wanted.trace, wanted.visit, wanted.change, session.settings(), owner=session.visitor_id()
        )
    count(run)
    open_run(run.id)


def forks_of(run_id: str) -> list[RunRow]:
    """This visitor's latest what-ifs of a run, the newest first."""
    rows = history().history(session.visitor_id(), limit=LOOKED_THROUGH)
    return [row for row in rows if row.parent == run_id]
