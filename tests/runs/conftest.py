from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from rag_graphs.graphs.components import Components
from rag_graphs.graphs.strategies import get_strategy
from rag_graphs.runs.events import RunEvent
from rag_graphs.runs.live import Run
from rag_graphs.runs.registry import Runs
from rag_graphs.runs.runner import run
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
        gate=started.gate if started.stepping else None,
        clock=started.clock,
    )


def to_the_end(run: Run) -> list[RunEvent]:
    seen = 0
    while not run.ended:
        assert run.wait(seen, timeout=20), "the run said nothing for 20 seconds"
        seen = len(run.events())
    return run.events()
