"""Forks: the child repeats its parent up to the fork, asks only for what comes after, and ends like its parent when
nothing was changed."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rag_graphs.errors import SettingsError
from rag_graphs.graphs.components import Components
from rag_graphs.graphs.state import Turn
from rag_graphs.graphs.strategies import get_strategy
from rag_graphs.graphs.updates import graded
from rag_graphs.runs.events import RunEvent
from rag_graphs.runs.runner import ForkRequest, fork, run
from rag_graphs.runs.trace import Trace
from rag_graphs.settings import Settings
from tests.fakes import VARIANTS, fake, relevance
from tests.property.choices import picked

KEYS = list(VARIANTS)
CHOICES = st.lists(st.integers(0, 5), max_size=60)


class Script:
    """Takes the given choices, then the first; tells how many it has taken."""

    def __init__(self, choices: Sequence[int]) -> None:
        self.choices, self.taken = list(choices), 0

    def __call__(self, options: Sequence[Any]) -> Any:
        place, self.taken = self.taken, self.taken + 1
        return options[self.choices[place] % len(options) if place < len(self.choices) else 0]


def parent_and_marks(variant: str, choices: list[int]) -> tuple[Trace, list[int]]:
    """A run, and how many choices were taken when each node had finished."""
    script, marks, events = Script(choices), [], []
    key, own = VARIANTS[variant]
    for event in run(get_strategy(key), "Why?", picked(script), Settings(**own), history=history_for(own)):
        events.append(event)
        if event.kind == "node_finished":
            marks.append(script.taken)
    return Trace(events), marks


def history_for(own: dict[str, Any]) -> list[Turn]:
    return [Turn(question="Does it rain?", answer="It does.")] if own.get("conversing") else []


def forked(parent: Trace, at: int, key: str, components: Components, **more: Any) -> Iterator[RunEvent]:
    """The events of a fork; on the default settings, and without a change, unless there are `more`."""
    more = {"settings": Settings(), **more}
    return fork(ForkRequest(parent=parent, at=at, strategy=get_strategy(key), components=components, **more))


def shape(trace: Trace) -> list[tuple[str, str, str]]:
    return [(e.source, e.outcome, e.target) for e in trace.edges]


@pytest.mark.parametrize("variant", KEYS)
@settings(max_examples=12, deadline=None)
@given(choices=CHOICES, where=st.integers(-1, 30))
def test_a_fork_that_changes_nothing_ends_like_its_parent(variant: str, choices: list[int], where: int) -> None:
    parent, marks = parent_and_marks(variant, choices)
    key, own = VARIANTS[variant]
    at = min(where, len(parent.visits) - 1)
    taken = marks[at] if at >= 0 else 0
    rest = Script(choices[taken:])
    child = Trace(list(forked(parent, at, key, picked(rest), settings=Settings(**own))))
    assert shape(child) == shape(parent)
    assert child.state == parent.state
    assert child.stop_reason == parent.stop_reason
    assert child.head.parent == parent.head.run_id
    prefix = child.head.forked_at
    assert list(child.events[1 : 1 + prefix]) == list(parent.events[1 : 1 + prefix])
    assert rest.taken == marks[-1] - taken
    assert [e.attempt for e in child.events] == [e.attempt for e in parent.events]
    assert Trace.from_json(child.to_json()).events == child.events


@pytest.mark.parametrize("key", ["self-rag", "crag", "adaptive"])
def test_flipping_a_grade_takes_the_other_edge(key: str) -> None:
    parent = Trace(list(run(get_strategy(key), "Why?", fake(relevant=[[False]]), Settings())))
    at = parent.path.index("grade_documents")
    state = parent.visits[at].after
    assert state is not None
    flipped = graded(state, [relevance(True) for _ in state.retrieved], keep_unclear=False)
    child = Trace(list(forked(parent, at, key, fake(), change=flipped)))
    assert "rewrite_query" not in child.path
    assert len(child.state.answers[-1].documents) == 4
    assert child.path[: at + 1] == parent.path[: at + 1]


def test_a_fork_of_a_fork() -> None:
    parent = Trace(list(run(get_strategy("self-rag"), "Why?", fake(relevant=[[False]]), Settings())))
    child = Trace(list(forked(parent, 0, "self-rag", fake())))
    grandchild = Trace(list(forked(child, 1, "self-rag", fake())))
    assert grandchild.head.parent == child.head.run_id
    assert grandchild.path == child.path
    assert grandchild.stop_reason == "useful"


def test_a_fork_asks_only_for_what_comes_after() -> None:
    asked: Counter[str] = Counter()

    def counting(components: Components) -> Components:
        def counted(name: str) -> Any:
            original = getattr(components, name)

            def ask(*given: Any) -> Any:
                asked[name] += 1
                return original(*given)

            return ask

        names = ("retrieve", "grade_relevance", "generate", "grade_answer")
        return replace(components, **{name: counted(name) for name in names})

    parent = Trace(list(run(get_strategy("self-rag"), "Why?", fake(), Settings())))
    child = Trace(list(forked(parent, 1, "self-rag", counting(fake()))))
    assert child.path == parent.path
    assert asked == {"generate": 1, "grade_answer": 1}


@pytest.mark.parametrize("at", [-2, 4, 99])
def test_there_is_nothing_to_fork_from_elsewhere(at: int) -> None:
    parent = Trace(list(run(get_strategy("self-rag"), "Why?", fake(), Settings())))
    with pytest.raises(SettingsError, match="4 nodes"):
        forked(parent, at, "self-rag", fake())
