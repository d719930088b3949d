"""What came of the nodes that only the further strategies have, in two or three words."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from pydantic import TypeAdapter

from rag_graphs.graphs.critique_scores import critique_score, recorded_weights
from rag_graphs.graphs.state import JudgedDraft
from rag_graphs.views.diagram.plan import Words
from rag_graphs.views.diagram.visited import Visited

_DRAFT = TypeAdapter(JudgedDraft)


def _decide_retrieval(visit: Visited, _: Words) -> str:
    decision = visit.changed("decision")
    if not decision:
        return ""
    return _("retrieve") if decision.get("retrieve") else _("not needed")


def _draft_answers(visit: Visited, _: Words) -> str:
    return _("{k} of {n} drafted").format(k=len(visit.grades), n=visit.found)


def _rank_drafts(visit: Visited, _: Words) -> str:
    if not visit.over:
        return _("ranking")
    drafts = visit.changed("drafts")
    if not visit.changed("grounded") or not drafts:
        return _("none is of use")
    best = _DRAFT.validate_python(drafts[0])
    return _("best: {score:.2f}").format(score=critique_score(best, recorded_weights(visit.settings)).total)


def _evaluate_retrieval(visit: Visited, _: Words) -> str:
    evaluation = visit.changed("evaluation")
    if not evaluation:
        return _("{k} of {n} scored").format(k=len(visit.grades), n=visit.found)
    return _(str(evaluation.get("action", "")))


def _refine(visit: Visited, _: Words) -> str:
    strips: list[dict[str, Any]] | None = visit.changed("strips")
    if strips is None:
        return _("cutting, scoring")
    own = strips[visit.strips :]
    return _("{k} of {n} strips").format(k=sum(bool(s.get("kept")) for s in own), n=len(own))


def _classify_complexity(visit: Visited, _: Words) -> str:
    words = {"A": _("A: no search"), "B": _("B: one search"), "C": _("C: several steps")}
    made = visit.changed("complexity") or {}
    return "" if not made else words["B" if made.get("error") else made.get("label", "B")]


def _retrieve_more(visit: Visited, _: Words) -> str:
    chain = visit.changed("chain")
    if not chain:
        return _("searching")
    new = len(chain[-1].get("new", ()))
    return _("nothing new") if not new else _("{n} new").format(n=new)


def _reason_step(visit: Visited, _: Words) -> str:
    return _("step {n}").format(n=visit.number)


def _condense_question(visit: Visited, _: Words) -> str:
    if not visit.over:
        return ""
    return _("made complete") if visit.changed("condensed") else _("unchanged")


FURTHER: dict[str, Callable[[Visited, Words], str]] = {
    "decide_retrieval": _decide_retrieval,
    "draft_answers": _draft_answers,
    "rank_drafts": _rank_drafts,
    "evaluate_retrieval": _evaluate_retrieval,
    "refine": _refine,
    "refine_web": _refine,
    "classify_complexity": _classify_complexity,
    "retrieve_more": _retrieve_more,
    "reason_step": _reason_step,
    "condense_question": _condense_question,
}
