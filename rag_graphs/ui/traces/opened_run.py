"""An opened run on the Traces page: followed while it goes on, replayed afterwards, beside its parent where it is a fork."""

from __future__ import annotations

import streamlit as st

from rag_graphs import Trace, UnknownRun, all_strategies, get_strategy
from rag_graphs.ui.shared import session
from rag_graphs.ui.shared.empty_places import place
from rag_graphs.ui.shared.follow import follow
from rag_graphs.ui.shared.panels import Panels, Stage
from rag_graphs.ui.shared.shown import Shown, kept
from rag_graphs.ui.traces.controls import controls, go, moment, player, track_html
from rag_graphs.ui.traces.what_if import what_if
from rag_graphs.views.compare import compare_html
from rag_graphs.views.translation import _


def opened_run(run: Shown) -> None:
    """Draw it as far as it is known; a run that goes on or plays is drawn until its end."""
    if run.strategy not in all_strategies():
        st.warning(_("This server does not have the strategy of this run, so its graph cannot be drawn."))
        return
    over = run.over
    parent = _parent(over) if over else None
    both = False
    with place(parent is not None):
        both = parent is not None and _beside(run.run_id)
    with place(both):
        if both and parent and over:
            st.markdown(compare_html(parent, over, session.settings()), unsafe_allow_html=True)
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
    over, led = run.over, run.led
    playing = player(over) if over else None
    stage = Stage(strategy, settings, running=run.live is not None)
    with place(over is not None):
        track = controls(over) if over else None
    with place(led is not None):
        if led:
            st.button(_("Stop"), icon=":material/stop_circle:", key="stop", on_click=led.stop)
    step = moment(over) if over and playing is None else None
    with place(step is not None):
        if over and step:
            what_if(over, step)
    # a run that plays has the controls of its panels from its start, or they would come and go
    panels = Panels(strategy, settings, step.trace if step else run.trace)

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
    elif step is not None:
        stage.draw(over, step)
        panels.draw(step.trace)
