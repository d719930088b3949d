"""The head of the Sources page and the table of sources."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

import streamlit as st

from rag_graphs.ui.shared import session, visit
from rag_graphs.ui.sources.queue import page_state, remove
from rag_graphs.views.sources_words import Row, count_sentence, table_frame, table_rows
from rag_graphs.views.translation import _, plural

if TYPE_CHECKING:
    from rag_graphs import LoadedSource

ROW = 44
SHOWN = 12


def head(sources: Sequence[LoadedSource]) -> None:
    """The title, the count, and the buttons for what can be done here."""
    state = page_state()
    with st.container(horizontal=True, vertical_alignment="center", horizontal_alignment="distribute"):
        st.title(_("Sources"), anchor=False, width="content")
        with st.container(horizontal=True, width="content", gap="xsmall"):
            if sources:
                _toggle("add", _("Add sources"), ":material/add:", main=state.panel == "")
                _toggle("search", _("Test a search"), ":material/search:", main=False)
            _more(sources)
    if sources or state.failures or state.waiting:
        st.markdown(count_sentence(sources, len(state.failures)))
    else:
        st.markdown(_("Strategies answer from pages that you load here. Start with the samples, or bring your own."))


def _toggle(panel: visit.Panel, label: str, icon: str, *, main: bool) -> None:
    is_open = page_state().panel == panel
    st.button(
        _("Close") if is_open else label,
        key=f"open_{panel}",
        icon=":material/close:" if is_open else icon,
        type="primary" if main else "secondary",
        on_click=_open,
        args=("" if is_open else panel,),
    )


def _open(panel: visit.Panel) -> None:
    page_state().panel = panel


def _more(sources: Sequence[LoadedSource]) -> None:
    with st.popover(_("More"), icon=":material/more_horiz:"), st.container(width=340):
        st.markdown(f"**{_('How sources are split')}**")
        size = session.settings().chunk_size
        st.number_input(_("Tokens in a chunk, at most"), 40, 2000, step=10, **session.bound("chunk_size"))
        st.number_input(
            _("Tokens that neighbouring chunks share"), 0, min(400, size // 2), step=5, **session.bound("chunk_overlap")
        )
        st.caption(
            _(
                "Small chunks are found more exactly, large ones keep more context. A change splits and indexes "
                "your sources again; the pages are not fetched again."
            )
        )
        st.button(
            _("Remove all sources…"),
            icon=":material/delete:",
            disabled=not sources,
            on_click=_ask_to_clear,
            args=(True,),
        )


def _ask_to_clear(asked: bool) -> None:
    page_state().clearing = asked


def confirm_clearing(sources: Sequence[LoadedSource]) -> None:
    """Ask before everything is removed."""
    if not page_state().clearing or not sources:
        st.empty()
        return
    with st.container(border=True, key="confirm_clear", horizontal=True, vertical_alignment="center"):
        count = plural(len(sources), "{n} source", "{n} sources")
        st.markdown(
            _(
                "Remove {count} from your library? Web pages can be loaded again; pasted texts and files are gone."
            ).format(count=count)
        )
        st.button(_("Remove all"), type="primary", icon=":material/delete:", on_click=_clear)
        st.button(_("Keep them"), on_click=_ask_to_clear, args=(False,))


def _clear() -> None:
    remove(session.source_ids())
    state = page_state()
    state.clearing = False
    state.results.clear()
    state.failures.clear()
    state.panel = ""


def table(sources: Sequence[LoadedSource]) -> Row | None:
    """Draw the table; returns the row that is chosen, None when there are none."""
    state = page_state()
    rows = table_rows(sources, state.failed())
    if not rows:
        return None
    keys = [row.key for row in rows]
    chosen = keys.index(state.selected) if state.selected in keys else 0
    widget = visit.sources_table(tuple(keys))
    st.dataframe(
        table_frame(rows),
        key=widget.key,
        on_select=partial(_select, widget, keys),
        selection_mode=["single-row-required", "single-cell"],
        selection_default=_selection(chosen),
        hide_index=True,
        height="content" if len(rows) <= SHOWN else ROW * SHOWN,
        row_height=ROW,
        placeholder="–",
        column_config={
            _("Status"): st.column_config.TextColumn(width=130),
            _("Language"): st.column_config.TextColumn(width=90),
            _("Chunks"): st.column_config.NumberColumn(width=70),
            _("Size"): st.column_config.NumberColumn(width=80, format="%.1f kB"),
        },
    )
    return rows[chosen]


def _selection(row: int) -> Any:
    """A chosen row. A chosen cell in it lets the arrow keys begin there."""
    return {"selection": {"rows": [row], "columns": [], "cells": [(row, _("Title"))]}}


def _select(widget: visit.Kept[dict[str, Any]], keys: list[str]) -> None:
    """Take over what was chosen: a clicked cell counts as its row, and the arrow keys move from cell to cell."""
    selection = widget.get()["selection"]
    state = page_state()
    wanted = [row for row, _column in selection["cells"]] + list(selection["rows"])
    fresh = [row for row in wanted if keys[row] != state.selected]
    if fresh:
        state.selected = keys[fresh[0]]
        widget.set(_selection(fresh[0]))
