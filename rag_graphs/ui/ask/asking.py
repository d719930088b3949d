"""Asking: the question box, and the start of a run."""

from __future__ import annotations

from collections.abc import Mapping

import streamlit as st

from rag_graphs import LONGEST_QUESTION
from rag_graphs.samples import collections
from rag_graphs.ui.ask import chosen_conversation
from rag_graphs.ui.shared import session, visit
from rag_graphs.ui.shared.shown import Shown, show, show_none
from rag_graphs.ui.shared.spent import count
from rag_graphs.ui.sources.queue import enqueue, page_state
from rag_graphs.views.diagram_settings import FIRST_CHOICE
from rag_graphs.views.settings_words import label, value_words
from rag_graphs.views.translation import _


def question_box(shown: Shown | None) -> None:
    """The question and Ask, or Stop while a run of this visitor goes on. Enter asks. In a conversation the box is for the next
    question; else it shows that of the run below."""
    if shown is not None and visit.question_of.get() != shown.run_id:
        visit.question_of.set(shown.run_id)
        if not chosen_conversation.is_on():
            visit.question.set(shown.question)
    led = shown.led if shown else None
    with (
        st.form("ask", border=False, enter_to_submit=not led),
        st.container(horizontal=True, wrap=False, key="askrow"),
    ):
        st.text_input(
            _("Question"),
            key=visit.question.key,
            max_chars=LONGEST_QUESTION,
            placeholder=_("Ask a follow-up…") if chosen_conversation.turns() else _("Ask the library…"),
            label_visibility="collapsed",
            persist_state="session",
        )
        if led:
            st.form_submit_button(_("Stop"), icon=":material/stop_circle:", key="stop", on_click=led.stop)
        else:
            st.form_submit_button(
                _("Ask"), icon=":material/arrow_forward:", key="go", type="primary", on_click=_wish_typed
            )


def wish(question: str, settings: Mapping[str, object] | None = None) -> None:
    """Ask this when the page runs next: a callback may not fail in words, the page can.

    `settings` are those that a suggested question carries. They hold for its run alone: what is asked next has the visitor's
    own again.
    """
    visit.question.set(question)
    visit.wish.set(question)
    visit.wish_settings.set(dict(settings or {}))


def in_words(settings: Mapping[str, object]) -> str:
    """Settings as people read them: what each is called, and its value."""
    return ", ".join(f"{label(name)}: {value_words(name, value)}" for name, value in settings.items())


def _wish_typed() -> None:
    if question := visit.question.get().strip():
        wish(question)


def start_wished() -> None:
    """Start the run that was asked for, if one was and nothing has to be loaded for it first. Raises SettingsError,
    SetupError, TooManyRuns."""
    _take_preset()
    if visit.load_first.get() and page_state().waiting:
        return
    visit.load_first.forget()
    question = visit.wish.take()
    if not question:
        return
    key = visit.strategy.get() or FIRST_CHOICE
    only_now = visit.wish_settings.take()
    run = session.workspace().ask(
        key,
        question,
        session.settings().change(**only_now),
        session.source_ids(),
        owner=session.visitor_id(),
        conversation=chosen_conversation.current(),
        stepping=visit.stepping.get(),
    )
    visit.question_of.set(run.id)
    if chosen_conversation.is_on():
        visit.question.set("")
    visit.only_now.set((run.id, only_now))
    count(run)
    show(run.id)


def _take_preset() -> None:
    """An example of the Strategies page: choose its strategy, load what it needs, then ask."""
    preset = visit.ask_preset.take()
    if not preset:
        return
    visit.strategy.set(preset["strategy"])
    visit.conversing.set(False)  # an example is one of its own
    wish(preset["question"], dict(preset["settings"]))
    loaded = {s.collection for s in session.workspace().library.sources(session.source_ids())}
    if missing := [key for key in preset["collections"] if key not in loaded]:
        show_none()
        visit.load_first.set(True)
        enqueue([visit.Job(kind="samples", what=key, title=_(collections()[key].title)) for key in missing])
