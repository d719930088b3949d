"""The recorded runs open, hold nothing of the machine that recorded them, and a fresh run takes the same path."""

from __future__ import annotations

import json
import re

import pytest

from rag_graphs.samples import RecordedRun, collections, recorded_runs, web_pages
from rag_graphs.strategies import get_strategy
from tests.samples.conftest import RunExample

EACH_RUN = pytest.mark.parametrize("recorded", recorded_runs(), ids=lambda r: r.key)


def test_three_runs_ship() -> None:
    assert [(r.trace.head.strategy, r.trace.head.question, r.trace.stop_reason) for r in recorded_runs()] == [
        ("self-rag", "How to improve relationships", "useful"),
        ("self-rag", "How to cook a bagel?", "no relevant documents"),
        ("crag", "What is prompt engineering?", "answered"),
    ]


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
def test_a_fresh_run_takes_the_path_that_was_recorded(recorded: RecordedRun, run_example: RunExample) -> None:
    head = recorded.trace.head
    example = next(e for e in get_strategy(head.strategy).examples if e.question == head.question)
    fresh = run_example(head.strategy, example)
    assert fresh.path == recorded.trace.path
    assert fresh.stop_reason == recorded.trace.stop_reason
