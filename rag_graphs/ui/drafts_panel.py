"""The panel Drafts: a draft from each document, its three judgements, its score in parts, and their ranking under the run's
weights or under others."""

from __future__ import annotations

from dataclasses import asdict
from functools import partial

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from rag_graphs import Trace, Weights, drafts_of
from rag_graphs.ui.drafts_words import drafts_html, head_html
from rag_graphs.ui.found import Found
from rag_graphs.ui.places import place
from rag_graphs.ui.render import text
from rag_graphs.ui.slot import Slot
from rag_graphs.ui.text import _

HIGHEST = 5.0
STEP = 0.05


class DraftsPanel:
    """The cards, and above them a slider for each weight once there are drafts to rank."""

    def __init__(self, home: DeltaGenerator, trace: Trace | None) -> None:
        self._names = movable(trace)
        self._head = Slot(home.container())
        with place(bool(self._names), home):
            self._weights = _sliders(trace, self._names) if trace and self._names else None
        self._cards = Slot(home.container())

    def draw(self, trace: Trace | None, entries: list[Found]) -> None:
        """Draw what has landed by now, under the weights that the sliders show."""
        self._head.draw(head_html(trace))
        self._cards.draw(drafts_html(trace, self._weights, entries))

    def outgrown(self, trace: Trace) -> bool:
        """Is there something to move that was not there when the page was drawn?"""
        return movable(trace) != self._names


def movable(trace: Trace | None) -> tuple[str, ...]:
    """The weights that make a difference to the drafts by now."""
    drafts = drafts_of(trace) if trace else None
    if drafts is None or not drafts.landed:
        return ()
    told = any(draft.likelihood is not None for draft in drafts.landed)
    return ("relevance", "support", "use", *(["likelihood"] if told else []))


def labels() -> dict[str, str]:
    """What each weight is called."""
    return {
        "relevance": _("Relevance (ISREL)"),
        "support": _("Support (ISSUP)"),
        "use": _("Use (ISUSE)"),
        "likelihood": _("Text probability"),
    }


def slider_key(name: str, run_id: str) -> str:
    """The key of a weight's slider: each run has its own, so that the next one begins with its own weights."""
    return f"weight_{name}_{run_id}"


def _sliders(trace: Trace, names: tuple[str, ...]) -> Weights:
    drafts, run_id = drafts_of(trace), trace.head.run_id
    assert drafts is not None
    own: dict[str, float] = asdict(drafts.weights)
    with st.container(key="trial"):
        st.markdown(f'<p class="try">{text(_("Other weights for the same drafts"))}</p>', unsafe_allow_html=True)
        for column, name in zip(st.columns(len(names), gap="medium"), names, strict=True):
            key = slider_key(name, run_id)
            st.session_state.setdefault(key, own[name])
            with column:
                st.slider(labels()[name], 0.0, HIGHEST, step=STEP, key=key, format="%.2f", persist_state="session")
        now = {name: float(st.session_state[slider_key(name, run_id)]) if name in names else own[name] for name in own}
        st.button(
            _("Back to the run’s weights"),
            key="weights_back",
            icon=":material/undo:",
            type="tertiary",
            disabled=now == own,
            on_click=partial(_back, {slider_key(name, run_id): own[name] for name in names}),
        )
    return Weights(**now)


def _back(values: dict[str, float]) -> None:
    for key, value in values.items():
        st.session_state[key] = value
