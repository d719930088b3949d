"""The head of an opened run: the way back, question, strategy and stop reason, its address and its files."""

from __future__ import annotations

from functools import partial
from urllib.parse import quote

import streamlit as st

from rag_graphs import Trace, is_conversation
from rag_graphs.ui.shared import session
from rag_graphs.ui.shared.shown import Shown
from rag_graphs.ui.traces.export import export_popover
from rag_graphs.ui.traces.remembered import history, open_list, open_run, shipped
from rag_graphs.views.render import text
from rag_graphs.views.runs_list import strategy_title
from rag_graphs.views.translation import _
from rag_graphs.views.verdict_words import stop_chip_html

ASK_PAGE = "pages/run/ask.py"


def head(run: Shown) -> None:
    """Draw it."""
    with st.container(horizontal=True, vertical_alignment="center", key="run_head"):
        st.button(_("All runs"), icon=":material/arrow_back:", type="tertiary", key="all_runs", on_click=open_list)
        st.markdown(title_html(run), unsafe_allow_html=True, width="stretch")
        with st.container(horizontal=True, width="content", gap="small", key="run_share"):
            if parent := run.trace.head.parent if run.trace else "":
                open_parent = partial(open_run, parent)
                st.button(_("Open its parent"), icon=":material/alt_route:", key="open_parent", on_click=open_parent)
            _conversation(run)
            _link(run.run_id)
            if over := run.over:
                export_popover(over)


def _conversation(run: Shown) -> None:
    """The way back into the conversation that the run is part of, for the visitor whose it is."""
    talk = run.trace.head.conversation if run.trace else ""
    mine = history().turns(session.visitor_id(), talk, 1) if is_conversation(talk) else []
    # a change of page is nothing that a callback may do
    if mine and st.button(_("Its conversation"), icon=":material/forum:", key="to_conversation"):
        st.switch_page(ASK_PAGE, query_params={"run": run.run_id, "conversation": talk})


def title_html(run: Shown) -> str:
    """Question, strategy, stop reason, how a follow-up was understood and, for a shipped run, its lesson."""
    title = strategy_title(run.strategy)
    known = shipped().get(run.run_id)
    lesson = f'<p class="lesson">{text(_(known.lesson))}</p>' if known else ""
    return (
        f'<div class="x run-title"><h1>{text(run.question, 300)}</h1> <span class="chip plain">{text(title)}</span> '
        f"{stop_chip_html(_reason(run.trace), title)}{_kind(run.trace)}{_understood(run.trace)}{lesson}</div>"
    )


def _understood(trace: Trace | None) -> str:
    """How a follow-up was understood, where that is another wording."""
    alone = trace.state.condensed if trace else ""
    return f'<p class="lesson">{text(_("Understood as:"))} <b>{text(alone, 300)}</b></p>' if alone else ""


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
