"""Which run the page shows: one that is going on, one that is over, or none. It follows the visitor from page to page."""

from __future__ import annotations

from dataclasses import dataclass

import streamlit as st

from rag_graphs import Run, Trace, play
from rag_graphs.samples import recorded_runs
from rag_graphs.ui.shared import session, visit

MOST_KEPT = 6


@dataclass(frozen=True, kw_only=True)
class Shown:
    """`live`: the run while it goes on (also one that is played again); `trace`: what is known of it so far."""

    run_id: str
    strategy: str
    question: str
    trace: Trace | None
    live: Run | None = None

    @property
    def over(self) -> Trace | None:
        """The trace of a run that goes on no more and is not played again, or None."""
        return self.trace if self.live is None else None

    @property
    def led(self) -> Run | None:
        """The run while it goes on, if this visitor may lead and stop it. Whoever has no cookie cannot be told apart from
        others, and may."""
        if self.live is None:
            return None
        mine = self.live.owner in ("", session.visitor_id()) or not session.is_known()
        return self.live if mine else None


def show(run_id: str) -> None:
    """Show this run from now on; its address goes into the address bar."""
    visit.shown_run.set(run_id)
    st.query_params["run"] = run_id


def show_none() -> None:
    """Show no run any more."""
    visit.shown_run.forget()
    visit.played.forget()
    st.query_params.pop("run", None)


def shown() -> Shown | None:
    """The run that is shown, or None. Raises UnknownRun for an address that leads nowhere."""
    run_id = st.query_params.get("run") or visit.shown_run.get()
    if not run_id:
        return None
    found = find(run_id, _played(run_id))
    show(run_id)
    return found


def find(run_id: str, live: Run | None = None) -> Shown:
    """The run with this id, as it is known now; `live`: instead of one that goes on. Raises UnknownRun."""
    live = live or _live(run_id)
    if live is not None:
        events = live.events()
        trace = Trace(events) if events else None
        return Shown(run_id=run_id, strategy=live.strategy, question=live.question, trace=trace, live=live)
    trace = kept(run_id)
    return Shown(run_id=run_id, strategy=trace.head.strategy, question=trace.head.question, trace=trace)


def play_again(trace: Trace, pace: float) -> None:
    """Show a recorded or finished run once more from its start."""
    visit.played.set(play(trace, pace))
    show(trace.head.run_id)


def _played(run_id: str) -> Run | None:
    """This run while it is played again."""
    played = visit.played.get()
    return played if played is not None and played.id == run_id and not played.ended else None


def _live(run_id: str) -> Run | None:
    run = session.workspace().runs.get(run_id)
    return run if run is not None and not run.ended else None


def kept(run_id: str) -> Trace:
    """The trace of a run that is over. The last few stay in the session, because working out the steps of a run takes time.
    Raises UnknownRun."""
    known = visit.shown_traces.get_kept()
    if run_id not in known or not known[run_id].ended:
        recorded = {r.trace.head.run_id: r.trace for r in recorded_runs()}
        known[run_id] = recorded.get(run_id) or session.workspace().runs.trace(run_id)
    visit.shown_traces.set(dict([*known.items()][-MOST_KEPT:]))
    return known[run_id]
