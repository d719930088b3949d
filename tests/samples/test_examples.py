"""Every suggested question takes the path that it promises, on the real built-in engine and the sample library; together
they take every outcome of every edge of every strategy, but for the few that are named here."""

from __future__ import annotations

from dataclasses import replace

import pytest

from rag_graphs.graphs.outline import outline_of
from rag_graphs.graphs.strategies import all_strategies, get_strategy
from rag_graphs.graphs.strategy import Example, Strategy
from rag_graphs.library import Library, LoadedSource
from rag_graphs.runs.trace import Trace
from rag_graphs.samples import collections, suggestions
from tests.fakes import OURS
from tests.samples.conftest import RunExample, defaults

UNREACHABLE = {"not verified"}
"""The built-in graders always give a verdict. Tests with fake components take this outcome."""

STRATEGIES = list(all_strategies().values())
EXAMPLES = [pytest.param(s, e, id=f"{s.key}: {e.question}") for s in STRATEGIES for e in s.examples]
EACH_EXAMPLE = pytest.mark.parametrize(("strategy", "example"), EXAMPLES)
EACH_STRATEGY = pytest.mark.parametrize("strategy", [s for s in STRATEGIES if s.examples], ids=lambda s: s.key)


def example_of(strategy: str, question: str) -> Example:
    return next(e for e in get_strategy(strategy).examples if e.question == question)


def relevant(trace: Trace) -> list[bool | None]:
    """The verdicts of the first round of grading."""
    graded = next(v for v in trace.visits if v.node == "grade_documents")
    assert graded.after is not None
    return [g.passed for g in graded.after.relevance]


@EACH_EXAMPLE
def test_an_example_takes_its_path(strategy: Strategy, example: Example, run_example: RunExample) -> None:
    trace = run_example(strategy.key, example)
    assert tuple(trace.path) == example.path
    assert trace.stop_reason == example.stop_reason


@pytest.mark.matrix("strategy")
@EACH_EXAMPLE
def test_an_example_takes_its_path_with_the_whole_library_loaded(
    strategy: Strategy, example: Example, run_example: RunExample
) -> None:
    trace = run_example(strategy.key, replace(example, collections=tuple(collections())))
    assert tuple(trace.path) == example.path
    assert trace.stop_reason == example.stop_reason


@EACH_EXAMPLE
def test_an_example_is_described(strategy: Strategy, example: Example) -> None:
    assert set(example.collections) <= set(collections())
    assert example.shows.endswith(".")
    assert len(example.shows) <= 140
    defaults().change(**dict(example.settings))


def test_each_strategy_of_ours_has_examples() -> None:
    assert all(get_strategy(key).examples for key in OURS)


@EACH_STRATEGY
def test_a_strategy_has_several_examples_in_several_languages(strategy: Strategy) -> None:
    assert 5 <= len(strategy.examples) <= 12
    assert len({collections()[e.collections[0]].language for e in strategy.examples}) >= 2


@EACH_STRATEGY
def test_the_examples_take_every_outcome_of_every_edge(strategy: Strategy, run_example: RunExample) -> None:
    taken = {
        (edge.source, edge.outcome, edge.target)
        for example in strategy.examples
        for edge in run_example(strategy.key, example).edges
    }
    drawn = {
        (e.source, e.outcome, e.target) for e in outline_of(strategy, defaults()).edges if e.outcome not in UNREACHABLE
    }
    assert drawn - taken == set()


def test_which_embeddings_the_examples_run_on(library: Library, sources: dict[str, list[LoadedSource]]) -> None:
    """The paths above were found on these. MiniLM reads English only; Korean needs the multilingual model."""
    used = {key: {library.embedder_for(s, defaults()) for s in loaded} for key, loaded in sources.items()}
    assert used == {
        "relationships": {"minilm", "e5"},  # one page is in Dutch
        "language-models": {"minilm", "e5"},  # one page is in Spanish, one in Chinese
        "langgraph-ko": {"e5"},
        "baseball-ko": {"e5"},
        "baseball-es": {"e5"},
    }


def test_published_self_rag_finds_some_of_four_relevant(run_example: RunExample) -> None:
    verdicts = relevant(run_example("self-rag", example_of("self-rag", "How to improve relationships")))
    assert len(verdicts) == 4
    assert 1 <= verdicts.count(True) <= 3


def test_published_self_rag_gives_up_on_the_kitchen_after_three_rewrites(run_example: RunExample) -> None:
    trace = run_example("self-rag", example_of("self-rag", "How to cook a bagel?"))
    assert len(set(trace.state.queries)) == 4
    assert trace.stop_reason == "no relevant documents"


def test_published_crag_finds_enough_of_four_relevant(run_example: RunExample) -> None:
    verdicts = relevant(run_example("crag", example_of("crag", "What's the bagel method?")))
    assert verdicts.count(True) / len(verdicts) > 0.7


def test_published_crag_finds_none_of_four_relevant_and_answers_from_the_web(run_example: RunExample) -> None:
    trace = run_example("crag", example_of("crag", "What is prompt engineering?"))
    assert relevant(trace) == [False] * 4
    assert {d.origin for d in trace.state.answers[-1].documents} == {"web"}
    assert "[1]" in trace.state.answer


def test_published_adaptive_finds_four_of_four_relevant(run_example: RunExample) -> None:
    trace = run_example("adaptive", example_of("adaptive", "랭그래프에서 fan in, fan out의 의미"))
    assert relevant(trace) == [True] * 4
    assert "[1]" in trace.state.answer


def test_published_adaptive_sends_the_footballer_to_the_web(run_example: RunExample) -> None:
    trace = run_example("adaptive", example_of("adaptive", "손흥민의 이번 시즌 공격 포인트"))
    assert {d.origin for d in trace.state.answers[-1].documents} == {"web"}


def test_a_rewrite_can_rescue_a_search(run_example: RunExample) -> None:
    """In some example nothing was relevant at first, and something was after a rewrite."""
    traces = [run_example("self-rag", e) for e in get_strategy("self-rag").examples]
    rounds = [[len(v.after.documents) for v in t.visits if v.node == "grade_documents" and v.after] for t in traces]
    assert any(counts[0] == 0 and any(counts[1:]) for counts in rounds)


def test_suggestions_fit_the_loaded_library() -> None:
    strategy = get_strategy("self-rag")
    assert suggestions(strategy, []) == []
    fitting = suggestions(strategy, ["relationships", "baseball-ko"])
    assert fitting
    assert all(set(e.collections) <= {"relationships", "baseball-ko"} for e in fitting)


def test_suggestions_for_one_collection_keep_their_order() -> None:
    strategy = get_strategy("self-rag")
    own = [e for e in strategy.examples if e.collections == ("relationships",)]
    assert suggestions(strategy, ["relationships"]) == own


@EACH_STRATEGY
def test_the_first_suggestions_show_each_collection_that_has_any(strategy: Strategy) -> None:
    everything = suggestions(strategy, list(collections()))
    kinds = {e.collections for e in strategy.examples}
    assert {e.collections for e in everything[: len(kinds)]} == kinds
    assert sorted(e.question for e in everything) == sorted(e.question for e in strategy.examples)
