"""Step mode: a run that waits before each node, and takes what was changed meanwhile into account."""

from collections.abc import Callable
from threading import Event

import pytest

from rag_graphs.graphs.state import Document, RagState, Update
from rag_graphs.graphs.strategies import all_strategies, get_strategy
from rag_graphs.graphs.updates import graded, new_query
from rag_graphs.runs import live
from rag_graphs.runs.live import Run
from rag_graphs.runs.registry import Runs
from rag_graphs.runs.runner import run
from rag_graphs.runs.trace import Trace
from rag_graphs.settings import Settings
from tests.fakes import DOCS, HIT, fake, relevance
from tests.runs.conftest import self_rag, to_the_end


def stepped(key: str, gate: Callable[[RagState, str], Update], **scripted: object) -> Trace:
    return Trace(list(run(get_strategy(key), "Why?", fake(**scripted), Settings(), gate=gate)))  # type: ignore[arg-type]


@pytest.mark.parametrize("key", list(all_strategies()))
def test_stepping_alone_changes_nothing(key: str) -> None:
    plain = Trace(list(run(get_strategy(key), "Why?", fake(), Settings())))
    asked: list[str] = []

    def gate(state: RagState, node: str) -> Update:
        asked.append(node)
        return {}

    trace = stepped(key, gate)
    assert asked == trace.path == plain.path
    assert trace.state == plain.state
    assert [(e.source, e.outcome, e.target) for e in trace.edges] == [
        (e.source, e.outcome, e.target) for e in plain.edges
    ]
    assert [e.node for e in trace.events if e.kind == "paused"] == plain.path


def test_an_edited_grade_takes_the_other_edge() -> None:
    def gate(state: RagState, node: str) -> Update:
        if node == "rewrite_query":
            return graded(state, [relevance(True) for _ in state.retrieved], keep_unclear=False)
        return {}

    trace = stepped("self-rag", gate, relevant=[[False]])
    assert trace.path == ["retrieve", "grade_documents", "generate", "grade_answer"]
    assert [e.outcome for e in trace.edges if e.source == "grade_documents"] == ["some relevant"]
    assert len(trace.state.documents) == 4
    assert Trace.from_json(trace.to_json()).state == trace.state


def test_an_edited_query_is_what_is_searched() -> None:
    searched: list[str] = []

    def gate(state: RagState, node: str) -> Update:
        return new_query(state, "edited") if node == "retrieve" and not searched else {}

    def retrieve(query: str) -> list[Document]:
        searched.append(query)
        return [HIT]

    stepped("self-rag", gate, retrieve=retrieve)
    assert searched == ["edited"]


def test_an_edit_can_end_the_run() -> None:
    def gate(state: RagState, node: str) -> Update:
        if node == "rewrite_query":
            return {"grounded": relevance(True), "useful": relevance(True)}
        return {}

    trace = stepped("self-rag", gate, verdicts=[(True, False)])
    assert trace.path[-1] == "grade_answer"
    assert trace.edges[-1].target == "END"


def test_what_a_run_waits_for_can_be_seen() -> None:
    seen: list[str] = []
    events = []
    for event in run(get_strategy("crag"), "Why?", fake(), Settings(), gate=lambda state, node: {}):
        events.append(event)
        seen.append(Trace(events).waiting_for)
    assert [s for s in seen if s] == Trace(events).path


def waits_before(run: Run, node: str) -> None:
    assert run.wait(0, timeout=20)
    while not Trace(run.events()).waiting_for:
        assert run.wait(len(run.events()), timeout=20)
    assert Trace(run.events()).waiting_for == node


def test_a_run_in_the_background_goes_on_when_told(runs: Runs) -> None:
    run = runs.start("self-rag", "Why?", self_rag(), stepping=True)
    waits_before(run, "retrieve")
    run.next()
    while Trace(run.events()).path != ["retrieve"] or not Trace(run.events()).waiting_for:
        assert run.wait(len(run.events()), timeout=20)
    state = Trace(run.events()).state
    run.next(new_query(state, "edited"))
    while Trace(run.events()).queries[-1] != "edited":
        assert run.wait(len(run.events()), timeout=20)
    run.run_on()
    events = to_the_end(run)
    assert Trace(events).ended
    assert Trace(events).queries[:2] == ["Why?", "edited"]


def test_a_second_click_on_the_same_pause_skips_no_node(runs: Runs) -> None:
    arrived, release = Event(), Event()

    def slow(query: str) -> list[object]:
        arrived.set()
        release.wait(20)
        return list(DOCS)

    run = runs.start("self-rag", "Why?", self_rag(fake(retrieve=slow)), stepping=True)
    waits_before(run, "retrieve")
    run.next()
    assert arrived.wait(20)
    run.next()
    release.set()
    while Trace(run.events()).waiting_for != "grade_documents":
        assert run.wait(len(run.events()), timeout=20)
    assert not run.wait(len(run.events()), timeout=0.1)
    run.stop()


def test_a_run_that_nobody_comes_back_to_is_stopped(runs: Runs, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(live, "LONGEST_PAUSE", 0.01)
    trace = Trace(to_the_end(runs.start("self-rag", "Why?", self_rag(), stepping=True)))
    assert trace.stop_reason == "stopped"
    assert trace.path == []


def test_a_waiting_run_can_be_stopped(runs: Runs) -> None:
    run = runs.start("self-rag", "Why?", self_rag(), stepping=True)
    waits_before(run, "retrieve")
    run.stop()
    assert Trace(to_the_end(run)).stop_reason == "stopped"
    assert Trace(run.events()).path == []
