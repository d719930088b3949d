"""The head of an opened run: the way back, question, strategy and stop reason, its address and its files."""

from __future__ import annotations

from functools import partial
from urllib.parse import quote

import streamlit as st

from rag_graphs import Trace
from rag_graphs.ui.render import text
from rag_graphs.ui.shown import Shown
from rag_graphs.ui.text import _
from rag_graphs.ui.traces_export import export_popover
from rag_graphs.ui.traces_state import open_list, open_run, shipped
from rag_graphs.ui.traces_words import stop_chip_html, strategy_title


def head(run: Shown) -> None:
    """Draw it."""
    with st.container(horizontal=True, vertical_alignment="center", key="run_head"):
        st.button(_("All runs"), icon=":material/arrow_back:", type="tertiary", key="all_runs", on_click=open_list)
        st.markdown(title_html(run), unsafe_allow_html=True, width="stretch")
        with st.container(horizontal=True, width="content", gap="small", key="run_share"):
            if parent := run.trace.head.parent if run.trace else "":
                open_parent = partial(open_run, parent)
                st.button(_("Open its parent"), icon=":material/alt_route:", key="open_parent", on_click=open_parent)
            _link(run.run_id)
            if run.trace is not None and run.live is None:
                export_popover(run.trace)


def title_html(run: Shown) -> str:
    """Question, strategy, stop reason and, for a shipped run, its lesson."""
    title = strategy_title(run.strategy)
    known = shipped().get(run.run_id)
    lesson = f'<p class="lesson">{text(_(known.lesson))}</p>' if known else ""
    return (
        f'<div class="x run-title"><h1>{text(run.question, 300)}</h1> <span class="chip plain">{text(title)}</span> '
        f"{stop_chip_html(_reason(run.trace), title)}{_kind(run.trace)}{lesson}</div>"
    )


def _reason(trace: Trace | None) -> str:
    return (trace.stop_reason or "") if trace else ""


def _kind(trace: Trace | None) -> str:
    return f' <span class="chip on">{text(_("What if"))}</span>' if trace and trace.head.parent else ""


def _link(run_id: str) -> None:
    with st.popover(_("Copy link"), icon=":material/link:", key="copy_link"):
        st.markdown(_("Whoever has this address can open the run."))
        st.code(address(st.context.url or "", run_id), language=None, wrap_lines=True)


def address(here: str, run_id: str) -> str:
    """The address that opens a run; `here` is the page's own address."""
    return f"{here.partition('?')[0].partition('#')[0]}?run={quote(run_id, safe='')}"
