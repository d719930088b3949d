"""The choice of the next run's strategy: a family, and where it has several, the variant beside it.

`visit.strategy` is the key of the strategy. The families' toggle holds for each family the key that was chosen in
it last, so that whoever goes back to a family finds their variant again.
"""

from __future__ import annotations

from functools import partial

import streamlit as st

from rag_graphs import Strategy, all_strategies, get_strategy
from rag_graphs.ui.shared import visit
from rag_graphs.views.diagram_settings import FIRST_CHOICE, families, variant_name
from rag_graphs.views.translation import _


def strategy_toggle(shown: str = "") -> Strategy:
    """Draw it and return the strategy of the next run. `shown`: the one of the run on the page, with which whoever has not
    chosen yet begins."""
    chosen = _chosen(shown)
    remembered = _remembered(chosen)
    by_key = {key: family for family, key in remembered.items()}
    # set anew on every run, because another variant changes what the toggle offers
    visit.strategy.set(chosen.key)
    with st.container(horizontal=True, vertical_alignment="center", gap="small", key="strategies"):
        st.segmented_control(
            _("Strategy"),
            list(by_key),
            required=True,
            format_func=lambda key: _(by_key[key]),
            key=visit.strategy.key,
            wrap=True,
            label_visibility="collapsed",
            persist_state="session",
        )
        chosen = get_strategy(visit.strategy.get())
        if len(families()[chosen.family]) > 1:
            _variants(chosen)
    return chosen


def _chosen(shown: str) -> Strategy:
    known = all_strategies()
    key = visit.strategy.get() or shown or FIRST_CHOICE
    return known.get(key) or known[FIRST_CHOICE if FIRST_CHOICE in known else next(iter(known))]


def _remembered(chosen: Strategy) -> dict[str, str]:
    """The key that each family stands for now."""
    before = visit.variants.get()
    first = {family: of[0].key for family, of in families().items()}
    visit.variants.set({**first, **before, chosen.family: chosen.key})
    return dict(visit.variants.get())


def _variants(chosen: Strategy) -> None:
    """The variants of the chosen family."""
    names = {s.key: variant_name(s) for s in families()[chosen.family]}
    widget = visit.variant(chosen.family)
    widget.set(chosen.key)
    st.segmented_control(
        _("Variant of {family}").format(family=_(chosen.family)),
        list(names),
        required=True,
        format_func=names.__getitem__,
        key=widget.key,
        wrap=True,
        label_visibility="collapsed",
        on_change=partial(_take, widget),
    )


def _take(widget: visit.Kept[str]) -> None:
    visit.strategy.set(widget.get())
