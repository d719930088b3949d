"""Whatever the graders say, every run ends within its budgets, with a stop reason, and its trace can be read again."""

from __future__ import annotations

import json
from dataclasses import fields, replace
from functools import cache
from itertools import cycle
from typing import Any, get_args

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rag_graphs.errors import ServiceError
from rag_graphs.graphs.components import Components, Thought
from rag_graphs.graphs.state import StopReason, Turn
from rag_graphs.graphs.strategies import all_strategies, get_strategy
from rag_graphs.runs.runner import recursion_limit, run
from rag_graphs.runs.trace import Trace
from rag_graphs.settings import Settings
from tests.fakes import VARIANTS, fake
from tests.property.choices import Pick, every, picked

KEYS = list(VARIANTS)
GRAPHS = [v for v in VARIANTS if "conversing" not in v]
"""Walked through whole: a conversation only puts one node in front of them."""
WITHIN_ANOTHER = {"adaptive": "adaptive-direct", "self-rag-web, any irrelevant": "self-rag-web"}
"""Long walks whose every turn is a turn of another's: walked with --all only."""
BEFORE = [Turn(question="Does it rain?", answer="It does.")]


def at_length(key: str) -> Any:
    return pytest.param(key, marks=pytest.mark.rest) if key in WITHIN_ANOTHER else key


@cache  # a setting is validated in the time of half a run
def chosen_for(variant: str, **budgets: int) -> Settings:
    """These budgets, and the variant's own settings."""
    return Settings(**budgets).change(**VARIANTS[variant][1])


def asked(variant: str, components: Components, settings: Settings) -> Trace:
    key, _ = VARIANTS[variant]
    history = BEFORE if settings.conversing else []
    return Trace(list(run(get_strategy(key), "Why?", components, settings, history=history)))


CHOICES = st.lists(st.integers(0, 5), max_size=60)  # drawn beforehand: nodes run in threads of LangGraph's own


def following(choices: list[int]) -> Pick:
    """Picks by these numbers, in turn and round and round."""
    numbers = cycle(choices or [0])
    return lambda options: options[next(numbers) % len(options)]


def check(trace: Trace, chosen: Settings) -> None:
    """What holds for every run that nobody stopped and nothing broke."""
    state = trace.state
    assert trace.events[-1].kind == "run_finished", trace.error
    assert trace.stop_reason in set(get_args(StopReason)) - {"stopped", "failed"}
    assert len(trace.path) < recursion_limit(chosen)
    assert state.regenerations <= chosen.max_regenerations
    if "give_up" in {e.target for e in trace.edges} or "grade_answer" in trace.path:
        assert state.rewrites <= chosen.max_rewrites
    assert state.question == "Why?"
    assert state.searches <= chosen.max_searches
    assert state.steps <= chosen.max_steps
    assert len(state.chain) <= chosen.max_steps
    assert len(state.queries) <= 1 + state.rewrites + state.steps + bool(state.condensed)
    assert trace.text == state.answer != ""


@pytest.mark.parametrize("key", [at_length(key) for key in all_strategies()])
def test_every_sequence_of_verdicts_at_budgets_of_one(key: str) -> None:
    chosen = chosen_for(key, max_rewrites=1, max_regenerations=1, max_searches=1, max_steps=1)
    for trace in every(lambda pick: asked(key, picked(pick, verdicts_only=True), chosen)):
        check(trace, chosen)


@pytest.mark.parametrize("key", [at_length(key) for key in GRAPHS])
def test_every_sequence_of_verdicts_at_the_least_budgets(key: str) -> None:
    chosen = chosen_for(key, max_rewrites=0, max_regenerations=0, max_searches=1, max_steps=1)
    for trace in every(lambda pick: asked(key, picked(pick), chosen)):
        check(trace, chosen)


@settings(max_examples=120, deadline=None)
@given(choices=CHOICES, key=st.sampled_from(KEYS))
def test_sequences_at_random_at_the_default_budgets(choices: list[int], key: str) -> None:
    trace = asked(key, picked(following(choices)), chosen_for(key))
    check(trace, chosen_for(key))
    again = Trace.from_json(json.dumps(trace.to_json()))
    assert again.events == trace.events
    assert again.state == trace.state
    ends = [count for count, event in enumerate(trace.events, 1) if event.kind == "node_finished"]
    for count, visit in zip(ends, trace.visits, strict=True):
        running, done = trace.upto(count - 1), trace.upto(count)
        assert (running.state, running.active, running.visits[-1].after) == (visit.before, visit.node, None)
        assert (done.state, done.active, done.visits[-1].after) == (visit.after, "", visit.after)


@settings(max_examples=40, deadline=None)
@given(
    budgets=st.fixed_dictionaries(
        {
            **{name: st.integers(0, 10) for name in ("max_rewrites", "max_regenerations")},
            **{name: st.integers(1, 10) for name in ("max_searches", "max_steps")},
        }
    ),
    key=st.sampled_from(KEYS),
    useful=st.booleans(),
)
def test_the_longest_paths_stay_below_the_recursion_limit(budgets: dict[str, int], key: str, useful: bool) -> None:
    chosen = chosen_for(key, **budgets)
    # every attempt fails in turn by groundedness until that budget is spent, or by usefulness alone
    verdicts: list[Any] = (
        [(True, False)] if useful else [(False, None)] * budgets["max_regenerations"] + [(True, False)]
    )
    thoughts = [Thought(sentence=f"Next {n}.") for n in range(20)]
    components = fake(verdicts=verdicts, complexity="C", thoughts=thoughts)
    check(asked(key, components, chosen), chosen)


@settings(max_examples=100, deadline=None)
@given(
    key=st.sampled_from(KEYS),
    call=st.integers(1, 12),
    error=st.sampled_from(
        [ServiceError("The server refused the key."), KeyError("a bug"), RecursionError(), OSError()]
    ),
    choices=CHOICES,
)
def test_a_component_that_breaks_anywhere_leaves_a_partial_trace(
    key: str, call: int, error: Exception, choices: list[int]
) -> None:
    calls = {"made": 0}

    def breaking(component: Any) -> Any:
        def called(*given: Any) -> Any:
            calls["made"] += 1
            if calls["made"] == call:
                raise error
            return component(*given)

        return called

    whole = picked(following(choices))
    broken = replace(
        whole, **{f.name: breaking(getattr(whole, f.name)) for f in fields(whole) if callable(getattr(whole, f.name))}
    )
    trace = asked(key, broken, chosen_for(key))
    if calls["made"] < call:
        check(trace, chosen_for(key))
        return
    last = trace.events[-1]
    assert last.kind == "run_failed"
    assert trace.stop_reason == "failed"
    assert last.error == type(error).__name__
    known = isinstance(error, ServiceError)
    assert last.message == "The server refused the key." if known else "This is a bug" in last.message
    assert trace.path
    assert len(trace.path) == len(trace.visits) == sum(v.after is not None for v in trace.visits) + 1
    assert Trace.from_json(json.dumps(trace.to_json())).events == trace.events
