"""The choice of the next run's strategy: a family, and where it has several, the variant beside it.

`st.session_state.strategy` is the key of the strategy. The families' toggle holds for each family the key that was chosen in
it last, so that whoever goes back to a family finds their variant again.
"""

from __future__ import annotations

from functools import partial

import streamlit as st

from rag_graphs import Strategy, all_strategies, get_strategy
from rag_graphs.views.diagram_settings import FIRST_CHOICE, families, variant_name
from rag_graphs.views.translation import _


def strategy_toggle(shown: str = "") -> Strategy:
    """Draw it and return the strategy of the next run. `shown`: the one of the run on the page, with which whoever has not
    chosen yet begins."""
    chosen = _chosen(shown)
    remembered = _remembered(chosen)
    by_key = {key: family for family, key in remembered.items()}
    # set anew on every run, because another variant changes what the toggle offers
    st.session_state.strategy = chosen.key
    with st.container(horizontal=True, vertical_alignment="center", gap="small", key="strategies"):
        st.segmented_control(
            _("Strategy"),
            list(by_key),
            required=True,
            format_func=lambda key: _(by_key[key]),
            key="strategy",
            wrap=True,
            label_visibility="collapsed",
            persist_state="session",
        )
        chosen = get_strategy(str(st.session_state.strategy))
        if len(families()[chosen.family]) > 1:
            _variants(chosen)
    return chosen


def _chosen(shown: str) -> Strategy:
    known = all_strategies()
    key = st.session_state.get("strategy") or shown or FIRST_CHOICE
    return known.get(key) or known[FIRST_CHOICE if FIRST_CHOICE in known else next(iter(known))]


def _remembered(chosen: Strategy) -> dict[str, str]:
    """The key that each family stands for now."""
    before: dict[str, str] = st.session_state.get("variants", {})
    first = {family: of[0].key for family, of in families().items()}
    st.session_state.variants = {**first, **before, chosen.family: chosen.key}
    return dict(st.session_state.variants)


def _variants(chosen: Strategy) -> None:
    """The variants of the chosen family."""
    names = {s.key: variant_name(s) for s in families()[chosen.family]}
    widget = f"variant_{chosen.family}"
    st.session_state[widget] = chosen.key
    st.segmented_control(
        _("Variant of {family}").format(family=_(chosen.family)),
        list(names),
        required=True,
        format_func=names.__getitem__,
        key=widget,
        wrap=True,
        label_visibility="collapsed",
        on_change=partial(_take, widget),
    )


def _take(widget: str) -> None:
    st.session_state.strategy = st.session_state[widget]
