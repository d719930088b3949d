"""Every strategy, run on fakes: each outcome of each edge is taken, and the events tell the truth about the graph."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from random import Random
from typing import Any

import pytest
from langgraph.graph import StateGraph

from rag_graphs.errors import SearchUnavailable
from rag_graphs.graphs.components import Thought
from rag_graphs.graphs.outline import outline_of
from rag_graphs.graphs.outside import mistakes
from rag_graphs.graphs.state import Document, Draft, field_names
from rag_graphs.graphs.strategies import all_strategies, get_strategy
from rag_graphs.graphs.strategy import END, START
from rag_graphs.runs.events import ENDS
from rag_graphs.runs.runner import recursion_limit, run
from rag_graphs.runs.trace import Trace
from rag_graphs.settings import Settings
from tests.fakes import DOCS, HIT, OURS, fake, judged
from tests.property.choices import picked

YES, NO, UNCLEAR = [True, True, True, False], [False] * 4, [None] * 4
RETRIEVE, ANSWER = ["retrieve", "grade_documents"], ["generate", "grade_answer"]
AGAIN = ["rewrite_query", *RETRIEVE]


@dataclass(frozen=True)
class Case:
    """What the fakes say, and the path, the outcomes and the stop reason that must come of it."""

    strategy: str
    path: list[str]
    outcomes: list[str]
    reason: str
    fakes: dict[str, Any] = field(default_factory=dict)
    settings: dict[str, Any] = field(default_factory=dict)

    def __str__(self) -> str:
        return f"{self.strategy}: {', '.join(self.outcomes) or 'straight'}"


def unavailable(query: str) -> list[Document]:
    raise SearchUnavailable("The web search is switched off.")


def drafting(**judgements: Any) -> Any:
    return lambda question, documents: ((i, judged(d, **judgements)) for i, d in enumerate(documents))


def abstain(request: Any) -> Any:
    return iter([Draft(text="Not in these documents.", abstained=True)])


BUDGET_OF_ONE = {"max_rewrites": 1, "max_regenerations": 1}
SELF_RAG = [
    Case("self-rag", [*RETRIEVE, *ANSWER], ["some relevant", "useful"], "useful"),
    Case("self-rag", [*RETRIEVE, *ANSWER], ["some relevant", "not verified"], "not verified", {"verdicts": [(None, True)]}),
    Case("self-rag", [*RETRIEVE, *ANSWER], ["some relevant", "not verified"], "not verified", {"verdicts": [(True, None)]}),
    Case(
        "self-rag",
        [*RETRIEVE, *AGAIN, *ANSWER],
        ["none relevant", "some relevant", "useful"],
        "useful",
        {"relevant": [UNCLEAR, YES]},
    ),
    Case(
        "self-rag",
        [*RETRIEVE, *AGAIN * 3, "give_up"],
        ["none relevant"] * 3 + ["budget spent"],
        "no relevant documents",
        {"relevant": [NO]},
    ),
    Case(
        "self-rag",
        [*RETRIEVE, *ANSWER, *ANSWER],
        ["some relevant", "not grounded", "useful"],
        "useful",
        {"verdicts": [(False, True), (True, True)]},
    ),
    Case(
        "self-rag",
        [*RETRIEVE, *ANSWER * 3, "give_up"],
        ["some relevant", "not grounded", "not grounded", "budget spent"],
        "retry budget spent",
        {"verdicts": [(False, False)]},
    ),
    Case(
        "self-rag",
        [*RETRIEVE, *ANSWER, *AGAIN, *ANSWER],
        ["some relevant", "not useful", "some relevant", "useful"],
        "useful",
        {"verdicts": [(True, False), (True, True)]},
    ),
    Case(
        "self-rag",
        [*RETRIEVE, *ANSWER, *AGAIN, *ANSWER, "give_up"],
        ["some relevant", "not useful", "some relevant", "budget spent"],
        "retry budget spent",
        {"verdicts": [(True, False)]},
        BUDGET_OF_ONE,
    ),
    Case(
        "self-rag",
        [*RETRIEVE, *ANSWER, *AGAIN, "give_up"],
        ["some relevant", "not useful", "budget spent"],
        "retry budget spent",
        {"relevant": [YES, NO], "verdicts": [(True, False)]},
        BUDGET_OF_ONE,
    ),
    Case("self-rag", [*RETRIEVE, "give_up"], ["budget spent"], "no relevant documents", {"relevant": [NO]}, {"max_rewrites": 0}),
]  # fmt: skip
ADAPTIVE = [
    Case(
        "adaptive",
        ["route_question", *case.path],
        ["vectorstore", *case.outcomes],
        case.reason,
        case.fakes,
        case.settings,
    )
    for case in SELF_RAG
] + [
    Case(
        "adaptive",
        ["route_question", "search_web", *ANSWER],
        ["web search", "useful"],
        "useful",
        {"route": "web search"},
    ),
    Case(
        "adaptive",
        ["route_question", "search_web", *ANSWER, *AGAIN, *ANSWER],
        ["web search", "not useful", "some relevant", "useful"],
        "useful",
        {"route": "web search", "verdicts": [(True, False), (True, True)]},
    ),
    Case(
        "adaptive",
        ["route_question", "search_web", *ANSWER, *AGAIN, "give_up"],
        ["web search", "not useful", "budget spent"],
        "search unavailable",
        {
            "route": "web search",
            "search_web": unavailable,
            "generate": abstain,
            "verdicts": [(True, False)],
            "relevant": [NO],
        },
        BUDGET_OF_ONE,
    ),
]
CRAG_WEB = [*RETRIEVE, "rewrite_query", "search_web", "generate"]
OTHERS = [
    Case("naive", ["retrieve", "generate"], [], "answered"),
    Case("naive", ["retrieve", "generate"], [], "no relevant documents", {"generate": abstain}),
    Case("crag", [*RETRIEVE, "generate"], ["enough relevant"], "answered", {"relevant": [YES]}),
    Case("crag", CRAG_WEB, ["too few relevant"], "answered", {"relevant": [NO]}),
    Case("crag", CRAG_WEB, ["too few relevant"], "answered", {"retrieve": lambda query: []}),
    Case(
        "crag",
        CRAG_WEB,
        ["too few relevant"],
        "search unavailable",
        {"relevant": [NO], "search_web": unavailable, "generate": abstain},
    ),
    Case(
        "crag",
        CRAG_WEB,
        ["too few relevant"],
        "no relevant documents",
        {"relevant": [NO], "hits": [], "generate": abstain},
    ),
]
WEB = [*RETRIEVE, "search_web", *ANSWER]
SELF_RAG_WEB = [
    Case("self-rag-web", [*RETRIEVE, *ANSWER], ["some relevant", "useful"], "useful"),
    Case("self-rag-web", WEB, ["none relevant", "useful"], "useful", {"relevant": [NO]}),
    Case(
        "self-rag-web",
        WEB,
        ["none relevant", "not verified"],
        "not verified",
        {"relevant": [NO], "verdicts": [(None, True)]},
    ),
    Case(
        "self-rag-web",
        [*RETRIEVE, *ANSWER, *ANSWER],
        ["some relevant", "not grounded", "useful"],
        "useful",
        {"verdicts": [(False, True), (True, True)]},
    ),
    Case(
        "self-rag-web",
        [*RETRIEVE, *ANSWER, *["search_web", *ANSWER] * 2, "give_up"],
        ["some relevant", "not useful", "not useful", "budget spent"],
        "retry budget spent",
        {"verdicts": [(True, False)]},
    ),
]
DRAFTS = ["decide_retrieval", "retrieve", "draft_answers", "rank_drafts"]
CRITIQUE = [
    Case("self-rag-critique", DRAFTS, ["retrieve"], "useful"),
    Case("self-rag-critique", DRAFTS, ["retrieve"], "not verified", {"draft": drafting(support="no support")}),
    Case("self-rag-critique", DRAFTS, ["retrieve"], "not verified", {"draft": drafting(use="2")}),
    Case("self-rag-critique", DRAFTS, ["retrieve"], "no relevant documents", {"draft": drafting(relevant=False)}),
    Case("self-rag-critique", DRAFTS, ["retrieve"], "no relevant documents", {"draft": drafting(relevant=None)}),
    Case("self-rag-critique", DRAFTS, ["retrieve"], "no relevant documents", {"retrieve_many": lambda query, k: []}),
    Case(
        "self-rag-critique",
        ["decide_retrieval", "generate_directly"],
        ["no retrieval"],
        "from the model, without sources",
        {"retrieval": False},
    ),
]
CRAG_LOCAL = [
    Case("crag-local", [*RETRIEVE, "generate"], ["all relevant"], "answered", {"relevant": [[True] * 4]}),
    Case("crag-local", [*RETRIEVE, "search_web", "generate"], ["some irrelevant"], "answered", {"relevant": [YES]}),
    Case(
        "crag-local",
        [*RETRIEVE, "search_web", "generate"],
        ["some irrelevant"],
        "answered",
        {"relevant": [[True, True, True, None]]},
    ),
]
EVALUATED = ["retrieve", "evaluate_retrieval"]
REFINED_WEB = ["rewrite_query", "search_web", "refine_web", "generate"]
CRAG_REFINED = [
    Case("crag-refined", [*EVALUATED, "refine", "generate"], ["correct", "correct"], "answered"),
    Case(
        "crag-refined",
        [*EVALUATED, "refine", *REFINED_WEB],
        ["ambiguous", "ambiguous"],
        "answered",
        {"scores": [0.5, 0.1]},
    ),
    Case("crag-refined", [*EVALUATED, *REFINED_WEB], ["incorrect"], "answered", {"scores": [0.1]}),
    Case("crag-refined", [*EVALUATED, *REFINED_WEB], ["incorrect"], "answered", {"retrieve": lambda query: []}),
    Case(
        "crag-refined",
        [*EVALUATED, *REFINED_WEB],
        ["incorrect"],
        "search unavailable",
        {"scores": [0.1], "search_web": unavailable, "generate": abstain},
    ),
]
DIRECT = [
    Case(
        "adaptive-direct",
        ["route_question", "generate_directly"],
        ["no retrieval"],
        "from the model, without sources",
        {"route": "no retrieval"},
    ),
    *(replace(case, strategy="adaptive-direct") for case in ADAPTIVE),
]
ROUND = ["retrieve_more", "reason_step"]
GOING_ON = [Thought(sentence=f"Next {n}.") for n in range(12)]
COMPLEXITY = [
    Case(
        "adaptive-complexity",
        ["classify_complexity", "generate_directly"],
        ["A"],
        "from the model, without sources",
        {"complexity": "A"},
    ),
    Case("adaptive-complexity", ["classify_complexity", "retrieve", "generate"], ["B"], "answered"),
    Case(
        "adaptive-complexity",
        ["classify_complexity", *ROUND * 2, "generate"],
        ["C", "go on", "answer reached"],
        "answered",
        {"complexity": "C", "thoughts": [GOING_ON[0], Thought(sentence="So: 12.", final=True)]},
    ),
    Case(
        "adaptive-complexity",
        ["classify_complexity", *ROUND * 10, "generate"],
        ["C", *["go on"] * 9, "budget spent"],
        "answered",
        {"complexity": "C", "thoughts": GOING_ON},
    ),
    Case(
        "adaptive-complexity",
        ["classify_complexity", *ROUND, "generate"],
        ["C", "budget spent"],
        "answered",
        {"complexity": "C", "thoughts": GOING_ON},
        {"max_documents": 3},
    ),
    Case(
        "adaptive-complexity",
        ["classify_complexity", *ROUND * 2, "generate"],
        ["C", "go on", "answer reached"],
        "answered",
        {"complexity": "C", "thoughts": [GOING_ON[0]]},  # a sentence that was said already leads nowhere
    ),
]
GATE = [
    replace(case, path=["decide_retrieval", *case.path], outcomes=["retrieve", *case.outcomes], settings={"gate": gate})
    for case in SELF_RAG[:1]
    for gate in ("question", "attempt")
] + [
    Case(
        "self-rag",
        ["decide_retrieval", "generate_directly"],
        ["no retrieval"],
        "from the model, without sources",
        {"retrieval": False},
        {"gate": gate},
    )
    for gate in ("question", "attempt")
]
ANY_IRRELEVANT = [
    replace(
        case,
        path=path,
        outcomes=[outcome, "useful"],
        fakes={"relevant": [grades]},
        settings={"search_when": "any irrelevant"},
    )
    for case, outcome, grades, path in (
        (SELF_RAG_WEB[0], "all relevant", [True] * 4, [*RETRIEVE, *ANSWER]),
        (SELF_RAG_WEB[1], "some irrelevant", YES, WEB),
    )
]
CASES = [*SELF_RAG, *ADAPTIVE, *OTHERS, *SELF_RAG_WEB, *CRITIQUE, *CRAG_LOCAL, *CRAG_REFINED, *DIRECT, *COMPLEXITY]
OTHER_GRAPHS = [*GATE, *ANY_IRRELEVANT]
"""Graphs that settings make of the same strategies."""


def trace_of(case: Case) -> Trace:
    events = run(get_strategy(case.strategy), "Why?", fake(**case.fakes), Settings(**case.settings))
    return Trace(list(events))


@pytest.fixture(scope="module")
def traces() -> dict[str, list[Trace]]:
    """Every case's trace, by strategy. A strategy without a case of its own is walked."""
    found: dict[str, list[Trace]] = {key: [] for key in all_strategies()}
    for case in CASES:
        found[case.strategy].append(trace_of(case))
    return {key: own or list(walks(key)) for key, own in found.items()}


def edges_of(key: str) -> set[tuple[str, str, str]]:
    return {(e.source, e.outcome, e.target) for e in outline_of(get_strategy(key), Settings()).edges}


def edges_taken(trace: Trace) -> set[tuple[str, str, str]]:
    return {(e.source, e.outcome, e.target) for e in trace.edges}


def walks(key: str) -> Iterator[Trace]:
    """Runs that each take an edge which none before has taken, until all are taken: the components say whatever the dice say,
    the same at each time, a few thousand runs long."""
    left = edges_of(key)
    for seed in range(3000):
        dice = Random(seed)
        budgets = dict.fromkeys(("max_rewrites", "max_regenerations", "max_searches", "max_steps"), 1 + seed % 2)
        components = picked(dice.choice)
        if dice.random() < 0.5:
            components = replace(components, grade_relevance=fake(relevant=[[dice.random() < 0.5]]).grade_relevance)
        trace = Trace(list(run(get_strategy(key), "Why?", components, Settings().change(**budgets))))
        if left & edges_taken(trace):
            yield trace
            left -= edges_taken(trace)
        if not left:
            return


@pytest.mark.parametrize("case", [*CASES, *OTHER_GRAPHS], ids=str)
def test_a_case(case: Case) -> None:
    trace = trace_of(case)
    assert trace.path == case.path
    assert [e.outcome for e in trace.edges if e.outcome] == case.outcomes
    assert trace.stop_reason == case.reason
    assert trace.state.question == "Why?"
    assert trace.text


@pytest.mark.parametrize("key", all_strategies())
class TestEachStrategy:
    def test_every_edge_is_taken_by_some_case(self, key: str, traces: dict[str, list[Trace]]) -> None:
        assert set().union(*map(edges_taken, traces[key])) == edges_of(key)

    def test_edges_lead_from_node_to_node(self, key: str, traces: dict[str, list[Trace]]) -> None:
        for trace in traces[key]:
            assert [e.source for e in trace.edges] == [START, *trace.path]
            assert [e.target for e in trace.edges] == [*trace.path, END]

    def test_events_are_in_order(self, key: str, traces: dict[str, list[Trace]]) -> None:
        for trace in traces[key]:
            times = [e.at for e in trace.events]
            assert times == sorted(times)
            assert [e.kind in ENDS for e in trace.events] == [False] * (len(trace) - 1) + [True]
            attempts = Counter[str]()
            for event in trace.events:
                if event.kind == "node_started":
                    attempts[event.node] += 1
                if event.node:
                    assert event.attempt == attempts[event.node]

    def test_nodes_return_declared_fields_only(self, key: str, traces: dict[str, list[Trace]]) -> None:
        for trace in traces[key]:
            for event in trace.events:
                if event.kind == "node_finished":
                    assert set(event.update) <= field_names() - {"question"}

    def test_the_trace_survives_json_with_every_state(self, key: str, traces: dict[str, list[Trace]]) -> None:
        for trace in traces[key]:
            again = Trace.from_json(json.dumps(trace.to_json()))
            assert again.events == trace.events
            assert [v.after for v in again.visits] == [v.after for v in trace.visits]

    def test_its_description_fits_its_graph(self, key: str, traces: dict[str, list[Trace]]) -> None:
        strategy = get_strategy(key)
        assert list(mistakes(strategy, Settings())) == []
        if strategy.happy_path:
            assert (strategy.happy_path[0], strategy.happy_path[-1]) == (START, END)
        assert all((strategy.summary, strategy.strengths, strategy.limits, strategy.simplifies, strategy.source.url))

    def test_every_conditional_edge_has_its_table_of_outcomes(self, key: str, traces: dict[str, list[Trace]]) -> None:
        graph: StateGraph[Any] = get_strategy(key).build(fake(), Settings())
        plain = {source for source, _ in graph.edges}
        for source, branches in graph.branches.items():
            assert len(branches) == 1, "one conditional edge a node, so that the outcome taken is known"
            assert source not in plain, "no plain edge beside a conditional one"
            assert all(branch.ends for branch in branches.values())
        assert all(len([1 for s, _ in graph.edges if s == source]) == 1 for source in plain), "no parallel branches"

    def test_drawing_needs_no_component(self, key: str, traces: dict[str, list[Trace]]) -> None:
        strategy = get_strategy(key)
        assert outline_of(strategy, Settings()) == outline_of(strategy, Settings(max_rewrites=1, web="off"))


def test_the_strategies_are_found_in_their_order() -> None:
    assert [key for key in all_strategies() if key in OURS] == list(OURS)


@pytest.mark.parametrize("key", OURS)
def test_a_strategy_without_cases_is_walked_along_every_edge(key: str) -> None:
    assert set().union(*map(edges_taken, walks(key))) == edges_of(key)


def test_a_question_the_library_cannot_answer_shows_every_query() -> None:
    trace = trace_of(SELF_RAG[4])
    assert trace.queries == ["Why?", "Why? (1)", "Why? (2)", "Why? (3)"]
    assert trace.state.seen
    assert not trace.state.documents


def test_giving_up_falls_back_on_the_best_attempt() -> None:
    trace = trace_of(SELF_RAG[6])
    assert trace.text == "Gave up. Best: An answer. [1]"
    assert trace.state.answers[-1].documents == DOCS[:3][:1]


def test_web_hits_are_told_from_the_library() -> None:
    trace = trace_of(next(c for c in OTHERS if c.path == CRAG_WEB))
    assert [d.origin for d in trace.state.documents] == ["web"]
    assert HIT in [s.document for s in trace.state.seen]


def test_the_recursion_limit_lies_above_the_longest_legal_path() -> None:
    for case in CASES:
        assert len(case.path) < recursion_limit(Settings(**case.settings))


def test_closing_a_run_ends_it() -> None:
    asked: list[str] = []

    def search(query: str) -> list[Document]:
        asked.append(query)
        return DOCS

    events = run(get_strategy("self-rag"), "Why?", fake(relevant=[NO], retrieve=search), Settings())
    while next(events).kind != "node_started":
        pass
    next(events)
    events.close()  # type: ignore[attr-defined]
    assert asked == ["Why?"]
