"""Splitting and indexing again: after another chunk size or embedding model was chosen, with its progress on the page."""

from __future__ import annotations

from collections.abc import Generator, Sequence
from contextlib import closing
from typing import TYPE_CHECKING, cast

import streamlit as st

from rag_graphs.ui.shared import session
from rag_graphs.views.render import text
from rag_graphs.views.sources_words import EMBEDDERS
from rag_graphs.views.translation import _, plural

if TYPE_CHECKING:
    from streamlit.delta_generator import DeltaGenerator

    from rag_graphs import LoadedSource, Progress


def index_panel(sources: Sequence[LoadedSource]) -> DeltaGenerator | None:
    """Say that sources are indexed again. Returns where the progress is shown, None when all are indexed."""
    lacking = [source for source in sources if not source.chunks]
    if not lacking:
        st.empty()
        return None
    with st.container(border=True, key="index_panel"):
        count = plural(len(lacking), "{n} source is", "{n} sources are")
        st.markdown(
            _("Other chunks or another embedding model were chosen: {count} split and indexed again.").format(
                count=count
            )
        )
        place: DeltaGenerator = st.empty()
    return place


def index(place: DeltaGenerator | None, sources: Sequence[LoadedSource]) -> None:
    """Index what is lacking, then run the page again. Called last; a click in the middle ends it, the next run goes on."""
    if place is None:
        return
    wanted, moved = [source.id for source in sources], False
    prepared = session.workspace().library.prepare(wanted, session.settings())
    with closing(cast("Generator[Progress]", prepared)) as steps:
        for step in steps:
            moved = True
            said = _("{done} of {total} chunks, {model}").format(
                done=step.done, total=step.total, model=EMBEDDERS.get(step.embedder, step.embedder)
            )
            place.html(f'<div role="status" class="src-line"><b>{text(step.title)}</b> {text(said)}</div>')
    if moved:
        st.rerun()
