"""What can be changed at a moment of a run, as a what-if and step mode offer it."""

from __future__ import annotations

from collections.abc import Callable

import streamlit as st

from rag_graphs import Change, Offer, Trace
from rag_graphs.ui.shared import session
from rag_graphs.views.diagram_settings import nodes_of, settings_of
from rag_graphs.views.documents_seen import found, grades_documents, numbers
from rag_graphs.views.render import markdown

LONGEST = {"query": 2000, "answer": 20_000}


def plain_offers(offers: list[Offer]) -> list[Offer]:
    """Return those that differ for a reader: where a document can get another grade, being kept or dropped follows from
    that."""
    graded = {o.document for o in offers if o.change.change == "relevance"}
    return [o for o in offers if o.change.change not in ("keep", "drop") or o.document not in graded]


def offer_labels(trace: Trace) -> Callable[[Offer], str]:
    """Return what gives an offer its words, with the number under which its document stands in the panel Documents."""
    nodes = nodes_of(trace.head.strategy, settings_of(trace, session.settings()))
    shown = numbers(found(trace, grades=grades_documents(nodes)))

    def label(offer: Offer) -> str:
        number = shown.get(offer.document)
        return markdown(f"{number} {offer.label}" if number else offer.label)

    return label


def text_box(offer: Offer, label: str, key: str, height: int) -> None:
    """Draw the box in which a typed offer's text is replaced: a line for a query, `height` pixels for an answer."""
    if offer.change.change == "query":
        st.text_input(markdown(label), offer.change.query, key=key, max_chars=LONGEST["query"])
    elif offer.change.change == "answer":
        st.text_area(markdown(label), offer.change.text, key=key, max_chars=LONGEST["answer"], height=height)


def with_text(offer: Offer, written: str) -> Change | None:
    """Return the change of a typed offer with this text; None where it is empty or the same as before."""
    change, written = offer.change, written.strip()
    if not written or change.change not in ("query", "answer"):
        return None
    name = "query" if change.change == "query" else "text"
    return change.model_copy(update={name: written}) if written != getattr(change, name) else None
