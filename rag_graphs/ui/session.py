"""This visitor: who they are, which sources they have, what they chose. And the workspace that all visitors share."""

from __future__ import annotations

import re
from collections.abc import Iterable
from secrets import token_urlsafe
from typing import Any

import streamlit as st

from rag_graphs import PACES, Settings, SettingsError, Workspace, load_settings, open_workspace

VISITOR_COOKIE = "rag_visitor"
VISITOR_ID = re.compile(r"[A-Za-z0-9_-]{16,64}")


@st.cache_resource(show_spinner=False)
def workspace() -> Workspace:
    """The workspace of this process. It is shared by all visitors and holds nobody's key."""
    return open_workspace(load_settings())


def visitor_id() -> str:
    """This browser's random name from its cookie, or a name for this tab alone where there is no cookie."""
    if "visitor_id" not in st.session_state:
        given = st.context.cookies.get(VISITOR_COOKIE, "")
        st.session_state.visitor_id = given if VISITOR_ID.fullmatch(given) else token_urlsafe(18)
    return str(st.session_state.visitor_id)


def is_known() -> bool:
    """Does this browser have a name of its own? Only `python -m rag_graphs serve` gives it one."""
    return bool(VISITOR_ID.fullmatch(st.context.cookies.get(VISITOR_COOKIE, "")))


def source_ids() -> list[str]:
    """The ids of this visitor's sources, in the order in which they were added."""
    if "source_ids" not in st.session_state:
        st.session_state.source_ids = list(workspace().store.shelf(visitor_id()))
    return list(st.session_state.source_ids)


def add_sources(ids: Iterable[str]) -> None:
    """Put sources into this visitor's library; those that are there already stay where they are."""
    _keep_sources(dict.fromkeys([*source_ids(), *ids]))


def remove_sources(ids: Iterable[str]) -> None:
    """Take sources out of this visitor's library."""
    gone = set(ids)
    _keep_sources(i for i in source_ids() if i not in gone)


def _keep_sources(ids: Iterable[str]) -> None:
    st.session_state.source_ids = list(ids)
    workspace().store.save_shelf(visitor_id(), st.session_state.source_ids)


def settings() -> Settings:
    """This visitor's settings: the server's, changed by what they chose on the page."""
    base = load_settings()
    slow = {} if "pace" in base.model_fields_set else {"pace": PACES["calm"]}
    try:
        return base.change(**{**slow, **_choices()})
    except SettingsError:
        # kept by an earlier version, under names or bounds that no longer hold
        st.session_state.choices = {}
        return base.change(**slow)


def choose(**values: Any) -> None:
    """Change some of this visitor's settings. They are kept for the next visit: never give a key to this function."""
    st.session_state.choices = {**_choices(), **values}
    workspace().store.save_choices(visitor_id(), st.session_state.choices)


def _choices() -> dict[str, Any]:
    if "choices" not in st.session_state:
        st.session_state.choices = workspace().store.choices(visitor_id())
    return dict(st.session_state.choices)


def bound(name: str) -> dict[str, Any]:
    """Arguments for a widget that shows and changes one setting: `st.slider(label, 1, 20, **bound("k"))`.

    The widget's value is set on every run, so that it also shows a change that was made elsewhere, and survives a change
    of page, when Streamlit forgets the widget.
    """
    key = f"setting_{name}"
    st.session_state[key] = getattr(settings(), name)
    return {"key": key, "on_change": _keep_choice, "args": (name, key)}


def _keep_choice(name: str, key: str) -> None:
    choose(**{name: st.session_state[key]})
