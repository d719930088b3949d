"""A follow-up is a new run that is told what went before; forks of it keep that and stay outside."""

from __future__ import annotations

import threading
from typing import Any

import pytest

from rag_graphs.errors import SettingsError
from rag_graphs.graphs.components import Components
from rag_graphs.graphs.state import Rewrite, Turn
from rag_graphs.graphs.strategies import all_strategies
from rag_graphs.runs.live import Run
from rag_graphs.runs.trace import Trace
from rag_graphs.runs.whatif import QueryChange, offers_at, update_at
from rag_graphs.settings import Settings
from rag_graphs.workspace import forking
from rag_graphs.workspace.workspace import Workspace
from tests.conversation.conftest import ALONE, FIRST, FOLLOW_UP, ME, OTHER, TURN, recorded, talking
from tests.fakes import DOCS


def ended(run: Run) -> Trace:
    while not run.ended:
        assert run.wait(len(run.events()), timeout=60)
    return Trace(run.events())


def ask(workspace: Workspace, question: str, owner: str = ME, **others: Any) -> Trace:
    asked = workspace.ask("self-rag", question, Settings(), [], owner=owner, **{"conversation": "talk", **others})
    trace = ended(asked)
    while workspace.store.history(owner)[0].stop_reason == "":
        threading.Event().wait(0.005)
    return trace


def test_a_follow_up_is_told_the_turns_before_it(workspace: Workspace) -> None:
    first = ask(workspace, FIRST)
    assert (first.head.history, first.head.settings["conversing"]) == ([], False)
    assert first.path[0] == "retrieve"
    second = ask(workspace, FOLLOW_UP)
    assert second.head.history == [Turn(question=FIRST, answer="An answer.")]
    assert (second.head.conversation, second.head.settings["conversing"]) == ("talk", True)
    assert second.path[:2] == ["condense_question", "retrieve"]
    assert (second.state.question, second.state.condensed, second.state.query) == (FOLLOW_UP, ALONE, ALONE)
    third = ask(workspace, "Why?")
    assert [t.question for t in third.head.history] == [FIRST, ALONE]
    assert third.state.condensed == ""
    assert third.queries == ["Why?"]


def test_settings_that_say_otherwise_do_not_count(workspace: Workspace) -> None:
    asked = workspace.ask("self-rag", FIRST, Settings(conversing=True), [], owner=ME)
    assert ended(asked).head.settings["conversing"] is False


def test_another_visitor_is_told_nothing_of_it(workspace: Workspace) -> None:
    ask(workspace, FIRST)
    assert ask(workspace, FOLLOW_UP, OTHER).head.history == []
    assert [t.question for t in workspace.store.turns(ME, "talk")] == [FIRST]


def test_a_history_may_be_given(workspace: Workspace) -> None:
    trace = ask(workspace, FOLLOW_UP, conversation="", history=[TURN])
    assert (trace.head.history, trace.head.conversation) == ([TURN], "")
    assert trace.state.condensed == ALONE


def test_an_earlier_question_that_goes_on_still_is_no_turn(
    workspace: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    waits = threading.Event()
    slow = talking(retrieve=lambda query: DOCS if waits.wait(30) else [])
    monkeypatch.setattr("rag_graphs.engines.build.build_components", lambda *_: slow)
    going = workspace.ask("self-rag", FIRST, Settings(), [], owner=ME, conversation="talk")
    try:
        monkeypatch.setattr("rag_graphs.engines.build.build_components", lambda *_: talking())
        follow_up = workspace.ask("self-rag", FOLLOW_UP, Settings(), [], owner=ME, conversation="talk")
        assert ended(follow_up).head.history == []
    finally:
        waits.set()
    ended(going)


def test_no_name_no_run(workspace: Workspace) -> None:
    with pytest.raises(SettingsError, match="1 to 64 characters"):
        workspace.ask("self-rag", FIRST, Settings(), [], owner=ME, conversation="../../etc")
    assert workspace.store.count(ME) == 0


@pytest.mark.parametrize("key", list(all_strategies()))
def test_every_strategy_makes_the_question_stand_alone_first(key: str) -> None:
    trace = recorded(FOLLOW_UP, [TURN], strategy=key)
    assert trace.stop_reason != "failed", trace.error
    assert trace.path[0] == "condense_question"
    assert trace.state.condensed == ALONE
    assert trace.queries[:2] == [FOLLOW_UP, ALONE]


class TestForks:
    @pytest.fixture(autouse=True)
    def _built(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(forking, "build_components", lambda *_: self.components)

    components: Components = talking()

    def test_a_what_if_keeps_the_history_and_stays_outside_the_conversation(self, workspace: Workspace) -> None:
        ask(workspace, FIRST)
        parent = ask(workspace, FOLLOW_UP)
        child = ended(workspace.fork(parent.head.run_id, 0, QueryChange(query="How wide is it?"), Settings(), owner=ME))
        assert child.head.history == parent.head.history
        assert (child.head.conversation, child.head.settings["conversing"]) == ("", True)
        assert child.path[:2] == ["condense_question", "retrieve"]
        assert [t.question for t in workspace.store.turns(ME, "talk")] == [FIRST, FOLLOW_UP]

    @pytest.mark.parametrize(("question", "stood_alone"), [(FOLLOW_UP, False), ("Why?", True)])
    def test_how_a_question_was_understood_can_be_changed(self, question: str, stood_alone: bool) -> None:
        parent = recorded(question, [TURN])
        assert (parent.state.condensed == "") is stood_alone
        (offer,) = offers_at(parent, 0)
        assert (offer.typed, offer.label) == (True, "The question stands alone as")
        changed = update_at(parent, 0, QueryChange(query="  How wide is\nit? "))
        assert changed == {
            "condensed": "How wide is it?",
            "query": "How wide is it?",
            "queries": [question, "How wide is it?"],
        }
        taken_back = update_at(parent, 0, QueryChange(query=question))
        assert taken_back == {"condensed": "", "query": question, "queries": [question]}

    def test_the_changed_question_is_what_graders_and_writers_get(self, workspace: Workspace) -> None:
        parent = recorded(FOLLOW_UP, [TURN])
        asked: list[str] = []
        self.components = talking(
            retrieve=lambda query: asked.append(query) or DOCS,
            condense=lambda question, history: Rewrite(query="never asked again"),
        )
        child = ended(workspace.fork(parent, 0, QueryChange(query="How wide is it?"), Settings(), owner=ME))
        assert asked == ["How wide is it?"]
        assert child.state.asked == "How wide is it?"

    def test_at_the_start_there_is_nothing_to_change_that_condensing_would_not_change_again(self) -> None:
        assert offers_at(recorded(FOLLOW_UP, [TURN]), -1) == []
        assert [o.change.change for o in offers_at(recorded(), -1)] == ["query"]
