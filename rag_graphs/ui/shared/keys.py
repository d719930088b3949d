"""This visitor's keys. They live in the memory of the session and nowhere else: no store, no cookie, no address, no widget
that is filled in again."""

from __future__ import annotations

import streamlit as st


def own_keys() -> dict[str, str]:
    """The keys that this visitor entered, by setting."""
    return dict(st.session_state.get("own_keys", {}))


def has_key(name: str) -> bool:
    """Did this visitor enter this key?"""
    return name in own_keys()


def enter_key(name: str, key: str) -> None:
    """Use this key until the session ends."""
    st.session_state.own_keys = {**own_keys(), name: key}


def forget_key(name: str) -> None:
    """Use this key no longer. What was worked out with it goes, too."""
    st.session_state.pop("allowances", None)
    # in place, because Streamlit holds on to a value that was replaced until the page runs again
    st.session_state.get("own_keys", {}).pop(name, None)
