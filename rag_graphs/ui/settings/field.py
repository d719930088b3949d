"""A setting on the page: its widget, made from its type and bounds, and below it what it was before it was changed."""

from __future__ import annotations

from types import NoneType
from typing import Any, get_args

import streamlit as st

from rag_graphs import PACES, Settings
from rag_graphs.ui.shared import session
from rag_graphs.views.render import text
from rag_graphs.views.settings_words import explanation, label, value_words
from rag_graphs.views.translation import _

HIGHEST = 10_000_000
FINE = 0.05


def changed(name: str) -> bool:
    """Does this visitor's value differ from the one that they would begin with?"""
    return name in session.choices() and bool(getattr(session.settings(), name) != getattr(session.defaults(), name))


def field(name: str) -> None:
    """The widget of a setting and its mark."""
    with st.container(key=f"field_{name}", gap="small"):
        _widget(name)
        mark(name)


def mark(name: str, usual: str = "") -> None:
    """That a setting was changed, what it would be otherwise (`usual`: in words, if not its value), and the way back."""
    if not changed(name):
        return
    with st.container(horizontal=True, vertical_alignment="center", gap="small", key=f"mark_{name}"):
        before = usual or value_words(name, getattr(session.defaults(), name))
        said = f"<b>{text(_('Changed'))}</b> · {text(_('default: {value}').format(value=before))}"
        st.markdown(f'<p class="changed">{said}</p>', unsafe_allow_html=True, width="content")
        st.button(
            _("Reset"),
            type="tertiary",
            key=f"reset_{name}",
            help=_("Reset “{setting}”").format(setting=label(name)),
            on_click=session.reset,
            args=(name,),
        )


def _widget(name: str) -> None:
    info = Settings.model_fields[name]
    common: dict[str, Any] = {"help": explanation(name), **session.bound(name)}
    if name == "pace":
        _pace(common)
    elif options := [o for o in get_args(info.annotation) if isinstance(o, str)]:
        few = len(options) == 2
        widget: Any = st.segmented_control if few else st.selectbox
        common |= {"required": True} if few else {}
        widget(label(name), options, format_func=lambda o: value_words(name, o), **common)
    elif info.annotation is bool:
        st.toggle(label(name), **common)
    else:
        whole = info.annotation is int
        low, high = _bounds(name)
        number = int if whole else float
        step = 1 if whole else FINE if high <= 10 else 1.0
        if NoneType in get_args(info.annotation):
            common |= {"value": None, "placeholder": value_words(name, None)}
        st.number_input(label(name), number(low), number(high), step=step, **common)


def _pace(common: dict[str, Any]) -> None:
    options = sorted({*PACES.values(), session.settings().pace})
    st.segmented_control(label("pace"), options, required=True, format_func=lambda s: value_words("pace", s), **common)


def _bounds(name: str) -> tuple[float, float]:
    """The lowest and highest value that a number may have, from the setting itself."""
    low, high = 0.0, float(HIGHEST)
    for rule in Settings.model_fields[name].metadata:
        low = getattr(rule, "ge", getattr(rule, "gt", None)) or low
        high = getattr(rule, "le", None) or high
    if any(getattr(rule, "gt", None) is not None for rule in Settings.model_fields[name].metadata):
        low += 1.0
    return low, high
