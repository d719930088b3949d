"""Which models a server offers: asked once, and again when its address or key changed."""

from __future__ import annotations

import streamlit as st

from rag_graphs import RagGraphsError, offered_models
from rag_graphs.ui.shared import session, visit
from rag_graphs.ui.shared.visit import OfferedModels
from rag_graphs.views.translation import _


def offer(protocol: str) -> OfferedModels:
    """What the server of a protocol (openai, ollama) offers to this visitor. Kept in their session, without the key."""
    known = visit.offers.get_kept()
    if protocol not in known:
        with st.spinner(_("Asking the server for its models…")):
            known[protocol] = _ask(protocol)
    return known[protocol]


def _ask(protocol: str) -> OfferedModels:
    try:
        return OfferedModels(names=tuple(offered_models(protocol, session.settings())))
    except RagGraphsError as error:
        return OfferedModels(problem=str(error))


def forget_offers() -> None:
    """Ask again when the models are wanted next."""
    visit.offers.forget()
