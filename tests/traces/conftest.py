from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from rag_graphs.graphs.strategies import get_strategy
from rag_graphs.runs.runner import run
from rag_graphs.runs.trace import Trace
from rag_graphs.settings import Settings
from rag_graphs.store import Store
from tests.fakes import fake

ME, OTHER = "visitor-of-mine-with-a-cookie", "visitor-who-is-somebody-else"


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    opened = Store(tmp_path / "data")
    yield opened
    opened.close()


def recorded(key: str = "self-rag", question: str = "Why?", run_id: str = "", **scripted: object) -> Trace:
    """A run on fake components."""
    made = run(get_strategy(key), question, fake(**scripted), Settings(), run_id=run_id)  # type: ignore[arg-type]
    return Trace(list(made))


def keep(store: Store, trace: Trace, owner: str = ME) -> str:
    """Keep a run as a server does: event by event."""
    store.begin(trace.head, owner)
    for number, event in enumerate(trace.events):
        store.append(trace.head.run_id, number, [event])
    return trace.head.run_id
