"""Each strategy over each protocol, with verdicts by schema, in JSON mode and in words: path, grades and usage are those
that the server scripted, over real HTTP and through the real clients."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import Any

import pytest

from rag_graphs.engines.llm.abilities import MEMORY
from rag_graphs.engines.llm.providers import service_of
from rag_graphs.runs.trace import Trace
from tests.engines.llm.conftest import Start, ask, settings_for
from tests.servers.script import USAGE, Say, draft_says

FORMS: dict[str, dict[str, frozenset[str]]] = {
    "openai": {
        "schema": frozenset({"json_schema", "json_object"}),
        "json": frozenset({"json_object"}),
        "words": frozenset(),
    },
    "ollama": {"schema": frozenset({"schema", "json"}), "json": frozenset({"json"}), "words": frozenset()},
}
WAYS = [(protocol, form) for protocol, forms in FORMS.items() for form in forms]


@dataclass(frozen=True)
class Case:
    """What the model says, and what must come of it. `calls`: model calls by role."""

    strategy: str
    path: list[str]
    reason: str
    calls: dict[str, int]
    replies: dict[str, Any] = field(default_factory=dict)
    settings: dict[str, Any] = field(default_factory=dict)

    def __str__(self) -> str:
        return f"{self.strategy}: {self.reason}"


GRADED = {"grade_relevance": 4, "generate": 1}
CHECKED = {**GRADED, "grade_groundedness": 1, "grade_usefulness": 1}
ANSWER = ["generate", "grade_answer"]
RETRIEVED = ["decide_retrieval", "retrieve"]
REFINED = ["retrieve", "evaluate_retrieval", "refine"]
WEB = ["rewrite_query", "search_web", "refine_web"]
CHAIN = ["retrieve_more", "reason_step"]
KNOWN = "from the model, without sources"
FURTHER = [
    Case("self-rag-web", ["retrieve", "grade_documents", *ANSWER], "useful", CHECKED),
    Case(
        "self-rag-web",
        ["retrieve", "grade_documents", "search_web", *ANSWER],
        "useful",
        CHECKED,
        {"grade_relevance": False},
    ),
    Case(
        "self-rag",
        [*RETRIEVED, "grade_documents", *ANSWER],
        "useful",
        {**CHECKED, "decide_retrieval": 1},
        settings={"gate": "question"},
    ),
    Case(
        "self-rag",
        ["decide_retrieval", "generate_directly"],
        KNOWN,
        {"decide_retrieval": 1, "generate_directly": 1},
        {"decide_retrieval": False},
        {"gate": "question"},
    ),
    Case(
        "self-rag",
        ["decide_retrieval", "generate_directly"],
        KNOWN,
        {"decide_retrieval": 1, "generate_directly": 1},
        {"decide_retrieval": False},
        {"gate": "attempt"},
    ),
    Case(
        "self-rag",
        [*RETRIEVED, "grade_documents", *ANSWER],
        "useful",
        {**CHECKED, "generate_directly": 1},
        {"generate_directly": "NOT_FOUND I am not sure."},
        {"gate": "attempt"},
    ),
    Case(
        "self-rag-critique",
        [*RETRIEVED, "draft_answers", "rank_drafts"],
        "useful",
        {"decide_retrieval": 1, "draft": 4},
    ),
    Case(
        "self-rag-critique",
        ["decide_retrieval", "generate_directly"],
        KNOWN,
        {"decide_retrieval": 1, "generate_directly": 1},
        {"decide_retrieval": Say(False, p_yes=0.2)},
    ),
    Case(
        "self-rag-critique",
        [*RETRIEVED, "draft_answers", "rank_drafts"],
        "no relevant documents",
        {"decide_retrieval": 1, "draft": 4},
        {"decide_retrieval": Say(False, p_yes=0.21), "draft": draft_says("", "irrelevant", "no", 1)},
    ),
    Case("crag-local", ["retrieve", "grade_documents", "generate"], "answered", GRADED),
    Case(
        "crag-local",
        ["retrieve", "grade_documents", "search_web", "generate"],
        "answered",
        GRADED,
        {"grade_relevance": [True, True, True, False]},
    ),
    Case(
        "crag-refined",
        [*REFINED, "generate"],
        "answered",
        {"evaluate_retrieval": 4, "score_strips": 4, "generate": 1},
    ),
    Case(
        "crag-refined",
        [*REFINED, *WEB, "generate"],
        "answered",
        {"evaluate_retrieval": 4, "score_strips": 5, "rewrite": 1, "generate": 1},
        {"evaluate_retrieval": "0.4"},
    ),
    Case(
        "crag-refined",
        ["retrieve", "evaluate_retrieval", *WEB, "generate"],
        "answered",
        {"evaluate_retrieval": 4, "score_strips": 1, "rewrite": 1, "generate": 1},
        {"evaluate_retrieval": '{"score": 0.1, "reason": "other"}', "score_strips": "[0.7]"},
    ),
    Case(
        "adaptive-direct",
        ["route_question", "generate_directly"],
        KNOWN,
        {"route": 1, "generate_directly": 1},
        {"route": '{"route": "no_retrieval", "reason": "a greeting"}'},
    ),
    Case(
        "adaptive-direct",
        ["route_question", "retrieve", "grade_documents", *ANSWER],
        "useful",
        {**CHECKED, "route": 1},
    ),
    Case(
        "adaptive-complexity",
        ["classify_complexity", "generate_directly"],
        KNOWN,
        {"classify_complexity": 1, "generate_directly": 1},
        {"classify_complexity": "A"},
    ),
    Case(
        "adaptive-complexity",
        ["classify_complexity", "retrieve", "generate"],
        "answered",
        {"classify_complexity": 1, "generate": 1},
    ),
    Case(
        "adaptive-complexity",
        ["classify_complexity", *CHAIN, *CHAIN, "generate"],
        "answered",
        {"classify_complexity": 1, "reason_step": 2, "generate": 1},
        {
            "classify_complexity": '{"complexity": "C", "reason": "two steps"}',
            "reason_step": ["The gauge is that of the Rhine line. It is 12.", "So the answer is: 12 mm."],
        },
    ),
]
CASES = [
    Case("naive", ["retrieve", "generate"], "answered", {"generate": 1}),
    Case("crag", ["retrieve", "grade_documents", "generate"], "answered", GRADED),
    Case(
        "crag",
        ["retrieve", "grade_documents", "rewrite_query", "search_web", "generate"],
        "answered",
        {**GRADED, "rewrite": 1},
        {"grade_relevance": [True, True, False, False]},
    ),
    Case("self-rag", ["retrieve", "grade_documents", "generate", "grade_answer"], "useful", CHECKED),
    Case(
        "self-rag",
        ["retrieve", "grade_documents", "generate", "grade_answer", "generate", "grade_answer"],
        "useful",
        {"grade_relevance": 4, "generate": 2, "grade_groundedness": 2, "grade_usefulness": 2},
        {"grade_groundedness": [False, True]},
    ),
    Case(
        "adaptive",
        ["route_question", "retrieve", "grade_documents", "generate", "grade_answer"],
        "useful",
        {**CHECKED, "route": 1},
    ),
    Case(
        "adaptive",
        ["route_question", "search_web", "generate", "grade_answer"],
        "useful",
        {"route": 1, "generate": 1, "grade_groundedness": 1, "grade_usefulness": 1},
        {"route": "web_search"},
    ),
    *FURTHER,
]


@pytest.mark.matrix
@pytest.mark.parametrize(("protocol", "form"), WAYS)
@pytest.mark.parametrize("case", CASES, ids=str)
def test_a_run_is_what_the_server_scripted(start: Start, case: Case, protocol: str, form: str) -> None:
    server = start(protocol, case.replies, formats=FORMS[protocol][form])

    trace = ask(case.strategy, server, **case.settings)
    assert trace.error == ""
    assert trace.path == case.path
    assert trace.stop_reason == case.reason
    calls = [e for e in trace.events if e.kind == "model_called"]
    assert Counter(c.role for c in calls) == case.calls
    assert {(c.prompt_tokens, c.completion_tokens) for c in calls} == {USAGE}
    assert {c.model for c in calls} == {"small"}
    assert trace.warnings == []


@pytest.mark.parametrize(("protocol", "form"), WAYS)
def test_grades_are_those_of_the_server_in_the_documents_order(start: Start, protocol: str, form: str) -> None:
    def about(prompt: str) -> bool:
        return "Text 2" in prompt or "Text 4" in prompt

    server = start(protocol, {"grade_relevance": about}, formats=FORMS[protocol][form])
    trace = ask("crag", server)

    assert [g.passed for g in trace.visits[1].after.relevance] == [False, True, False, True]  # type: ignore[union-attr]
    assert {g.label for d, g in trace.grades if d} == {"relevant", "not relevant"}
    assert all("scripted" in g.reason for _, g in trace.grades)
    assert all(g.score is None for _, g in trace.grades), "no probabilities were told, so there is no score"


@pytest.mark.parametrize(("protocol", "form"), WAYS)
def test_what_works_is_found_once_and_remembered_without_the_key(start: Start, protocol: str, form: str) -> None:
    server = start(protocol, formats=FORMS[protocol][form])

    ask("crag", server)
    refused = len(server.requests) - 5
    assert (refused > 0) == (form != "schema")
    ask("crag", server)
    assert len(server.requests) == 2 * 5 + refused
    settings = settings_for(server)
    assert MEMORY.of(service_of(settings.model, settings)).form == form
    assert "planted" not in repr(vars(MEMORY))


@pytest.mark.parametrize(("protocol", "form"), WAYS)
def test_the_probability_of_yes_is_the_score(start: Start, protocol: str, form: str) -> None:
    replies = {
        "grade_relevance": [Say(True, p_yes=0.75), Say(False, p_yes=0.25)],
        "grade_usefulness": Say(True, p_yes=0.9),
    }
    trace = ask("self-rag", start(protocol, replies, formats=FORMS[protocol][form]))

    assert sorted(g.score or 0 for d, g in trace.grades if d) == pytest.approx([0.25, 0.25, 0.25, 0.75])
    assert {g.aspect: g.score for d, g in trace.grades if not d} == {
        "usefulness": pytest.approx(0.9),
        "groundedness": None,
    }


@pytest.mark.parametrize("protocol", FORMS)
def test_the_answer_streams_and_graders_never_leak_into_it(start: Start, protocol: str) -> None:
    trace = ask("self-rag", start(protocol, {"generate": "<think>hm, yes</think>It is 12 mm wide [1]."}))

    tokens = [e.text for e in trace.events if e.kind == "token"]
    assert len(tokens) > 2
    assert "".join(tokens).strip() == "It is 12 mm wide [1]."
    assert trace.state.answer == "It is 12 mm wide [1]."


@pytest.mark.parametrize("protocol", FORMS)
def test_a_second_attempt_is_told_what_was_wrong(start: Start, protocol: str) -> None:
    server = start(
        protocol, {"grade_groundedness": [Say('{"score": "no", "reason": "13 is not in the documents"}'), Say(True)]}
    )
    ask("self-rag", server)

    (prompt,) = [text for r in server.requests if "<rejected_answer>" in (text := r.body["messages"][-1]["content"])]
    assert "The answer is 12." in prompt
    assert "13 is not in the documents" in prompt


@pytest.mark.parametrize("protocol", FORMS)
def test_identical_verdict_requests_of_a_run_are_asked_once(start: Start, protocol: str) -> None:
    server = start(protocol, {"grade_usefulness": False, "rewrite": ["one", "two", "three"]})
    trace: Trace = ask("self-rag", server)

    assert trace.count("grade_documents") == 4, "each search finds the same documents, each answer is the same"
    calls = Counter(e.role for e in trace.events if e.kind == "model_called")
    assert calls == {"grade_relevance": 4, "generate": 4, "grade_groundedness": 1, "grade_usefulness": 1, "rewrite": 3}
    assert trace.stop_reason == "retry budget spent"


@pytest.mark.parametrize("protocol", FORMS)
def test_a_model_for_each_role(start: Start, protocol: str) -> None:
    server = start(protocol, {"grade_relevance": False}, models=("small", "large", "quick"))
    trace = ask("crag", server, model_generate=f"{protocol}:large", model_rewrite=f"{protocol}:quick")

    models = {(e.role, e.model) for e in trace.events if e.kind == "model_called"}
    assert models == {("grade_relevance", "small"), ("generate", "large"), ("rewrite", "quick")}
