"""The trace: what derives from the events, and JSON both ways."""

import json
from dataclasses import replace
from typing import Any

import pytest

from rag_graphs.errors import TraceError
from rag_graphs.graphs.state import Draft, RagState, start
from rag_graphs.graphs.updates import attempt, graded, new_query, retrieved, verdict
from rag_graphs.runs.events import (
    TRACE_VERSION,
    EdgeTaken,
    Graded,
    ModelCalled,
    NodeFinished,
    NodeStarted,
    Retrieved,
    RunEvent,
    RunFailed,
    RunFinished,
    RunStarted,
    RunStopped,
    Token,
    Warned,
    plain,
    restore,
)
from rag_graphs.runs.trace import Trace
from tests.fakes import DOCS, HIT, grounded, relevance, useful

HEAD = RunStarted(run_id="r1", strategy="self-rag", question="Why?", settings={"k": 4})
GRADES = [relevance(p) for p in (True, False, None, True)]


def events() -> list[RunEvent]:
    """A run with one rewrite, hand-made: retrieve, grade, rewrite, retrieve, generate."""
    asked = start("Why?")
    found = replace(asked, **retrieved(asked, DOCS))
    marked = replace(found, **graded(found, GRADES, keep_unclear=False))
    words = {**new_query(marked, "other words"), "rewrites": 1}
    again = replace(marked, **words)
    hits = replace(again, **retrieved(again, [HIT]))
    return [
        HEAD,
        EdgeTaken(at=0.0, source="START", target="retrieve"),
        NodeStarted(at=0.1, node="retrieve", attempt=1),
        Retrieved(at=0.2, node="retrieve", attempt=1, documents=DOCS),
        NodeFinished(at=0.3, node="retrieve", attempt=1, seconds=0.2, update=plain(retrieved(asked, DOCS))),
        NodeStarted(at=0.4, node="grade_documents", attempt=1),
        *(Graded(at=0.5, node="grade_documents", attempt=1, index=i, grade=GRADES[i]) for i in (2, 0, 1, 3)),
        ModelCalled(at=0.5, node="grade_documents", attempt=1, role="grade", prompt_tokens=10, completion_tokens=2),
        ModelCalled(at=0.5, node="grade_documents", attempt=1, role="grade", prompt_tokens=5),
        NodeFinished(
            at=0.6, node="grade_documents", attempt=1, update=plain(graded(found, GRADES, keep_unclear=False))
        ),
        EdgeTaken(at=0.6, source="grade_documents", target="rewrite_query", outcome="none relevant"),
        NodeStarted(at=0.7, node="rewrite_query", attempt=1),
        NodeFinished(at=0.8, node="rewrite_query", attempt=1, update=plain(words)),
        NodeStarted(at=0.9, node="retrieve", attempt=2),
        Retrieved(at=1.0, node="retrieve", attempt=2, documents=[HIT]),
        NodeFinished(at=1.1, node="retrieve", attempt=2, update=plain(retrieved(again, [HIT]))),
        NodeStarted(at=1.2, node="generate", attempt=1),
        Token(at=1.3, node="generate", attempt=1, text="An "),
        Token(at=1.3, node="generate", attempt=1, text="answer."),
        Warned(at=1.35, node="generate", attempt=1, message="slow"),
        NodeFinished(at=1.4, node="generate", attempt=1, update=plain(attempt(hits, Draft(text="An answer.")))),
        RunFinished(at=1.5, stop_reason="answered", answer="An answer."),
    ]


TRACE = Trace(events())


def position(kind: str, which: int = 0) -> int:
    return [i for i, e in enumerate(TRACE.events) if e.kind == kind][which]


def test_what_derives_from_the_events() -> None:
    assert TRACE.path == ["retrieve", "grade_documents", "rewrite_query", "retrieve", "generate"]
    assert TRACE.queries == ["Why?", "other words"]
    assert [e.outcome for e in TRACE.edges] == ["", "none relevant"]
    assert (TRACE.text, TRACE.stop_reason, TRACE.seconds, TRACE.ended) == ("An answer.", "answered", 1.5, True)
    assert (TRACE.llm_calls, TRACE.count("retrieve"), TRACE.warnings, TRACE.error) == (2, 2, ["slow"], "")


def test_grades_come_in_the_order_in_which_they_landed_with_their_documents() -> None:
    assert [(d.id if d else None, g.passed) for d, g in TRACE.grades] == [
        ("d3", None), ("d1", True), ("d2", False), ("d4", True),
    ]  # fmt: skip


def test_grades_of_the_answer_are_about_no_document() -> None:
    both = [Graded(grade=grounded(True)), Graded(grade=useful(False))]
    assert [d for d, _ in Trace([HEAD, *both]).grades] == [None, None]


def test_visits_know_the_state_before_and_after() -> None:
    first, second, third, *_ = TRACE.visits
    assert first.before == start("Why?")
    assert first.after == second.before
    assert second.after is not None
    assert second.after.documents == [DOCS[0], DOCS[3]]
    assert third.before == second.after
    assert (second.llm_calls, second.prompt_tokens, second.completion_tokens) == (2, 15, None)
    assert [v.attempt for v in TRACE.visits] == [1, 1, 1, 2, 1]


def test_a_running_node_is_a_visit_without_an_end() -> None:
    running = TRACE.upto(position("token") + 1)
    assert running.active == "generate"
    assert (running.visits[-1].after, running.visits[-1].seconds) == (None, None)
    assert running.text == "An "
    assert (running.ended, running.stop_reason) == (False, None)


def test_before_anything_ran_the_state_is_the_start() -> None:
    fresh = TRACE.upto(0)
    assert len(fresh) == 1
    assert (fresh.state, fresh.active, fresh.text, fresh.visits) == (start("Why?"), "", "", [])


def test_the_text_of_a_node_that_has_written_nothing_is_the_answer_so_far() -> None:
    second = [NodeStarted(at=1.5, node="grade_answer", attempt=1)]
    assert Trace([*TRACE.events[:-1], *second]).text == "An answer."


def test_steps_lead_through_the_whole_run() -> None:
    steps = TRACE.steps()
    assert steps[-1] == len(TRACE)
    assert steps == sorted(set(steps))
    assert [TRACE.upto(s).path[-1] for s in steps] == [*TRACE.path, "generate"]
    assert all(TRACE.upto(s).active == "" for s in steps)


@pytest.mark.parametrize(
    ("last", "reason", "error"),
    [
        (RunFailed(message="The key was refused.", error="ServiceError"), "failed", "The key was refused."),
        (RunStopped(), "stopped", ""),
        (RunFinished(stop_reason="useful"), "useful", ""),
    ],
)
def test_ends(last: RunEvent, reason: str, error: str) -> None:
    trace = Trace([*TRACE.events[:5], last])
    assert (trace.ended, trace.stop_reason, trace.error, trace.active) == (True, reason, error, "")


def test_a_trace_begins_with_its_head() -> None:
    for wrong in ([], [RunStopped()]):
        with pytest.raises(TraceError, match="begins with the event run_started"):
            Trace(wrong)


def test_json_both_ways() -> None:
    again = Trace.from_json(json.dumps(TRACE.to_json()))
    assert again.events == TRACE.events
    assert again.state == TRACE.state
    assert Trace.from_json(TRACE.to_json()).events == TRACE.events


def test_an_update_is_recorded_as_plain_data_and_restored() -> None:
    state = replace(start("Why?"), documents=DOCS, answers=[])
    update = attempt(state, Draft(text="A."))
    tried = replace(state, **update)
    graded_update = verdict(tried, grounded(True), useful(None))
    for before, change in ((state, update), (tried, graded_update)):
        recorded = json.loads(json.dumps(plain(change)))
        assert set(recorded) == set(change)
        assert restore(before, recorded) == replace(before, **change)


def test_an_undeclared_field_cannot_be_recorded() -> None:
    with pytest.raises(TypeError):
        plain({"reason": "lost"})


def changed(**event: Any) -> dict[str, Any]:
    """The trace as JSON data, with one more event while the first node runs."""
    data = TRACE.to_json()
    data["events"].insert(4, event)
    return data


def test_a_further_event_alone_is_no_fault() -> None:
    assert Trace.from_json(changed(kind="token", text="a")).path == TRACE.path


NESTED = "[" * 100_000


@pytest.mark.parametrize(
    ("data", "says"),
    [
        ("", "not JSON"),
        ("{", "not JSON"),
        (NESTED, "not JSON"),
        (b"\xff\xfe", "not JSON"),
        ("[]", "no events"),
        ("3", "no events"),
        (None, "no events"),
        ('{"events": []}', "version None"),
        ({"version": TRACE_VERSION + 1, "events": []}, f"version {TRACE_VERSION + 1}"),
        ({"version": TRACE_VERSION, "events": []}, "begins with"),
        ({"version": TRACE_VERSION, "events": 3}, "no run writes"),
        ({"version": TRACE_VERSION, "events": {"0": {}}}, "no run writes"),
        (changed(kind="exec", code="1"), "no run writes"),
        (changed(kind="retrieved", documents=[], extra=1), "no run writes"),
        (changed(kind="retrieved", documents=[{"id": 1}]), "no run writes"),
        (changed(kind="token", text="a", at=-1), "no run writes"),
        (changed(kind="token", text="a", at=float("nan")), "no run writes"),
        (changed(kind="token", text="a", at=float("inf")), "no run writes"),
        (changed(kind="graded", index=99, grade={"aspect": "relevance", "passed": True, "label": "x"}), "no run writes"),
        (changed(kind="graded", index=-1, grade={"aspect": "relevance", "passed": True, "label": "x"}), "no run writes"),
        (changed(kind="node_finished", update={"bogus": 1}), "no run writes"),
        (changed(kind="node_finished", update={"__class__": 1}), "no run writes"),
        (changed(kind="node_finished", update={"question": "another"}), "no run writes"),
        (changed(kind="node_finished", update={"rewrites": "many"}), "no run writes"),
        (changed(kind="node_finished", update={"seen": [{"document": {}}]}), "no run writes"),
    ],
)  # fmt: skip
def test_what_is_not_a_trace_is_refused_in_words(data: Any, says: str) -> None:
    with pytest.raises(TraceError, match=says):
        Trace.from_json(data)


def test_a_huge_file_is_refused_before_it_is_read() -> None:
    with pytest.raises(TraceError, match="larger than 20 MB"):
        Trace.from_json(" " * 20_000_001)


def test_a_state_survives_plain_data() -> None:
    state = RagState(query="Why?", documents=DOCS, rewrites=2)
    fields = {name: value for name, value in vars(state).items() if name != "question"}
    assert restore(RagState(), plain(fields)) == state
