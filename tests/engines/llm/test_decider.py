"""What comes before any retrieval: the three routes, whether to retrieve at all, and how complex a question is."""

from __future__ import annotations

import json
from typing import Any

import pytest

from rag_graphs.engines.llm.decider import read_complexity
from rag_graphs.engines.llm.router import read_route
from rag_graphs.graphs.state import Complexity, Decision, Route
from tests.engines.llm.conftest import Start, ask, components_for, settings_for
from tests.servers.script import Say

PROTOCOLS = ["openai", "ollama"]


@pytest.mark.parametrize(
    ("reply", "target"),
    [
        ('{"route": "no_retrieval", "reason": "a greeting, no web needed"}', "no retrieval"),
        ('{"route": "vectorstore", "reason": "it holds documents on it"}', "vectorstore"),
        ('{"route": "web_search", "reason": "not in the library"}', "web search"),
        ("no_retrieval", "no retrieval"),
        ("No retrieval: it is a greeting.", "no retrieval"),
        ("None. It can be answered directly.", "no retrieval"),
        ("No documents are needed.", "no retrieval"),
        ("Answer directly", "no retrieval"),
        ("<think>web?</think> no-retrieval", "no retrieval"),
        ("vectorstore", "vectorstore"),
        ("Search the web.", "web search"),
        ("the library or nowhere", None),
        ("no_retrieval, vectorstore or web_search", None),
        ('{"route": "no_retrieval|vectorstore|web_search"}', None),
        ("hello", None),
        ("", None),
    ],
)
def test_one_of_three_routes_is_read_as(reply: str, target: str | None) -> None:
    assert read_route(reply, third=True)[0] == target


def test_the_third_route_is_none_where_a_graph_has_two() -> None:
    assert read_route("no_retrieval")[0] is None
    assert read_route('{"route": "no_retrieval", "reason": "a greeting"}')[0] is None


@pytest.mark.parametrize("protocol", PROTOCOLS)
def test_an_unreadable_third_route_is_asked_once_more_by_its_names(start: Start, protocol: str) -> None:
    server = start(protocol, {"route": ["hm", "no_retrieval"]})
    route = components_for(settings_for(server)).route_direct("Hello")

    assert route == Route(target="no retrieval")
    again = server.requests[-1].body["messages"][-1]["content"]
    assert again.endswith("Reply with one word and nothing else: no_retrieval or vectorstore or web_search.")
    assert "Collection: Model railways." in again
    lost = components_for(settings_for(start(protocol, {"route": "?"}))).route_direct("Hello")
    assert (lost.target, bool(lost.error)) == ("vectorstore", True)


DECISIONS: list[tuple[Any, bool, float | None]] = [
    (True, True, None),
    (False, False, None),
    (Say(True, p_yes=0.9), True, 0.9),
    (Say(False, p_yes=0.3), False, 0.3),
    ('{"score": "no", "reason": "a greeting"}', False, None),
    ("Ja, das muss nachgeschlagen werden.", True, None),
    ("<think>yes?</think>No.", False, None),
]


@pytest.mark.parametrize("protocol", PROTOCOLS)
@pytest.mark.parametrize(("reply", "retrieve", "probability"), DECISIONS, ids=[str(d[0])[:20] for d in DECISIONS])
@pytest.mark.parametrize("attempt", ["", "It is 12 mm."])
def test_a_decision_and_its_probability(
    start: Start, protocol: str, reply: Any, retrieve: bool, probability: float | None, attempt: str
) -> None:
    server = start(protocol, {"decide_retrieval": reply})
    decision = components_for(settings_for(server)).decide_retrieval("How wide?", attempt)

    assert decision.retrieve is retrieve
    assert decision.probability == (None if probability is None else pytest.approx(probability))
    assert decision.error == ""
    (request,) = server.requests
    assert ("It is 12 mm." in request.body["messages"][-1]["content"]) is bool(attempt)
    assert ("from memory" in request.body["messages"][0]["content"]) is bool(attempt)


@pytest.mark.parametrize("protocol", PROTOCOLS)
def test_an_unreadable_decision_retrieves_and_says_so(start: Start, protocol: str) -> None:
    assert components_for(settings_for(start(protocol, {"decide_retrieval": ["maybe", "no"]}))).decide_retrieval(
        "Why?", ""
    ) == Decision(retrieve=False)
    trace = ask("self-rag-critique", start(protocol, {"decide_retrieval": "perhaps"}))

    assert trace.path[:2] == ["decide_retrieval", "retrieve"]
    assert any("so documents are retrieved" in w and "perhaps" in w for w in trace.warnings)
    assert [e.role for e in trace.events if e.kind == "model_called"][:2] == ["decide_retrieval"] * 2


@pytest.mark.parametrize(
    ("p_yes", "path"), [(0.21, "retrieve"), (0.2, "generate_directly"), (0.19, "generate_directly")]
)
def test_retrieval_is_decided_by_its_probability_over_the_threshold(start: Start, p_yes: float, path: str) -> None:
    trace = ask("self-rag-critique", start("openai", {"decide_retrieval": Say(False, p_yes=p_yes)}))

    assert trace.path[1] == path
    assert trace.state.decision
    assert trace.state.decision.probability == pytest.approx(p_yes)


@pytest.mark.parametrize(
    ("reply", "label", "reason"),
    [
        ('{"complexity": "A", "reason": "a greeting"}', "A", "a greeting"),
        ('{"complexity": "B", "reason": "one  passage"}', "B", "one passage"),
        ("{'Complexity': 'C', 'reason': 'two facts'}", "C", "two facts"),
        ('{"class": "C"}', "C", ""),
        ('{"complexity": "B: one search", "reason": "x"}', "B", "x"),
        ('```json\n{"complexity": "C"}\n```', "C", ""),
        ('{"complexity": "C", "reason": "it was cut sh', "C", ""),
        ("B", "B", ""),
        (" **C** ", "C", ""),
        ("(A)", "A", ""),
        ("B. One search will do.", "B", ""),
        ("C - several searches", "C", ""),
        ("A: none", "A", ""),
        ("<think>A or B? C?</think>B", "B", ""),
        ("Complexity: C\nReason: two facts", "C", "two facts"),
        ("The complexity is B.", "B", ""),
        ("I would choose class C here.", "C", ""),
        ("It takes two searches.\nC", "C", ""),
    ],
)
def test_a_class_is_read_as(reply: str, label: str, reason: str) -> None:
    assert read_complexity(reply) == (label, reason)


@pytest.mark.parametrize(
    "reply",
    [
        *("", "{}", "null", "D", "abc", "a", "none"),
        "A question of this kind needs one search.",
        "A simple question.",
        "A, B or C",
        "A or B",
        "B/C",
        '{"complexity": "A|B|C"}',
        '{"complexity": ""}',
        '{"complexity": "A single search"}',
        "Class A? No, class B.",
        "<think>B",
        "{" * 10_000,
        "class " * 10_000,
    ],
)
def test_no_class_is_read_out_of(reply: str) -> None:
    assert read_complexity(reply) is None


@pytest.mark.parametrize("protocol", PROTOCOLS)
def test_an_unreadable_class_is_one_search_and_says_so(start: Start, protocol: str) -> None:
    replies = {"classify_complexity": ["A question of one search", "C"]}
    assert components_for(settings_for(start(protocol, replies))).classify("Why?") == Complexity(label="C")
    trace = ask("adaptive-complexity", start(protocol, {"classify_complexity": "a hard one"}))

    assert trace.path == ["classify_complexity", "retrieve", "generate"]
    assert any("one search is made" in w and "a hard one" in w for w in trace.warnings)


def test_a_reason_is_bounded() -> None:
    found = read_complexity(json.dumps({"complexity": "B", "reason": "so " * 1_000}))

    assert found
    assert len(found[1]) <= 300
