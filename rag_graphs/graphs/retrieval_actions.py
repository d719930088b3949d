"""CRAG's three actions and its knowledge refinement (Yan et al. 2024, sections 4.3 and 4.4).

All functions are pure, so a page can try other thresholds on recorded scores.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from rag_graphs.graphs.state import Action, Document, Grade, Strip, Thresholds
from rag_graphs.settings import Settings

PASSED: dict[Action, bool | None] = {"correct": True, "ambiguous": None, "incorrect": False}


def chosen_thresholds(own: Thresholds, settings: Settings) -> Thresholds:
    """Return the evaluator's `own` thresholds, replaced by those that the settings give. Thresholds from the settings count
    as not measured, and the lower one never exceeds the upper one."""
    upper = own.upper if settings.evaluator_upper is None else settings.evaluator_upper
    lower = own.lower if settings.evaluator_lower is None else settings.evaluator_lower
    strip = own.strip if settings.strip_threshold is None else settings.strip_threshold
    chosen = replace(own, upper=upper, lower=min(lower, upper), strip=strip)
    return chosen if chosen == own else replace(chosen, measured=False)


def band(score: float | None, thresholds: Thresholds) -> Action:
    """Return the action for one document's score. An unknown score is ambiguous."""
    if score is None or thresholds.lower <= score <= thresholds.upper:
        return "ambiguous"
    return "correct" if score > thresholds.upper else "incorrect"


def banded(grade: Grade, thresholds: Thresholds) -> Grade:
    """Set the verdict and the label of an evaluator's grade by comparing its score with the thresholds."""
    action = band(grade.score, thresholds)
    return replace(grade, passed=PASSED[action], label=action)


def action_of(verdicts: Sequence[bool | None]) -> Action:
    """Return the action for the verdicts of all documents: correct if any is correct, incorrect if all are incorrect or there
    are none, else ambiguous (section 4.3)."""
    if True in verdicts:
        return "correct"
    return "incorrect" if all(v is False for v in verdicts) else "ambiguous"


def action_for(scores: Sequence[float | None], thresholds: Thresholds) -> Action:
    """Return the action that these scores lead to under these thresholds."""
    return action_of([PASSED[band(score, thresholds)] for score in scores])


def filtered(strips: Sequence[Strip], threshold: float, most: int) -> list[Strip]:
    """Mark the strips to keep: the `most` best of those that reach the threshold. All strips are returned, in the same order
    (section 4.4)."""
    candidates = [s for s in strips if s.score is not None and s.score >= threshold]
    best = sorted(candidates, key=lambda s: -(s.score or 0.0))[:most]
    places = {(s.document, s.start) for s in best}
    return [replace(s, kept=(s.document, s.start) in places) for s in strips]


def recomposed(documents: Sequence[Document], strips: Sequence[Strip]) -> list[Document]:
    """Return the documents that have strips to keep, each with the text of those strips alone, in the order of the text."""
    by_document: Mapping[str, list[Strip]] = {
        d.id: sorted((s for s in strips if s.kept and s.document == d.id), key=lambda s: s.start) for d in documents
    }
    return [
        replace(d, text=" ".join(d.text[s.start : s.end].strip() for s in by_document[d.id]))
        for d in documents
        if by_document[d.id]
    ]
