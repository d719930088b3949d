"""The conversation above the question box: its turns in brief, a new one, earlier ones; and the question of the shown run."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

import streamlit as st

from rag_graphs import Trace, without_citations
from rag_graphs.ui.ask import chosen_conversation
from rag_graphs.ui.shared import session, visit
from rag_graphs.ui.shared.empty_places import place
from rag_graphs.ui.shared.shown import Shown, show
from rag_graphs.views.render import heading, markdown, text
from rag_graphs.views.runs_list import button_title, ending, when
from rag_graphs.views.translation import _, plural

if TYPE_CHECKING:
    from rag_graphs import ConversationRow, TurnRow

MOST_EARLIER = 20
OPEN = 4
"""Turns that stand open; those before them are folded away."""
LONGEST = 400


def conversation_toggle() -> None:
    """Whether each question follows those before it."""
    said = _("Each question is understood from those before it, for example “And how long does it take?”.")
    changed = chosen_conversation.switched
    st.toggle(_("Conversation"), key=visit.conversing.key, help=said, on_change=changed, persist_state="session")


def conversation_panel(run: Shown | None) -> None:
    """Draw the open conversation; nothing outside of one, but a word on an address that leads to none."""
    on, unknown = chosen_conversation.is_on(), visit.conversation_unknown.get()
    with place(unknown):
        if unknown:
            said = _("The address names a conversation that is not yours or is gone. What you ask here stands alone.")
            st.markdown(f'<div class="hint">{text(said)}</div>', unsafe_allow_html=True)
    with place(on):
        if on:
            with st.container(key="conversation", gap=None):
                _panel(run)


def _panel(run: Shown | None) -> None:
    shown = run.run_id if run else ""
    going = shown if run is not None and run.live is not None else ""
    rows = [row for row in chosen_conversation.turns() if row.id != going]
    _head(rows)
    if not rows and not going:
        _beginning(run)
    earlier, latest = rows[:-OPEN], rows[-OPEN:]
    if earlier:
        with st.expander(plural(len(earlier), "{n} question before", "{n} questions before")):
            for row in earlier:
                _turn(row, shown)
    for row in latest:
        _turn(row, shown)


def _head(rows: list[TurnRow]) -> None:
    asked = plural(len(rows), "{n} question", "{n} questions") if rows else _("new")
    with st.container(horizontal=True, vertical_alignment="center", key="conversation_head"):
        st.markdown(heading(_("Conversation"), asked), unsafe_allow_html=True, width="stretch", anchors=False)
        _earlier()
        if rows:
            label, begin = _("New conversation"), chosen_conversation.begin_anew
            st.button(label, icon=":material/add_comment:", type="tertiary", key="conversation_new", on_click=begin)


def _beginning(run: Shown | None) -> None:
    """What an empty conversation says, and that it may begin with the run on the page."""
    said = _("Ask the first question. What you ask after it may refer back to it: “And how long does it take?”")
    st.markdown(f'<p class="wait">{text(said)}</p>', unsafe_allow_html=True)
    if run is not None and chosen_conversation.may_begin_with(run):
        label = markdown(_("Begin with “{question}”").format(question=run.question[:80]))
        begin = partial(chosen_conversation.begin_with, run.run_id)
        st.button(label, icon=":material/subdirectory_arrow_right:", key="conversation_with", on_click=begin)


def _turn(row: TurnRow, shown: str) -> None:
    with st.container(horizontal=True, key=f"turn_{row.id}"):
        st.button(
            button_title(row.question),
            type="tertiary",
            key=f"turn_open_{row.id}",
            help=_("Show this run below"),
            on_click=partial(show, row.id),
        )
        st.markdown(turn_html(row, shown=row.id == shown), unsafe_allow_html=True, width="stretch")


def turn_html(row: TurnRow, *, shown: bool) -> str:
    """The beginning of a turn's answer, or why there is none; and whether its run is the one on the page."""
    mark = f'<span class="chip on">{text(_("shown below"))}</span>' if shown else ""
    if not row.stop_reason:
        said = _("It is being answered.")
    elif row.answer:
        return f'<div class="turn"><span class="a">{text(without_citations(row.answer), LONGEST)}</span>{mark}</div>'
    else:
        said = _("{reason}: without an answer it is no part of what the next question is told.")
        said = said.format(reason=ending(row.stop_reason))
    return f'<div class="turn"><span class="a m">{text(said)}</span>{mark}</div>'


def _earlier() -> None:
    """A choice among the visitor's other conversations, if there are any."""
    mine = session.workspace().store.conversations(session.visitor_id(), MOST_EARLIER + 1)
    others = [row for row in mine if row.id != chosen_conversation.current()][:MOST_EARLIER]
    if not others:
        return
    with st.popover(_("Earlier conversations"), icon=":material/forum:", type="tertiary", key="conversation_earlier"):
        for row in others:
            st.button(
                _label(row),
                type="tertiary",
                key=f"conversation_open_{row.id}",
                on_click=partial(chosen_conversation.open_conversation, row.id),
            )


def _label(row: ConversationRow) -> str:
    asked = plural(row.runs, "{n} question", "{n} questions")
    return (
        f"{button_title(row.question)}  \n:small[:gray[{asked}, {markdown(when(row.last, st.context.timezone or ''))}]]"
    )


def asked_html(trace: Trace | None, box: str = "") -> str:
    """The question of the run below, unless the box holds it, and how it was understood, where that is another wording."""
    if trace is None:
        return ""
    asked, alone = trace.head.question, trace.state.condensed
    question = f'<b class="qn">{text(asked)}</b>' if box.strip() != asked else ""
    understood = f'<span class="u">{text(_("Understood as:"))} <b>{text(alone)}</b></span>' if alone else ""
    return f'<div class="asked">{question}{understood}</div>' if question or understood else ""
