"""Name a document in a panel of its own: its number under Documents, its title as a link, and its place in the page."""

from __future__ import annotations

from collections.abc import Mapping

from rag_graphs.graphs.state import Document
from rag_graphs.views.render import link, text


def named(document: Document, shown: Mapping[str, int]) -> str:
    """Return number, title and place of a document. `shown`: the number that each document has in the panel Documents."""
    number = shown.get(document.id)
    cite = f'<a class="cite" href="#doc{number}">{number}</a> ' if number else ""
    heading = document.heading if document.heading != document.title else ""
    where = f' <span class="hd">{text(heading, 90)}</span>' if heading else ""
    return f'<span class="na">{cite}{link(document.source, title_of(document), classes="ti")}{where}</span>'


def title_of(document: Document) -> str:
    """Return the name of a document for use in a sentence."""
    return document.title or document.source or document.id
