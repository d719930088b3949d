"""Which models a server offers: asked once, and again when its address or key changed."""

from __future__ import annotations

from dataclasses import dataclass

import streamlit as st

from rag_graphs import RagGraphsError, offered_models
from rag_graphs.ui.shared import session
from rag_graphs.views.translation import _


@dataclass(frozen=True)
class Offer:
    """The names of the models, or why there are none."""

    names: tuple[str, ...] = ()
    problem: str = ""


def offer(protocol: str) -> Offer:
    """What the server of a protocol (openai, ollama) offers to this visitor. Kept in their session, without the key."""
    known: dict[str, Offer] = st.session_state.setdefault("offers", {})
    if protocol not in known:
        with st.spinner(_("Asking the server for its models…")):
            known[protocol] = _ask(protocol)
    return known[protocol]


def _ask(protocol: str) -> Offer:
    try:
        return Offer(names=tuple(offered_models(protocol, session.settings())))
    except RagGraphsError as error:
        return Offer(problem=str(error))


def forget_offers() -> None:
    """Ask again when the models are wanted next."""
    st.session_state.pop("offers", None)
