"""One source: its facts, what can be done with it, and its chunks to read."""

from __future__ import annotations

from typing import TYPE_CHECKING

import streamlit as st

from rag_graphs.ui.shared import session, visit
from rag_graphs.ui.shared.visit import Job
from rag_graphs.ui.sources.load_progress import failure_card
from rag_graphs.ui.sources.queue import enqueue, page_state, remove
from rag_graphs.views import render
from rag_graphs.views.reading import readable
from rag_graphs.views.render import attribute, text
from rag_graphs.views.sources_words import Row, chunk_place, link, short_address, source_facts
from rag_graphs.views.translation import _, plural

if TYPE_CHECKING:
    from rag_graphs import Document, LoadedSource

PER_PAGE = 5


def detail(row: Row, sources: dict[str, LoadedSource]) -> None:
    """Draw the chosen row: a source with its chunks, or why an address could not be loaded."""
    if row.failed:
        st.subheader(_("Could not be loaded"), anchor=False)
        failure_card(page_state().failures[row.key][1], "failed_chosen")
        st.empty()  # in the place of another row's chunks, which would stay while something is being loaded
        return
    source = sources[row.key]
    _facts(source)
    _actions(source)
    _chunks(source)


def _facts(source: LoadedSource) -> None:
    facts = "".join(f"<span>{text(fact)}</span>" for fact in source_facts(source))
    notes = "".join(f'<p class="src-note">! {text(warning)}</p>' for warning in source.warnings)
    st.html(
        f'<h2 class="src-title" lang="{attribute(source.language)}" dir="auto">{text(source.title)}</h2>'
        f'<div class="figs">{facts}{render.link(link(source), short_address(source.address), classes="src-address")}</div>{notes}'
    )


def _actions(source: LoadedSource) -> None:
    with st.container(horizontal=True):
        if link(source):
            st.button(
                _("Load again"),
                icon=":material/refresh:",
                type="tertiary",
                help=_("Fetch the page again; if it has changed, the new text replaces this one."),
                on_click=_load_again,
                args=(source,),
            )
        st.button(_("Remove"), icon=":material/delete:", type="tertiary", on_click=remove, args=([source.id],))


def _load_again(source: LoadedSource) -> None:
    enqueue([Job(kind="address", what=source.address, title=source.title, replaces=source.id)])


def _chunks(source: LoadedSource) -> None:
    if not source.chunks:
        st.html(f'<p class="wait">{text(_("Its chunks are shown as soon as they are indexed."))}</p>')
        st.empty()
        return
    chunks = session.workspace().library.chunks(source.id, session.settings())
    pages = max(1, -(-len(chunks) // PER_PAGE))
    page = visit.chunk_page(source.id)
    first = (min(page.get(), pages) - 1) * PER_PAGE
    cards = "".join(chunk_card(chunk, first + n, len(chunks)) for n, chunk in enumerate(chunks[first:][:PER_PAGE], 1))
    st.html(f'<div class="src-chunks">{cards}</div>')
    if pages > 1:
        st.pagination(pages, key=page.key, persist_state="session")
    else:
        st.empty()


def chunk_card(chunk: Document, number: int, total: int) -> str:
    """HTML of one chunk. Everything in it comes from a page, so everything is escaped."""
    place = _("chunk {number} of {total}").format(number=number, total=total)
    length = plural(len(chunk.text), "{n} character", "{n} characters")
    return (
        f'<article class="src-chunk" aria-label="{attribute(place)}"><header><b>{number}</b>'
        f'<span class="path" dir="auto">{text(chunk_place(chunk))}</span><span class="m">{text(length)}</span></header>'
        f'<div class="src-text" lang="{attribute(chunk.language)}" dir="auto">{readable(chunk.text)}</div></article>'
    )


def show_chunk(chunk: Document, source_id: str) -> None:
    """Choose a source and the page of its chunks that holds this one; an open panel makes room."""
    state = page_state()
    state.selected, state.panel = source_id, ""
    visit.chunk_page(source_id).set(chunk.position // PER_PAGE + 1)
