"""Controls of a replay: play, pause, step, scrub, speed. While a run plays, a track that moves stands in for the slider."""

from __future__ import annotations

from bisect import bisect_left
from functools import partial

import streamlit as st

from rag_graphs import Trace
from rag_graphs.ui.shared import session, visit
from rag_graphs.ui.shared.slot import Slot
from rag_graphs.ui.shared.steps import Step, label, step_at
from rag_graphs.views.player import Player
from rag_graphs.views.render import text
from rag_graphs.views.translation import _


def player(trace: Trace) -> Player | None:
    """What plays now, if it is this run."""
    playing = visit.player.get()
    return playing if playing is not None and playing.trace.head.run_id == trace.head.run_id else None


def position(trace: Trace) -> int:
    """The chosen position of `trace.steps()`; the end, until the visitor moves."""
    last = len(trace.steps()) - 1
    at = visit.replayed(trace.head.run_id).get()
    return last if at is None else max(0, min(at, last))


def moment(trace: Trace) -> Step:
    """What is shown of the run: the step chosen, or the moment inside a step at which it was paused."""
    count = visit.paused(trace.head.run_id).get()
    if not 0 < count < len(trace):
        return step_at(trace, position(trace))
    known = trace.upto(count)
    of = len(trace.steps()) - 1
    return Step(number=min(position(trace) + 1, of), of=of, trace=known, stage=known)


def go(trace: Trace, where: int) -> None:
    """Show this position; whatever plays stops."""
    visit.player.forget()
    visit.paused(trace.head.run_id).forget()
    visit.replayed(trace.head.run_id).set(where)


def play(trace: Trace) -> None:
    """Play from the moment that is shown; from the end, once more from the start."""
    known = moment(trace)
    first = 1 if known.number == 0 else len(known.trace)
    visit.player.set(Player.start(trace, first, visit.speed.get(), session.settings().pace))


def pause(trace: Trace) -> None:
    """Stay where it is."""
    if playing := player(trace):
        count = playing.count()
        go(trace, _position_of(trace, count))
        visit.paused(trace.head.run_id).set(count)


def _position_of(trace: Trace, count: int) -> int:
    """The position of the step that is under way after this many events."""
    stops = trace.steps()
    return min(bisect_left(stops, count), len(stops) - 1)


def _step(trace: Trace, by: int) -> None:
    pause(trace)
    inside = visit.paused(trace.head.run_id).is_set()
    # from inside a step, one step on is its own end
    here = position(trace)
    go(trace, max(0, here + by if not inside or by < 0 else here))


def _change_speed(trace: Trace) -> None:
    if player(trace):
        pause(trace)
        play(trace)


def controls(trace: Trace) -> Slot | None:
    """Draw them. Returns the slot of the track while the run plays."""
    playing = player(trace) is not None
    last = len(trace.steps()) - 1
    here = position(trace)
    track = None
    with st.container(horizontal=True, vertical_alignment="center", key="replay_controls"):
        if playing:
            st.button(_("Pause"), icon=":material/pause:", type="primary", key="play", on_click=partial(pause, trace))
        else:
            st.button(
                _("Play"), icon=":material/play_arrow:", type="primary", key="play", on_click=partial(play, trace)
            )
        back, on = partial(_step, trace, -1), partial(_step, trace, 1)
        st.button(
            _("One step back"),
            icon=":material/chevron_left:",
            key="step_back",
            on_click=back,
            disabled=not (playing or here),
        )
        with st.container(key="track"):
            track = Slot(st.container()) if playing else None
            if not playing and last:
                _slider(trace, here, last)
        st.button(
            _("One step on"),
            icon=":material/chevron_right:",
            key="step_on",
            on_click=on,
            disabled=not playing and here >= last,
        )
        _speeds(trace)
    return track


def _slider(trace: Trace, here: int, last: int) -> None:
    slider = visit.replay_slider(trace.head.run_id)
    slider.set(here)
    st.select_slider(
        _("Step"),
        range(last + 1),
        format_func=partial(label, trace),
        key=slider.key,
        label_visibility="collapsed",
        on_change=lambda: go(trace, slider.get()),
    )


def _speeds(trace: Trace) -> None:
    names = {"nodes": _("node by node"), "1": _("as recorded"), "2": _("2× recorded"), "4": _("4× recorded")}
    st.selectbox(
        _("Speed"),
        list(names),
        format_func=names.__getitem__,
        key=visit.speed.key,
        width=150,
        label_visibility="collapsed",
        on_change=partial(_change_speed, trace),
        persist_state="session",
    )


def track_html(trace: Trace, known: Trace) -> str:
    """How far a run that plays has come: a bar, and the step under way in words."""
    stops = trace.steps()
    here, total = _position_of(trace, len(known)), len(stops) - 1
    before = stops[here - 1] if here else 0
    share = 100 * (here + (len(known) - before) / max(1, stops[here] - before)) / len(stops)
    words = label(trace, here) if here < total else _("End")
    return (
        f'<div class="track" role="progressbar" aria-label="{text(_("Replay"))}" aria-valuemin="0" aria-valuemax="100"'
        f' aria-valuenow="{share:.0f}"><span>{text(words)}</span><i style="width&#58;{share:.1f}%"></i></div>'
    )
