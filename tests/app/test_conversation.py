"""The Ask page's conversation mode: follow-ups, turns, earlier conversations, the address, and nobody else's."""

from __future__ import annotations

import re

import pytest
from streamlit.testing.v1 import AppTest

from rag_graphs import Document, Trace
from rag_graphs.graphs.state import Draft, Rewrite
from rag_graphs.store import TurnRow
from rag_graphs.ui.ask.conversation_panel import asked_html, turn_html
from tests.app.made import HOSTILE, failing
from tests.app.test_ask import Stand, ask, labels, page, press, run, stand, words
from tests.conversation.conftest import ALONE, FIRST, FOLLOW_UP, TURN, keep, recorded, talking
from tests.fakes import DOCS

__all__ = ["stand"]


def switch(app: AppTest, on: bool = True) -> AppTest:
    app.toggle(key="conversing").set_value(on)
    return run(app)


def talk(stand: Stand) -> AppTest:
    """A conversation with its first question answered."""
    stand.components = talking()
    return ask(switch(stand.with_samples()), FIRST)


def asked(stand: Stand, app: AppTest) -> Trace:
    return stand.space.trace(app.session_state["shown_run"])


def test_it_is_off_until_it_is_switched_on(stand: Stand) -> None:
    stand.components = talking()
    app = ask(stand.with_samples(), FIRST)
    assert not app.toggle(key="conversing").value
    assert asked(stand, app).head.conversation == ""
    assert "conversation" not in app.query_params
    ask(app, FOLLOW_UP)
    assert asked(stand, app).head.history == []
    assert "Understood as" not in words(app)


def test_a_follow_up_is_understood_from_the_turn_before_it(stand: Stand) -> None:
    app = talk(stand)
    first = app.session_state["shown_run"]
    box = app.text_input(key="question")
    assert (box.value, box.placeholder) == ("", "Ask a follow-up…")
    assert "Conversation" in words(app)
    assert "1 question" in words(app)
    ask(app, FOLLOW_UP)
    trace = asked(stand, app)
    assert [t.question for t in trace.head.history] == [FIRST]
    assert (trace.head.conversation, app.query_params["conversation"]) == (app.session_state["conversation"],) * 2
    assert f"Understood as: {ALONE}" in " ".join(words(app).split())
    assert "2 questions" in words(app)
    assert {FIRST, FOLLOW_UP} <= {label.replace("\\", "") for label in labels(app)}
    app.button(key=f"turn_open_{first}").click()
    run(app)
    assert app.session_state["shown_run"] == first
    assert "Understood as" not in words(app)
    assert app.text_input(key="question").value == ""


def test_a_question_that_stands_alone_is_not_shown_as_understood(stand: Stand) -> None:
    app = ask(talk(stand), "Why?")
    assert asked(stand, app).path[0] == "condense_question"
    assert "Understood as" not in words(app)


def test_the_diagram_of_the_next_run_stands_before_it_runs(stand: Stand) -> None:
    app = talk(stand)
    assert "<title>condense_question</title>" not in page(app), "the first run had none"
    press(app, "New question")
    assert "<title>condense_question</title>" in page(app)
    switch(app, on=False)
    assert "<title>condense_question</title>" not in page(app)


def test_a_new_conversation_knows_nothing_and_the_earlier_one_can_be_gone_on_with(stand: Stand) -> None:
    app = talk(stand)
    old = app.session_state["conversation"]
    press(app, "New conversation")
    assert "Ask the first question" in words(app)
    assert "conversation" not in app.query_params
    ask(app, FOLLOW_UP)
    assert asked(stand, app).head.history == []
    app.button(key=f"conversation_open_{old}").click()
    run(app)
    assert app.query_params["conversation"] == old
    assert asked(stand, app).head.question == FIRST
    ask(app, FOLLOW_UP)
    assert [t.question for t in asked(stand, app).head.history] == [FIRST]
    assert len(stand.space.store.conversations("visitor-of-the-tests")) == 2


def test_the_address_opens_it_again_in_another_tab_and_after_a_restart(stand: Stand) -> None:
    app = talk(stand)
    address = {name: app.query_params[name] for name in ("run", "conversation")}
    stand.space.runs._runs.clear()
    again = stand.app(**{name: value if isinstance(value, str) else value[0] for name, value in address.items()})
    assert again.toggle(key="conversing").value
    assert "1 question" in words(again)
    ask(again, FOLLOW_UP)
    assert [t.question for t in asked(stand, again).head.history] == [FIRST]


@pytest.mark.parametrize("theirs", ["the-conversation-of-another", "no-such-conversation", "<b>", "x" * 3000, "\0"])
def test_a_foreign_address_is_ignored_with_a_note(stand: Stand, theirs: str) -> None:
    trace = recorded("A secret?", run_id="secret", conversation="the-conversation-of-another")
    keep(stand.space.store, trace, "someone-else-entirely")
    stand.with_samples()
    app = stand.app(conversation=theirs)
    assert not app.toggle(key="conversing").value
    assert "names a conversation that is not yours or is gone" in words(app)
    assert "A secret?" not in words(app)
    assert "conversation" not in app.query_params
    stand.components = talking()
    ask(app, FOLLOW_UP)
    assert asked(stand, app).head.history == []
    assert len(stand.space.store.turns("someone-else-entirely", "the-conversation-of-another")) == 1


def test_switching_it_off_and_on_again_loses_nothing(stand: Stand) -> None:
    app = talk(stand)
    switch(app, on=False)
    assert "conversation" not in app.query_params
    assert FIRST in words(app), "the box is empty, and the run below has a question"
    assert "New conversation" not in labels(app)
    switch(app)
    assert "1 question" in words(app)
    ask(app, FOLLOW_UP)
    assert [t.question for t in asked(stand, app).head.history] == [FIRST]


def test_it_may_begin_with_the_run_on_the_page(stand: Stand) -> None:
    stand.components = talking()
    app = switch(ask(stand.with_samples(), FIRST))
    button = next(b for b in app.button if b.key == "conversation_with")
    assert FIRST.rstrip("?") in button.label.replace("\\", "")
    button.click()
    run(app)
    assert "1 question" in words(app)
    ask(app, FOLLOW_UP)
    assert [t.question for t in asked(stand, app).head.history] == [FIRST]


def test_a_run_that_failed_is_listed_and_said_to_be_no_turn(stand: Stand) -> None:
    stand.components = failing()
    app = ask(switch(stand.with_samples()), FIRST)
    assert "without an answer it is no part of what the next question is told" in words(app)
    stand.components = talking()
    ask(app, FOLLOW_UP)
    assert asked(stand, app).head.history == []


def test_a_long_conversation_is_folded(stand: Stand) -> None:
    for n in range(12):
        one = recorded(f"Question {n}?", run_id=f"r{n}", conversation="long", strategy="naive")
        keep(stand.space.store, one, "visitor-of-the-tests")
    stand.with_samples()
    app = stand.app(conversation="long")
    assert "12 questions" in words(app)
    assert any("8 questions before" in e.label for e in app.expander)
    stand.components = talking()
    ask(app, FOLLOW_UP)
    assert [t.question for t in asked(stand, app).head.history] == [f"Question {n}?" for n in range(6, 12)]


def test_an_example_of_the_strategies_page_is_no_part_of_it(stand: Stand) -> None:
    app = talk(stand)
    app.session_state["ask_preset"] = {"strategy": "crag", "question": "Why?", "collections": [], "settings": {}}
    run(app)
    assert asked(stand, app).head.conversation == ""
    assert not app.toggle(key="conversing").value


def test_nothing_hostile_gets_out_of_a_turn(stand: Stand) -> None:
    stand.components = talking(
        retrieve=lambda query: [Document(id="h", text=HOSTILE, source="x", title=HOSTILE), *DOCS],
        generate=lambda request: iter([Draft(text=HOSTILE)]),
        condense=lambda question, history: Rewrite(query=f"{HOSTILE} {question}"),
    )
    app = ask(switch(stand.with_samples()), HOSTILE)
    ask(app, FOLLOW_UP)
    assert "Understood as" in words(app)
    assert not re.search(r"<(img|script)|javascript:alert\(1\)\"", page(app))
    for label in labels(app):
        assert "![" not in label
        assert "<img" not in label


def test_what_a_turn_says() -> None:
    def row(answer: str = "", reason: str = "useful") -> TurnRow:
        return TurnRow(id="r", question="Why?", condensed="", answer=answer, stop_reason=reason)

    assert "It is being answered" in turn_html(row("so far", ""), shown=False)
    assert "Stopped: without an answer" in re.sub("<[^>]+>", "", turn_html(row(reason="stopped"), shown=False)).replace(
        "&#58;", ":"
    )
    told = turn_html(row("A <b>ring</b> [1]. Twice [2][3]."), shown=True)
    assert "A &lt;b&gt;ring&lt;/b&gt;. Twice." in told
    assert "shown below" in told
    assert asked_html(None) == ""
    assert ALONE in asked_html(recorded(FOLLOW_UP, [TURN]))
    assert asked_html(recorded(), FIRST) == ""
    assert FIRST in asked_html(recorded())
