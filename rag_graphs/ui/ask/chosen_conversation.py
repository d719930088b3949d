"""The conversation that this visitor is in: whether there is one, which, and how to change that."""

from __future__ import annotations

from secrets import token_urlsafe
from typing import TYPE_CHECKING

import streamlit as st

from rag_graphs import Settings, is_conversation
from rag_graphs.ui.shared import session, visit
from rag_graphs.ui.shared.shown import Shown, show, show_none

if TYPE_CHECKING:
    from rag_graphs import TurnRow

MOST_LISTED = 50


def is_on() -> bool:
    """Does the next question follow those before it?"""
    return visit.conversing.get()


def current() -> str:
    """The id of the conversation that the next question belongs to; empty outside of one."""
    return _id() if is_on() else ""


def turns() -> list[TurnRow]:
    """The runs of the open conversation, the oldest first, those without an answer among them."""
    return _turns(_id(), MOST_LISTED) if is_on() else []


def next_settings() -> Settings:
    """The settings of the next run: they say whether its graph makes the question stand alone first."""
    answered = any(turn.answer and turn.stop_reason for turn in turns())
    return session.settings().change(conversing=answered)


def follow_address() -> None:
    """Open the conversation of the address if it is this visitor's, and write the one that is open into it: a reload, also of
    a server that was started anew, goes on with the same."""
    wanted = st.query_params.get("conversation", "")
    if wanted and wanted != visit.conversation.get():
        theirs = bool(_turns(wanted, 1))
        if theirs:
            visit.conversation.set(wanted)
            visit.conversing.set(True)
        visit.conversation_unknown.set(not theirs)
    _write_address(current())


def switched() -> None:
    """The mode was switched. The box stays as it is: the server does not know what is typed in it and not sent yet."""
    visit.conversation_unknown.forget()
    _write_address(current())


def begin_anew() -> None:
    """Leave the conversation for a new one."""
    _enter(token_urlsafe(12))
    show_none()


def open_conversation(conversation: str) -> None:
    """Go on with an earlier conversation: its last run is shown."""
    _enter(conversation)
    if last := _turns(conversation, 1):
        show(last[0].id)


def begin_with(run_id: str) -> None:
    """Begin the open conversation with a run that was made before it."""
    session.workspace().store.begin_with(session.visitor_id(), run_id, _id())


def may_begin_with(run: Shown | None) -> bool:
    """Can the open conversation begin with the run that is shown?"""
    over = run is not None and run.live is None
    return over and run is not None and session.workspace().store.may_begin(session.visitor_id(), run.run_id)


def _enter(conversation: str) -> None:
    visit.conversation.set(conversation)
    visit.question.set("")
    _write_address(conversation)


def _write_address(conversation: str) -> None:
    """A conversation without a question yet has no address."""
    if conversation and _turns(conversation, 1):
        st.query_params["conversation"] = conversation
    else:
        st.query_params.pop("conversation", None)


def _id() -> str:
    if not visit.conversation.is_set():
        visit.conversation.set(token_urlsafe(12))
    return visit.conversation.get()


def _turns(conversation: str, limit: int) -> list[TurnRow]:
    if not is_conversation(conversation):
        return []
    return session.workspace().store.turns(session.visitor_id(), conversation, limit)
