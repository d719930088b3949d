"""Sliders that try other numbers on what a run recorded. They ask no model and change no run."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from math import isfinite

import streamlit as st

from rag_graphs.ui.shared import visit
from rag_graphs.views.render import text
from rag_graphs.views.translation import _

MOST_KEPT = 50
"""Runs whose moved sliders a session remembers."""


def trial(
    title: str, back: str, run_id: str, own: Mapping[str, float], labels: Mapping[str, str], *, high: float, step: float
) -> dict[str, float]:
    """Draw a slider for each of `labels` and the way `back` to the run's own numbers. Returns all numbers as they stand.

    What was moved is kept for each run, so that it survives a change of page, when Streamlit forgets its widgets.
    """
    # a trace from a file may hold any number
    own = {name: min(max(value, 0.0), high) if isfinite(value) else 0.0 for name, value in own.items()}
    moved = visit.moved_sliders.get().get(run_id, {})
    now = {name: moved.get(name, value) if name in labels else value for name, value in own.items()}
    with st.container(key="trial"):
        st.markdown(f'<p class="try">{text(title)}</p>', unsafe_allow_html=True)
        for column, name in zip(st.columns(len(labels), gap="medium"), labels, strict=True):
            slider = visit.trial_slider(name, run_id)
            # only where it differs: what is set is sent back, and would overtake a key that is held down
            if slider.get() != now[name]:
                slider.set(now[name])
            with column:
                take = partial(_take, run_id, name)
                st.slider(labels[name], 0.0, high, step=step, key=slider.key, format="%.2f", on_change=take)
        st.button(
            back,
            key="trial_back",
            icon=":material/undo:",
            type="tertiary",
            disabled=now == own,
            help=None if now == own else _("Only this panel changes: the run stays as it was."),
            on_click=_back,
            args=(run_id,),
        )
    return now


def _back(run_id: str) -> None:
    visit.moved_sliders.get().pop(run_id, None)


def _take(run_id: str, name: str) -> None:
    known = visit.moved_sliders.get_kept()
    moved = visit.trial_slider(name, run_id).get()
    if moved is None:
        return
    known[run_id] = {**known.pop(run_id, {}), name: moved}
    while len(known) > MOST_KEPT:
        known.pop(next(iter(known)))
