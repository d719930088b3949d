"""A document named in a panel of its own: its number under Documents, its title as a link, and where in the page it stands."""

from __future__ import annotations

from collections.abc import Mapping

from rag_graphs.graphs.state import Document
from rag_graphs.views.render import link, text


def named(document: Document, shown: Mapping[str, int]) -> str:
    """`shown`: the number under which each document stands in the panel Documents."""
    number = shown.get(document.id)
    cite = f'<a class="cite" href="#doc{number}">{number}</a> ' if number else ""
    heading = document.heading if document.heading != document.title else ""
    where = f' <span class="hd">{text(heading, 90)}</span>' if heading else ""
    return f'<span class="na">{cite}{link(document.source, title_of(document), classes="ti")}{where}</span>'


def title_of(document: Document) -> str:
    """What a document is called in a sentence."""
    return document.title or document.source or document.id
