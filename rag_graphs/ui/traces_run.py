"""An opened run on the Traces page: followed while it goes on, replayed afterwards, beside its parent where it is a fork."""

from __future__ import annotations

import streamlit as st

from rag_graphs import Trace, all_strategies, get_strategy
from rag_graphs.ui import session
from rag_graphs.ui.ask_panels import Panels, Slot, Stage
from rag_graphs.ui.follow import follow
from rag_graphs.ui.places import place
from rag_graphs.ui.shown import Shown
from rag_graphs.ui.text import _
from rag_graphs.ui.traces_controls import controls, go, moment, player, track_html


def run_view(run: Shown) -> None:
    """The stage, the controls, the panels; ends by following what goes on."""
    if run.strategy not in all_strategies():
        st.warning(_("This server does not have the strategy of this run, so its graph cannot be drawn."))
        return
    strategy, settings = get_strategy(run.strategy), session.settings()
    over = run.trace if run.live is None else None
    stage = Stage(strategy, settings, running=run.live is not None)
    track: Slot | None = None
    with place(over is not None):
        track = controls(over) if over else None
    with place(run.live is not None):
        if run.live is not None and run.mine:
            st.button(_("Stop"), icon=":material/stop_circle:", key="stop", on_click=run.live.stop)
    panels = Panels(strategy, settings.pace)

    def draw(known: Trace) -> None:
        stage.draw(known)
        if track is not None and over is not None:
            track.draw(track_html(over, known))
        panels.draw(known)

    playing = player(over) if over else None
    if run.live is not None:
        stage.draw(run.trace)
        panels.draw(run.trace)
        follow(run.live, draw)
        st.rerun()
    elif over is not None and playing is not None:
        playing.watch(draw)
        go(over, len(over.steps()) - 1)
        st.rerun()
    elif over is not None:
        step = moment(over)
        stage.draw(over, step)
        panels.draw(step.trace)
