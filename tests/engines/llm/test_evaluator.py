"""The retrieval evaluator on a model: scores of documents and of strips, whatever clothes the numbers wear."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest

from rag_graphs.engines.llm.evaluator import MOST_CHARACTERS, MOST_STRIPS
from rag_graphs.engines.llm.shares import read_share, read_shares
from rag_graphs.errors import ServiceError
from rag_graphs.graphs.retrieval_actions import action_for
from rag_graphs.graphs.state import Document
from tests.engines.llm.conftest import Start, ask, components_for, settings_for
from tests.fakes import DOCS, fake
from tests.servers import ollama, openai
from tests.servers.base import Fault

PROTOCOLS = ["openai", "ollama"]
HICCUP = {"openai": openai.error(500, "a hiccup", None), "ollama": ollama.error(500, "a hiccup")}

SHARES: list[tuple[str, float | None]] = [
    ('{"score": 0.7, "reason": "a part"}', 0.7),
    ('{"score": "0.7"}', 0.7),
    ('{"score": "0,7"}', 0.7),
    ('{"score": 0,7}', 0.7),
    ('{"score": "7/10"}', 0.7),
    ('{"score": "70 %"}', 0.7),
    ('{"score": 70%}', 0.7),
    ('{"score": 7e-1}', 0.7),
    ('{"score": 1}', 1.0),
    ('{"score": 0}', 0.0),
    ('{"score": .7}', 0.7),
    ("{'relevance': 0.7}", 0.7),
    ('```json\n{"score": 0.7}\n```', 0.7),
    ("<think>0.1</think>0.7", 0.7),
    ("0.7", 0.7),
    ("0,7", 0.7),
    ("**0.7**", 0.7),
    ("70%", 0.7),
    ("7 out of 10", 0.7),
    ("7 / 10.", 0.7),
    ("0.7 out of 1.0", 0.7),
    ("0.7, because it names the gauge", 0.7),
    ("Score: 0.7", 0.7),
    ("Score = 0.7 (a part of the answer)", 0.7),
    ("The document states a part of it, so 0.7.", 0.7),
    ("It names the gauge.\n\n0.7", 0.7),
    # out of range, or no number
    ('{"score": 7}', None),
    ('{"score": 1.5}', None),
    ('{"score": -0.5}', None),
    ('{"score": "12/10"}', None),
    ('{"score": "120 %"}', None),
    ('{"score": "5/0"}', None),
    ('{"score": "high"}', None),
    ('{"score": true}', None),
    ('{"score": null}', None),
    ('{"score": 0.', None),
    ('{"score": NaN}', None),
    ('{"score": 1e999}', None),
    ('{"reason": "0.7"}', None),
    ("0.4-0.7", None),
    ("0.4 to 0.7", None),
    ("between 0.4 and 0.7", None),
    ("-0.5", None),
    ("7", None),
    ("It was built in 1851.", None),
    ("relevant", None),
    ("", None),
    ("{" * 20_000, None),
    ("0" * 50_000, None),
    ("0.7 " * 20_000 + "x", 0.7),
]


@pytest.mark.parametrize(("reply", "share"), SHARES, ids=[repr(r)[:30] for r, _ in SHARES])
def test_a_score_is_read_as(reply: str, share: float | None) -> None:
    assert read_share(reply) == (None if share is None else pytest.approx(share))


LISTS: list[tuple[str, list[float | None]]] = [
    ('{"1": 0.7, "2": 0.0, "3": 0.3}', [0.7, 0.0, 0.3]),
    ('{"3": 0.3, "1": 0.7, "2": 0}', [0.7, 0.0, 0.3]),
    ("{'1': '0,7', '2': '0 %', '3': '3/10'}", [0.7, 0.0, 0.3]),
    ('{"scores": {"1": 0.7, "2": 0.0, "3": 0.3}}', [0.7, 0.0, 0.3]),
    ('{"strip 1": 0.7, "strip 2": 0.0, "strip_3": 0.3}', [0.7, 0.0, 0.3]),
    ('```json\n{"1": 0.7, "2": 0.0, "3": 0.3}\n```', [0.7, 0.0, 0.3]),
    ("[0.7, 0.0, 0.3]", [0.7, 0.0, 0.3]),
    ('{"scores": [0.7, 0.0, 0.3]}', [0.7, 0.0, 0.3]),
    ("Here: [0.7; 0.0; 0.3].", [0.7, 0.0, 0.3]),
    ("[0.7,0.0,0.3]", [0.7, 0.0, 0.3]),
    ('[{"strip": 1, "score": 0.7}, {"strip": 2, "score": 0}, {"strip": 3, "score": "0.3"}]', [0.7, 0.0, 0.3]),
    ("1: 0.7\n2: 0.0\n3: 0.3", [0.7, 0.0, 0.3]),
    ("1. 0.7\n2. 0.0\n3. 0.3", [0.7, 0.0, 0.3]),
    ("**Passage 1:** 0.7\n- [2] 0.0\nPassage 3) 0.3", [0.7, 0.0, 0.3]),
    ("<think>[1, 1, 1]</think>[0.7, 0.0, 0.3]", [0.7, 0.0, 0.3]),
    # what is missing or out of range is unknown, and nothing is put in its place
    ('{"1": 0.7, "3": 0.3}', [0.7, None, 0.3]),
    ('{"1": 0.7, "2": 7, "3": "high"}', [0.7, None, None]),
    ('{"1": 0.7, "2": 0.0, "3": 0.', [0.7, 0.0, None]),
    ('{"1": 0.7, "2": 0.0, "3": 0.3, "4": 0.9}', [0.7, 0.0, 0.3]),
    ('[0.7, null, "x"]', [0.7, None, None]),
    # of which strip these are cannot be known
    ("[0.7, 0.0]", [None, None, None]),
    ("[0.7, 0.0, 0.3, 0.9]", [None, None, None]),
    ('{"0": 0.7, "1": 0.0, "2": 0.3}', [None, None, None]),
    ("0.7", [None, None, None]),
    ("", [None, None, None]),
    ("[" * 20_000, [None, None, None]),
    ("1: " * 20_000, [None, None, None]),
]


@pytest.mark.parametrize(("reply", "scores"), LISTS, ids=[repr(r)[:30] for r, _ in LISTS])
def test_scores_of_three_strips_are_read_as(reply: str, scores: list[float | None]) -> None:
    assert read_shares(reply, 3) == scores


@pytest.mark.parametrize("reply", ["0.7", "[0.7]", '{"1": 0.7}', '{"score": 0.7}', "1: 0.7", "Score: 0.7"])
def test_a_single_strip_may_be_scored_by_a_number_alone(reply: str) -> None:
    assert read_shares(reply, 1) == [0.7]


@pytest.mark.parametrize("protocol", PROTOCOLS)
def test_documents_are_scored_side_by_side_in_their_order(start: Start, protocol: str) -> None:
    def score(prompt: str) -> str:
        return json.dumps({"score": int(prompt.partition("Text ")[2][0]) / 10, "reason": "scripted"})

    server = start(protocol, {"evaluate_retrieval": score})
    found = dict(components_for(settings_for(server)).evaluate("How wide?", DOCS))
    assert [found[i].score for i in range(4)] == [0.1, 0.2, 0.3, 0.4]
    assert {(g.aspect, g.passed, g.label, g.reason) for g in found.values()} == {("relevance", None, "", "scripted")}
    assert len(server.requests) == 4


@pytest.mark.parametrize("protocol", PROTOCOLS)
def test_an_unreadable_score_is_asked_once_more_then_unknown(start: Start, protocol: str) -> None:
    server = start(protocol, {"evaluate_retrieval": ["7", "0.7"]})
    ((_, grade),) = components_for(settings_for(server)).evaluate("How wide?", DOCS[:1])
    assert grade.score == 0.7
    assert "Reply with one number from 0 to 1" in server.requests[-1].body["messages"][-1]["content"]

    trace = ask("crag-refined", start(protocol, {"evaluate_retrieval": "very"}))
    assert trace.state.evaluation
    assert trace.state.evaluation.action == "ambiguous"
    assert len([w for w in trace.warnings if "counts as ambiguous" in w and "asked twice" in w]) == 4


@pytest.mark.parametrize("protocol", PROTOCOLS)
def test_identical_requests_of_a_run_are_made_once(start: Start, protocol: str) -> None:
    server = start(protocol)
    components = components_for(settings_for(server))

    for _ in range(2):
        list(components.evaluate("How wide?", DOCS))
        list(components.score_strips("How wide?", [["One."], ["One.", "Two."]]))
    assert len(server.requests) == 4 + 2


def strips_of(count: int, length: int = 20) -> list[str]:
    return [f"strip {i} ".ljust(length, "x") for i in range(count)]


def by_own_number(prompt: str) -> str:
    """Each strip scored by the number in its text."""
    found = re.findall(r'<document number="(\d+)" title="">\nstrip (\d+)', prompt)
    return json.dumps({number: int(own) / 100 for number, own in found})


@pytest.mark.parametrize("protocol", PROTOCOLS)
@pytest.mark.parametrize(
    ("strips", "calls"),
    [
        ([strips_of(3), strips_of(1)], 2),
        ([strips_of(MOST_STRIPS)], 1),
        ([strips_of(MOST_STRIPS + 1)], 2),
        ([strips_of(2 * MOST_STRIPS + 5), [], strips_of(2)], 4),
        ([strips_of(3, MOST_CHARACTERS)], 3),
        ([strips_of(4, MOST_CHARACTERS // 2)], 2),
        ([], 0),
        ([[], []], 0),
    ],
)
def test_strips_are_scored_by_document_in_calls_of_bounded_size(
    start: Start, protocol: str, strips: list[list[str]], calls: int
) -> None:
    server = start(protocol, {"score_strips": by_own_number})

    found = list(components_for(settings_for(server)).score_strips("How wide?", strips))
    assert len(server.requests) == calls
    assert sorted(index for index, _ in found) == [i for i, own in enumerate(strips) if own]
    for index, scores in found:
        assert scores == [i / 100 for i in range(len(strips[index]))]


@pytest.mark.parametrize("protocol", PROTOCOLS)
def test_strips_without_a_score_are_asked_for_once_more_then_unknown(start: Start, protocol: str) -> None:
    server = start(protocol, {"score_strips": ['{"1": 0.7}', '{"1": 0.6, "2": 0.5}']})
    assert list(components_for(settings_for(server)).score_strips("Q", [["a", "b"]])) == [(0, [0.6, 0.5])]
    assert "under each of the keys 1 to 2" in server.requests[-1].body["messages"][-1]["content"]

    server = start(protocol, {"score_strips": ['{"2": 0.7}', "no idea"]})
    assert list(components_for(settings_for(server)).score_strips("Q", [["a", "b"]])) == [(0, [None, 0.7])]


def test_the_schema_asks_for_every_number(start: Start) -> None:
    server = start("openai")
    list(components_for(settings_for(server)).score_strips("Q", [["a", "b", "c"]]))

    schema = server.requests[0].body["response_format"]["json_schema"]["schema"]
    assert schema["required"] == ["1", "2", "3"]


@pytest.mark.parametrize("protocol", PROTOCOLS)
def test_a_failing_part_is_unknown_and_told(start: Start, protocol: str) -> None:
    halves = [(0, 11), (11, 12)]
    fakes = {
        "decompose": lambda text: halves,
        "retrieve": lambda query: [Document(id="d", text="One. Two.xxx", source="s")],
    }
    broken = Fault(HICCUP[protocol], times=1)

    def score(prompt: str) -> str:
        server.faults.append(broken)
        return '{"score": 0.9}'

    server = start(protocol, {"evaluate_retrieval": score})
    trace = ask("crag-refined", server, fakes=fakes)
    assert "a hiccup" in trace.error, "the only call for strips failed, so there was nothing to go on with"

    server = start(protocol, {"score_strips": by_own_number})
    server.faults.append(Fault(HICCUP[protocol], times=1))
    scored = dict(components_for(settings_for(server)).score_strips("Q", [strips_of(1), strips_of(2)]))
    assert sorted(map(str, scored.values())) in (["[0.0, 0.01]", "[None]"], ["[0.0]", "[None, None]"])


@pytest.mark.parametrize("protocol", PROTOCOLS)
def test_where_every_score_fails_the_run_says_why(start: Start, protocol: str) -> None:
    components = components_for(settings_for(start(protocol, faults=[Fault(HICCUP[protocol])])))

    for found in (components.evaluate("Q", DOCS), components.score_strips("Q", [["a"], ["b"]])):
        with pytest.raises(ServiceError, match="a hiccup"):
            list(found)


@pytest.mark.parametrize("protocol", PROTOCOLS)
def test_strips_stand_in_the_trace_and_trying_thresholds_asks_nobody(start: Start, protocol: str) -> None:
    server = start(protocol, {"evaluate_retrieval": "0.4", "score_strips": '{"1": 0.3}'})
    trace = ask("crag-refined", server)

    state = trace.state
    assert state.evaluation
    assert state.evaluation.thresholds.evaluator == f"{protocol}:small"
    assert [(s.score, s.kept) for s in state.strips] == [(0.3, False)] * 5, "four of the library and one of the web"
    before = len(server.requests)
    scores = [g.score for g in trace.visits[1].after.relevance]  # type: ignore[union-attr]
    limits = components_for(settings_for(server)).thresholds
    tried = [action_for(scores, limits.__class__(upper=u, lower=w)) for u, w in ((0.6, 0.2), (0.3, 0.2), (0.9, 0.5))]
    assert tried == ["ambiguous", "correct", "incorrect"]
    assert len(server.requests) == before


def test_the_built_in_evaluator_keeps_its_own_thresholds(start: Start) -> None:
    server = start("openai")
    settings = settings_for(server)
    mixed: dict[str, Any] = {"model": "builtin", "model_generate": settings.model}

    assert components_for(settings).thresholds.evaluator == "openai:small"
    assert components_for(settings.change(**mixed)).thresholds == fake().thresholds
