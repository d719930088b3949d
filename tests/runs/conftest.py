from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from rag_graphs.graphs.components import Components
from rag_graphs.graphs.state import Update
from rag_graphs.graphs.strategies import get_strategy
from rag_graphs.graphs.strategy import Strategy
from rag_graphs.runs.events import RunEvent
from rag_graphs.runs.live import Run
from rag_graphs.runs.registry import Runs
from rag_graphs.runs.runner import resume, run
from rag_graphs.runs.trace import Trace
from rag_graphs.settings import Settings
from rag_graphs.store import Store
from tests.fakes import fake

Events = Callable[[Run], Iterator[RunEvent]]


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    opened = Store(tmp_path / "data")
    yield opened
    opened.close()


@pytest.fixture
def runs(store: Store) -> Runs:
    return Runs(store)


def self_rag(components: Components | None = None) -> Events:
    """What `Runs.start` takes: Self-RAG on fake components."""
    return lambda started: run(
        get_strategy("self-rag"),
        "Why?",
        components or fake(),
        Settings(),
        run_id=started.id,
        stepping=started.stepping,
        clock=started.clock,
    )


def stepping_through(runs: Runs, components: Components | None = None, *, owner: str = "", pace: float = 0.0) -> Run:
    """Self-RAG in step mode, in the background."""
    components = components or fake()

    def later(waiting: Run, record: Trace, change: Update) -> Iterator[RunEvent]:
        strategy = get_strategy("self-rag")
        return resume(record, change, strategy, components, Settings(), stepping=waiting.stepping, clock=waiting.clock)

    return runs.start("self-rag", "Why?", self_rag(components), owner=owner, pace=pace, resume=later)


def in_steps(
    strategy: Strategy,
    components: Components,
    settings: Settings,
    answer: Callable[[Trace], Update] = lambda waiting: {},
) -> Iterator[RunEvent]:
    """The events of a run that goes on from its record at each pause, with the change that `answer` gives."""
    events = []
    for event in run(strategy, "Why?", components, settings, stepping=True):
        events.append(event)
        yield event
    while events[-1].kind == "paused":
        waiting = Trace.from_json(Trace(events).to_json())
        for event in resume(waiting, answer(Trace(events)), strategy, components, settings):
            events.append(event)
            yield event


def to_the_end(run: Run) -> list[RunEvent]:
    seen = 0
    while not run.ended:
        assert run.wait(seen, timeout=20), "the run said nothing for 20 seconds"
        seen = len(run.events())
    return run.events()
