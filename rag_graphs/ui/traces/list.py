"""The list of this visitor's runs: search, filters, and a line a run to open, star or delete it."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

import streamlit as st

from rag_graphs import all_strategies
from rag_graphs.ui.shared import session, visit
from rag_graphs.ui.traces.importing import import_popover
from rag_graphs.ui.traces.remembered import ask_to_delete, delete, history, open_run, star
from rag_graphs.views.render import empty
from rag_graphs.views.runs_list import ENDINGS, button_title, ending, row_html, strategy_title
from rag_graphs.views.translation import _

if TYPE_CHECKING:
    from rag_graphs import RunRow

ON_A_PAGE = 20


def list_head() -> None:
    """The title of the page, and the way in for a file."""
    with st.container(horizontal=True, vertical_alignment="center", horizontal_alignment="distribute"):
        st.title(_("Traces"), anchor=False, width="content")
        import_popover()


def runs_section() -> None:
    """Filters and runs, or what an empty history says."""
    store, owner = history(), session.visitor_id()
    if not store.count(owner):
        message = _("You have no runs yet. Ask a question, open a recorded run below, or import one from a file.")
        st.markdown(empty(message), unsafe_allow_html=True)
        st.page_link("pages/run/ask.py", label=_("Ask a question"), icon=":material/forum:")
        return
    wanted = _filters()
    total = store.count(owner, **wanted)
    pages = max(1, -(-total // ON_A_PAGE))
    number = min(visit.runs_page.get(), pages - 1)
    rows = store.history(owner, limit=ON_A_PAGE, offset=number * ON_A_PAGE, **wanted)
    if not rows:
        st.markdown(empty(_("No run fits. Change the search or the filters.")), unsafe_allow_html=True)
    zone = st.context.timezone or ""
    with st.container(key="runs", gap=None):
        for row in rows:
            _row(row, zone)
    if pages > 1:
        _pager(number, total, pages)


def _filters() -> dict[str, Any]:
    with st.container(horizontal=True, vertical_alignment="center", key="run_filters"):
        common: dict[str, Any] = {
            "label_visibility": "collapsed",
            "on_change": partial(_turn, 0),
            "persist_state": "session",
        }
        text = st.text_input(
            _("Search questions and answers"),
            key="runs_text",
            placeholder=_("Search questions and answers"),
            icon=":material/search:",
            max_chars=200,
            **common,
        )
        strategy = st.selectbox(
            _("Strategy"),
            ["", *all_strategies()],
            format_func=lambda key: strategy_title(key) if key else _("Every strategy"),
            key="runs_strategy",
            **common,
        )
        reason = st.selectbox(
            _("Stop reason"),
            ["", *ENDINGS],
            format_func=lambda key: ending(key) if key else _("Every ending"),
            key="runs_ending",
            **common,
        )
        starred = st.toggle(_("Starred"), key="runs_starred", on_change=partial(_turn, 0), persist_state="session")
    return {"text": text, "strategy": strategy, "stop_reason": reason, "starred": True if starred else None}


def _row(row: RunRow, zone: str) -> None:
    with st.container(horizontal=True, vertical_alignment="center", gap="small", key=f"run_row_{row.id}"):
        title = button_title(row.question)
        named = _("Take the star back: {run}") if row.starred else _("Star: {run}")
        st.button(
            named.format(run=title),
            icon=":material/star:",
            type="tertiary",
            key=f"run_star_{row.starred:d}_{row.id}",
            on_click=partial(star, row.id, not row.starred),
        )
        st.button(title, type="tertiary", key=f"run_open_{row.id}", on_click=partial(open_run, row.id))
        if visit.deleting.get() == row.id:
            confirm_deleting(row.id)
            return
        st.markdown(row_html(row, zone), unsafe_allow_html=True, width="content")
        st.button(
            _("Delete: {run}").format(run=title),
            icon=":material/delete:",
            type="tertiary",
            key=f"run_delete_{row.id}",
            on_click=partial(ask_to_delete, row.id),
        )


def confirm_deleting(run_id: str) -> None:
    """Ask before a run is gone."""
    st.markdown(_("Delete this run? It cannot be brought back."), width="content")
    st.button(
        _("Delete"), icon=":material/delete:", type="primary", key="confirm_delete", on_click=partial(delete, run_id)
    )
    st.button(_("Keep it"), key="confirm_keep", on_click=partial(ask_to_delete, ""))


def _pager(number: int, total: int, pages: int) -> None:
    with st.container(horizontal=True, vertical_alignment="center", horizontal_alignment="center", key="pager"):
        newer, older = partial(_turn, number - 1), partial(_turn, number + 1)
        st.button(_("Newer"), icon=":material/chevron_left:", key="newer", on_click=newer, disabled=not number)
        first, last = number * ON_A_PAGE + 1, min(total, (number + 1) * ON_A_PAGE)
        st.markdown(_("{first} to {last} of {total}").format(first=first, last=last, total=total), width="content")
        st.button(
            _("Older"), icon=":material/chevron_right:", key="older", on_click=older, disabled=number + 1 >= pages
        )


def _turn(page: int) -> None:
    visit.runs_page.set(page)
