from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest

from rag_graphs.graphs.components import Components
from rag_graphs.graphs.state import Rewrite, Turn
from rag_graphs.graphs.strategies import get_strategy
from rag_graphs.runs.runner import run
from rag_graphs.runs.trace import Trace
from rag_graphs.settings import Settings
from rag_graphs.store import Store
from rag_graphs.workspace.workspace import Workspace
from tests.fakes import fake

ME, OTHER = "visitor-of-mine-with-a-cookie", "visitor-who-is-somebody-else"
FIRST = "What is the bagel method?"
FOLLOW_UP = "And how long does it take?"
ALONE = "How long does the bagel method take?"
TURN = Turn(question=FIRST, answer="Two rings and a hole.")


def condense(question: str, history: list[Turn]) -> Rewrite:
    """Only the one follow-up says too little."""
    return Rewrite(query=ALONE if question == FOLLOW_UP and history else question)


def talking(**others: Any) -> Components:
    """Fake components that understand the follow-up."""
    return fake(**{"condense": condense, **others})


def recorded(
    question: str = FIRST,
    history: Sequence[Turn] = (),
    *,
    strategy: str = "self-rag",
    run_id: str = "r1",
    conversation: str = "",
    components: Components | None = None,
    **settings: Any,
) -> Trace:
    """A run of a conversation on fake components."""
    chosen = Settings(conversing=bool(history), **settings)
    told: dict[str, Any] = {"history": history, "conversation": conversation, "run_id": run_id}
    return Trace(list(run(get_strategy(strategy), question, components or talking(), chosen, **told)))


def keep(store: Store, trace: Trace, owner: str = ME) -> str:
    """Keep a run as a server does: event by event."""
    store.begin(trace.head, owner)
    for number, event in enumerate(trace.events):
        store.append(trace.head.run_id, number, [event])
    return trace.head.run_id


@pytest.fixture
def workspace(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Workspace]:
    """A workspace whose runs are made by fakes."""
    monkeypatch.setattr("rag_graphs.engines.build.build_components", lambda *_: talking())
    opened = Workspace(tmp_path)
    yield opened
    opened.store.close()


@pytest.fixture
def store(workspace: Workspace) -> Store:
    return workspace.store
