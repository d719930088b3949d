"""Test a search: what retrieval alone finds for a query, with the scores that it ranks by. No model answers here."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import streamlit as st

from rag_graphs.ui.shared import session
from rag_graphs.ui.sources.detail import show_chunk
from rag_graphs.views.reading import readable
from rag_graphs.views.render import attribute, text
from rag_graphs.views.sources_words import chunk_place, embedders_sentence
from rag_graphs.views.translation import _, plural

if TYPE_CHECKING:
    from rag_graphs import Hit, LoadedSource

LONGEST_QUERY = 400


def search_panel(sources: Sequence[LoadedSource]) -> None:
    """Draw the query box, the ranked chunks and what their scores mean."""
    with st.container(border=True, key="search_panel"):
        st.subheader(_("Test a search"), anchor=False)
        st.markdown(_("See which chunks a query finds. Nothing is graded or answered here; no chat model is asked."))
        with st.container(horizontal=True, vertical_alignment="bottom"):
            query = st.text_input(
                _("Query"),
                key="probe_query",
                max_chars=LONGEST_QUERY,
                icon=":material/search:",
                placeholder=_("Words or a question, then Enter"),
                persist_state="session",
            )
            k = st.number_input(
                _("Chunks to find"), 1, 20, session.settings().k, width=150, key="probe_k", persist_state="session"
            )
        if query and query.strip():
            _results(query.strip(), k, sources)


def _results(query: str, k: int, sources: Sequence[LoadedSource]) -> None:
    settings, library = session.settings(), session.workspace().library
    with st.spinner(_("Searching…"), show_time=True):
        hits = library.search(query, [s.id for s in sources], settings, k)
    if not hits:
        st.info(_("Nothing was found. Try other words, or load a source that is about them."))
        return
    places = len({hit.document.source for hit in hits})
    st.html(f'<p class="src-line" role="status">{text(_found(len(hits), places))}</p>')
    for rank, hit in enumerate(hits, 1):
        _hit(rank, hit, hits, sources)
    st.html(_key())
    st.caption(embedders_sentence({s.language: library.embedder_for(s, settings) for s in sources}))


def _found(chunks: int, places: int) -> str:
    return _("{chunks} from {sources}, best first.").format(
        chunks=plural(chunks, "{n} chunk", "{n} chunks"), sources=plural(places, "{n} source", "{n} sources")
    )


def _key() -> str:
    meanings = {
        _("meaning"): _(
            "Cosine of the query's vector and the chunk's, at most 1. Each embedding model has a scale of its own."
        ),
        _("words"): _(
            "BM25 of the words that both share, rare ones counting more: 0 is none. The bar compares with the best."
        ),
        _("combined"): _("Both rankings merged by rank (the sum of reciprocal ranks). The chunks stand in this order."),
    }
    lines = (f"<div><dt>{text(name)}</dt><dd>{text(meaning)}</dd></div>" for name, meaning in meanings.items())
    return f'<dl class="src-key">{"".join(lines)}</dl>'


def _hit(rank: int, hit: Hit, hits: Sequence[Hit], sources: Sequence[LoadedSource]) -> None:
    owner = next((s.id for s in sources if s.address == hit.document.source), "")
    with st.container(border=True, key=f"hit_{rank}"):
        with st.container(horizontal=True, vertical_alignment="center", horizontal_alignment="distribute"):
            st.html(
                f'<div class="src-hit"><b>{rank}</b> <span dir="auto">{text(chunk_place(hit.document))}</span></div>'
            )
            if owner:
                st.button(
                    _("Show in its source"),
                    key=f"hit_{rank}_show",
                    type="tertiary",
                    icon=":material/arrow_downward:",
                    on_click=show_chunk,
                    args=(hit.document, owner),
                )
        st.html(_scores_and_text(hit, hits))


def _scores_and_text(hit: Hit, hits: Sequence[Hit]) -> str:
    scores = (
        meter(_("meaning"), hit.cosine, 1.0)
        + meter(_("words"), hit.lexical, max(h.lexical for h in hits))
        + meter(_("combined"), hit.fused, max(h.fused for h in hits), digits=3)
    )
    document = hit.document
    return (
        f'<div class="src-found"><div class="src-meters">{scores}</div>'
        f'<div class="src-text" lang="{attribute(document.language)}" dir="auto" tabindex="0">'
        f"{readable(document.text)}</div></div>"
    )


def meter(label: str, value: float, largest: float, digits: int = 2) -> str:
    """HTML of a score: its name, its number, and a bar as long as its share of `largest`."""
    share = max(0.0, min(1.0, value / largest)) if largest > 0 else 0.0
    return (
        f'<span class="src-meter"><span>{text(label)}</span><b>{value:.{digits}f}</b>'
        f'<span class="bar" aria-hidden="true"><i style="width:{share:.0%}"></i></span></span>'
    )
