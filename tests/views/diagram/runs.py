"""Traces of runs with fake components, for drawing, and other words on the drawings."""

from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import pytest

from rag_graphs.graphs.strategies import get_strategy
from rag_graphs.runs.events import RunStopped
from rag_graphs.runs.runner import run
from rag_graphs.runs.trace import Trace
from rag_graphs.settings import Settings
from rag_graphs.views import diagram, translation
from tests.fakes import fake

NONE_RELEVANT = [[False, False, False, False]]


def trace(key: str, **verdicts: Any) -> Trace:
    return Trace(list(run(get_strategy(key), "How?", fake(**verdicts), Settings())))


def during(whole: Trace, node: str, attempt: int = 1) -> Trace:
    """What was known right after a node started."""
    for count, event in enumerate(whole.events, 1):
        if event.kind == "node_started" and (event.node, event.attempt) == (node, attempt):
            return whole.upto(count)
    raise AssertionError(f"{node} never started")


def stopped(part: Trace) -> Trace:
    """A run that was stopped at this point."""
    return Trace([*part.events, RunStopped(at=part.seconds)])


def translate(monkeypatch: pytest.MonkeyPatch, words: Callable[[str], str]) -> None:
    """Show every text as `words` has it, and forget the shapes that were made with other words."""
    monkeypatch.setattr(translation, "_translations", lambda: SimpleNamespace(gettext=words))
    monkeypatch.setattr(diagram, "_SHAPES", {})
