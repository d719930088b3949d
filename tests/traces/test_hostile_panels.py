"""Drafts, strips, chains, evaluations and conversations that no run wrote: drawn harmless, and offered for change only where
that can be done."""

from __future__ import annotations

import json
from collections.abc import Callable
from copy import deepcopy
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from rag_graphs.cli.main import main
from rag_graphs.errors import TraceError
from rag_graphs.export import as_html, as_svg
from rag_graphs.graphs.components import Thought
from rag_graphs.graphs.state import Turn
from rag_graphs.runs.trace import Trace
from rag_graphs.runs.whatif import offers_at, update_at
from rag_graphs.views.chain_panel import chain_html
from rag_graphs.views.documents_seen import found, numbers
from rag_graphs.views.drafts_panel import drafts_html
from rag_graphs.views.refinement_panel import action_html, strips_html
from tests.traces.conftest import recorded
from tests.traces.test_export import NASTY, harmless

Data = dict[str, Any]
THOUGHTS = [Thought(sentence="Page 1 names Page 2."), Thought(sentence="So the answer is: 12.", final=True)]
SCRIPTED: dict[str, Data] = {
    "self-rag-critique": {},
    "crag-refined": {"scores": [0.9, 0.5, 0.1]},
    "adaptive-complexity": {"complexity": "C", "thoughts": THOUGHTS},
}


@cache
def good(strategy: str) -> str:
    return json.dumps(recorded(strategy, run_id="r1", **SCRIPTED[strategy]).to_json())


def finished(data: Data, node: str) -> Data:
    """What the first visit of a node changed."""
    update: Data = next(e for e in data["events"] if e["kind"] == "node_finished" and e["node"] == node)["update"]
    return update


def critique(change: Callable[[Data], Any]) -> str:
    data = json.loads(good("self-rag-critique"))
    change(finished(data, "draft_answers"))
    return json.dumps(data)


def refined(change: Callable[[Data], Any], node: str = "refine") -> str:
    data = json.loads(good("crag-refined"))
    change(finished(data, node))
    return json.dumps(data)


def chained(change: Callable[[Data], Any], node: str = "reason_step") -> str:
    data = json.loads(good("adaptive-complexity"))
    change(finished(data, node))
    return json.dumps(data)


def headed(strategy: str, **fields: Any) -> str:
    data = json.loads(good(strategy))
    data["events"][0].update(fields)
    return json.dumps(data)


def about_another(update: Data) -> None:
    for draft in update["drafts"]:
        draft["document"] |= {"id": NASTY, "title": NASTY}


def told(**chances: Any) -> Callable[[Data], None]:
    def change(update: Data) -> None:
        for draft in update["drafts"]:
            for judgement in ("relevance", "support", "use"):
                draft[judgement]["probabilities"] = chances

    return change


def strip(start: int, end: int, **more: Any) -> Data:
    return {"document": "d1", "start": start, "end": end, "score": 0.5, "kept": True, **more}


ODD: dict[str, str] = {
    "weights that are none": headed("self-rag-critique", settings={"weight_use": "NaN", "weight_relevance": [1]}),
    "weights out of range": headed("self-rag-critique", settings={"weight_use": -1e9, "weight_support": True}),
    "drafts of unknown documents": critique(about_another),
    "fewer drafts than documents": critique(lambda u: u["drafts"].pop()),
    "more grades than documents": critique(lambda u: u["relevance"].extend(deepcopy(u["relevance"]))),
    "retrieved but never seen": critique(lambda u: u.update(seen=[])),
    "negative probabilities": critique(told(relevant=-1.0, irrelevant=1.0, fully=-2.0)),
    "huge probabilities": critique(told(**{"relevant": 1e15, "5": 1e15, NASTY: 1e15})),
    "a likelihood of a million": critique(lambda u: [d.update(likelihood=1e6) for d in u["drafts"]]),
    "strips beyond the text": refined(lambda u: u.update(strips=[strip(5, 10**9), strip(-(10**9), 3)])),
    "strips that end before they start": refined(lambda u: u.update(strips=[strip(6, 2), strip(2, 2)])),
    "strips over each other": refined(lambda u: u.update(strips=[strip(0, 6), strip(0, 6), strip(3, 9)])),
    "strips of unknown documents": refined(lambda u: u.update(strips=[strip(0, 2, document=NASTY)])),
    "10,000 strips": refined(lambda u: u.update(strips=[strip(n % 7, n % 7 + 1) for n in range(10_000)])),
    "thresholds out of range": refined(
        lambda u: u["evaluation"]["thresholds"].update(upper=-7, lower=9, strip=1e15, evaluator=NASTY),
        "evaluate_retrieval",
    ),
    "scores out of range": refined(
        lambda u: [g.update(score=s) for g, s in zip(u["relevance"], (-9, 1e15, 7, 0), strict=True)],
        "evaluate_retrieval",
    ),
    "an evaluation of nothing": refined(lambda u: u.update(relevance=[]), "evaluate_retrieval"),
    "strips to keep: a yes": headed("crag-refined", settings={"keep_strips": True}),
    "strips to keep: less than none": headed("crag-refined", settings={"keep_strips": -3}),
    "a chain without a sentence": chained(lambda u: [link.update(sentence="") for link in u["chain"]]),
    "a chain without a link": chained(lambda u: u.update(chain=[])),
    "a chain of unknown documents": chained(lambda u: [k.update(found=[NASTY, "d1"], new=["?"]) for k in u["chain"]]),
    "a chain of 10,000 links": chained(lambda u: u.update(chain=u["chain"] * 10_000)),
    "a conversation with markup": headed(
        "adaptive-complexity", conversation=NASTY[:64], history=[{"question": NASTY, "answer": NASTY}] * 200
    ),
}
REFUSED = {
    "probabilities in words": critique(told(relevant="very")),
    "a likelihood in words": critique(lambda u: u["drafts"][0].update(likelihood="nearly")),
    "a strip without an end": refined(lambda u: u.update(strips=[{"document": "d1", "start": 0}])),
    "a position between characters": refined(lambda u: u.update(strips=[strip(0, 2) | {"end": 1.5}])),
    "an action that is none": refined(lambda u: u["evaluation"].update(action="delete"), "evaluate_retrieval"),
    "a chain of texts": chained(lambda u: u.update(chain=["a", "b"])),
    "a conversation in numbers": headed("adaptive-complexity", conversation=7),
    "a conversation without end": headed("adaptive-complexity", conversation="c" * 10_000),
    "turns without an answer": headed("adaptive-complexity", history=[{"question": "Why?"}]),
}


@pytest.mark.parametrize("name", REFUSED)
def test_it_is_refused(name: str) -> None:
    with pytest.raises(TraceError, match="no run writes"):
        Trace.from_json(REFUSED[name])


@pytest.mark.parametrize("name", ODD)
def test_it_is_drawn_harmless_at_every_moment(name: str) -> None:
    whole = Trace.from_json(ODD[name])
    harmless(as_html(whole))
    assert as_svg(whole)
    for count in whole.steps():
        trace = whole.upto(count)
        entries = found(trace, grades=True)
        panels = drafts_html(trace, None, entries) + action_html(trace, None, entries)
        panels += strips_html(trace, None, entries) + chain_html(trace, numbers(entries))
        assert "<script" not in panels
        assert "<img" not in panels


@pytest.mark.parametrize("name", ODD)
def test_what_is_offered_for_change_can_be_changed(name: str) -> None:
    trace = Trace.from_json(ODD[name])
    for visit in range(-1, len(trace.visits)):
        for offer in offers_at(trace, visit):
            assert update_at(trace, visit, offer.change)


@pytest.mark.parametrize("name", ODD)
def test_it_is_played_in_a_terminal(name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "odd.json"
    file.write_text(ODD[name], encoding="utf-8")
    assert main(["replay", str(file), "--speed", "0"]) == 0
    assert "\x1b" not in capsys.readouterr().out


def test_turns_are_shown_as_they_were_recorded() -> None:
    trace = Trace.from_json(headed("adaptive-complexity", history=[{"question": NASTY, "answer": "x"}]))
    assert trace.head.history == [Turn(question=NASTY, answer="x")]
