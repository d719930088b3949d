"""An opened run on the Traces page: followed while it goes on, replayed afterwards, beside its parent where it is a fork."""

from __future__ import annotations

import streamlit as st

from rag_graphs import Trace, UnknownRun, all_strategies, get_strategy
from rag_graphs.ui.ask.panels import Panels, Stage
from rag_graphs.ui.shared import session
from rag_graphs.ui.shared.places import place
from rag_graphs.ui.shared.shown import Shown, kept
from rag_graphs.ui.shared.slot import Slot
from rag_graphs.ui.traces.controls import controls, go, moment, player, track_html
from rag_graphs.ui.traces.what_if import what_if
from rag_graphs.views.compare import compare_html
from rag_graphs.views.follow import follow
from rag_graphs.views.translation import _


def opened_run(run: Shown) -> None:
    """Draw it as far as it is known; a run that goes on or plays is drawn until its end."""
    if run.strategy not in all_strategies():
        st.warning(_("This server does not have the strategy of this run, so its graph cannot be drawn."))
        return
    parent = _parent(run.trace) if run.trace and run.live is None else None
    both = False
    with place(parent is not None):
        both = parent is not None and _beside(run.run_id)
    with place(both):
        if both and parent and run.trace:
            shown = compare_html(parent, run.trace, session.settings())
            st.markdown(shown, unsafe_allow_html=True)
    with place(not both):
        if not both:
            _alone(run)


def _parent(trace: Trace) -> Trace | None:
    """The run that this one was forked from, if it is still known here."""
    try:
        return kept(trace.head.parent) if trace.head.parent else None
    except UnknownRun:
        return None


def _beside(run_id: str) -> bool:
    """The toggle between a what-if alone and beside its parent; at first the two stand side by side."""
    names = {"both": _("Beside its parent"), "alone": _("Alone: replay, what if")}
    key = f"view_{run_id}"
    chosen = st.segmented_control(
        _("View"),
        list(names),
        default="both",
        required=True,
        format_func=names.__getitem__,
        key=key,
        label_visibility="collapsed",
        persist_state="session",
    )
    return chosen != "alone"


def _alone(run: Shown) -> None:
    strategy, settings = get_strategy(run.strategy), session.settings()
    over = run.trace if run.live is None else None
    playing = player(over) if over else None
    stage = Stage(strategy, settings, running=run.live is not None)
    track: Slot | None = None
    with place(over is not None):
        track = controls(over) if over else None
    stoppable = run.live is not None and run.mine
    with place(stoppable):
        if stoppable and run.live:
            st.button(_("Stop"), icon=":material/stop_circle:", key="stop", on_click=run.live.stop)
    with place(over is not None and playing is None):
        if over is not None and playing is None:
            what_if(over, moment(over))
    panels = Panels(strategy, settings, _first_shown(run, playing=playing is not None))

    def draw(known: Trace) -> None:
        stage.draw(known)
        if track is not None and over is not None:
            track.draw(track_html(over, known))
        panels.draw(known)

    if run.live is not None:
        stage.draw(run.trace)
        panels.draw(run.trace)
        follow(run.live, draw, until=panels.outgrown, known=run.trace)
        st.rerun()
    elif over is not None and playing is not None:
        playing.watch(draw)
        go(over, len(over.steps()) - 1)
        st.rerun()
    elif over is not None:
        step = moment(over)
        stage.draw(over, step)
        panels.draw(step.trace)


def _first_shown(run: Shown, *, playing: bool) -> Trace | None:
    """What the panels have controls for: a run that plays has them from its start, or they would come and go."""
    if run.trace is None or run.live is not None or playing:
        return run.trace
    return moment(run.trace).trace
