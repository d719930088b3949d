"""The recorded runs open, hold nothing of the machine that recorded them, and a fresh run takes the same path."""

from __future__ import annotations

import json
import re

import pytest

from benchmarks.record_samples import RUNS, record
from rag_graphs.graphs.critique_scores import SUPPORT
from rag_graphs.library import Library
from rag_graphs.runs.comparison import compare
from rag_graphs.samples import RecordedRun, collections, recorded_runs, web_pages

EACH_RUN = pytest.mark.parametrize("recorded", recorded_runs(), ids=lambda r: r.key)


def test_runs_ship_each_with_a_lesson_of_its_own() -> None:
    assert {r.key: (r.trace.head.strategy, r.trace.stop_reason) for r in recorded_runs()} == {
        "clean-hit": ("self-rag", "useful"),
        "gives-up": ("self-rag", "no relevant documents"),
        "asks-the-web": ("crag", "answered"),
        "rewrite-rescues": ("self-rag", "useful"),
        "rejected": ("crag", "answered"),
        "careless": ("self-rag", "useful"),
        "routed": ("adaptive", "useful"),
        "no-web": ("crag", "search unavailable"),
        "korean": ("adaptive", "useful"),
        "flipped": ("self-rag", "useful"),
        "drafts": ("self-rag-critique", "useful"),
        "refined": ("crag-refined", "answered"),
        "chain": ("adaptive-complexity", "answered"),
        "follow-up": ("self-rag", "useful"),
    }
    assert all(r.lesson.endswith(".") and len(r.lesson) < 120 for r in recorded_runs())
    assert len({r.lesson for r in recorded_runs()}) == len(recorded_runs())


def test_the_runs_show_what_their_lessons_say() -> None:
    traces = {r.key: r.trace for r in recorded_runs()}
    rescued = traces["rewrite-rescues"]
    assert [g.passed for d, g in rescued.grades if d] == [False, True]
    rejected = traces["rejected"]
    assert sorted(g.passed is True for d, g in rejected.grades if d) == [False, False, False, True]
    assert {d.origin for d in rejected.state.documents} == {"library", "web"}
    careless = [a.grounded.passed for a in traces["careless"].state.answers if a.grounded]
    assert careless == [False, True]
    assert traces["routed"].path[1] == "search_web"
    assert traces["routed"].head.question == traces["gives-up"].head.question
    assert "switched off" in traces["no-web"].state.search_error
    flipped = traces["flipped"]
    assert flipped.head.parent == traces["clean-hit"].head.run_id
    assert compare(traces["clean-hit"], flipped).parted_at == "grade_documents"
    assert {d.support.label for d in traces["drafts"].state.drafts} == set(SUPPORT)
    refined = traces["refined"].state
    assert refined.evaluation
    assert refined.evaluation.action == "ambiguous"
    assert {d.origin for d in refined.documents} == {"library", "web"}
    assert {s.kept for s in refined.strips} == {True, False}
    chain = traces["chain"].state
    assert chain.complexity
    assert (chain.complexity.label, [link.final for link in chain.chain]) == ("C", [False, False, True])
    follow_up = traces["follow-up"]
    assert [t.question for t in follow_up.head.history] == ["What is a weekly review?"]
    assert follow_up.path[0] == "condense_question"
    assert "weekly review" in follow_up.state.condensed


@EACH_RUN
def test_a_recorded_run_survives_json(recorded: RecordedRun) -> None:
    assert recorded.trace.from_json(json.dumps(recorded.trace.to_json())).events == recorded.trace.events


@EACH_RUN
def test_a_recorded_run_holds_nothing_of_the_machine(recorded: RecordedRun) -> None:
    text = json.dumps(recorded.trace.to_json(), ensure_ascii=False)
    assert not re.search(r"(?i)api_key|data_dir|/home/|/root|/tmp|/work|localhost|127\.0\.0\.1|[A-Z]:\\\\", text)
    addresses = {p.address for c in collections().values() for p in c.pages} | {p.address for p in web_pages()}
    assert {s.document.source for s in recorded.trace.state.seen} <= addresses


@EACH_RUN
def test_a_fresh_run_takes_the_path_that_was_recorded(recorded: RecordedRun, library: Library) -> None:
    fresh = record(recorded.key, library)
    assert fresh.path == recorded.trace.path
    assert fresh.stop_reason == recorded.trace.stop_reason
    assert fresh.state.answer == recorded.trace.state.answer
    assert fresh.head.settings == recorded.trace.head.settings


def test_every_run_has_a_recipe() -> None:
    assert list(RUNS) == [r.key for r in recorded_runs()]
    assert [(r.collection,) for r in RUNS.values()] == [r.collections for r in recorded_runs()]
