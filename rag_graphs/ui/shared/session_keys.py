"""This visitor's keys. They live in the memory of the session and nowhere else: no store, no cookie, no address, no widget
that is filled in again."""

from __future__ import annotations

from rag_graphs.ui.shared import visit


def own_keys() -> dict[str, str]:
    """The keys that this visitor entered, by setting."""
    return dict(visit.own_keys.get())


def has_key(name: str) -> bool:
    """Did this visitor enter this key?"""
    return name in own_keys()


def enter_key(name: str, key: str) -> None:
    """Use this key until the session ends."""
    visit.own_keys.set({**own_keys(), name: key})


def forget_key(name: str) -> None:
    """Use this key no longer. What was worked out with it goes, too."""
    visit.allowances.forget()
    # in place, because Streamlit holds on to a value that was replaced until the page runs again
    visit.own_keys.get().pop(name, None)
