"""CRAG's three actions and its knowledge refinement (Yan et al. 2024, sections 4.3 and 4.4). Pure: a page tries other
thresholds on recorded scores with these functions."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from rag_graphs.graphs.state import Action, Document, Grade, Strip, Thresholds
from rag_graphs.settings import Settings

PASSED: dict[Action, bool | None] = {"correct": True, "ambiguous": None, "incorrect": False}


def chosen_thresholds(own: Thresholds, settings: Settings) -> Thresholds:
    """The evaluator's `own` thresholds, or the settings' where they set any; nobody measured those. The lower one
    never exceeds the upper one."""
    upper = own.upper if settings.evaluator_upper is None else settings.evaluator_upper
    lower = own.lower if settings.evaluator_lower is None else settings.evaluator_lower
    strip = own.strip if settings.strip_threshold is None else settings.strip_threshold
    chosen = replace(own, upper=upper, lower=min(lower, upper), strip=strip)
    return chosen if chosen == own else replace(chosen, measured=False)


def band(score: float | None, thresholds: Thresholds) -> Action:
    """What a document's score alone says; one that is not known is ambiguous."""
    if score is None or thresholds.lower <= score <= thresholds.upper:
        return "ambiguous"
    return "correct" if score > thresholds.upper else "incorrect"


def banded(grade: Grade, thresholds: Thresholds) -> Grade:
    """An evaluator's grade with the verdict that the thresholds make of its score."""
    action = band(grade.score, thresholds)
    return replace(grade, passed=PASSED[action], label=action)


def action_of(verdicts: Sequence[bool | None]) -> Action:
    """Correct if any document is, incorrect if all are (or none was found), else ambiguous (section 4.3)."""
    if True in verdicts:
        return "correct"
    return "incorrect" if all(v is False for v in verdicts) else "ambiguous"


def action_for(scores: Sequence[float | None], thresholds: Thresholds) -> Action:
    """The action that these scores would lead to under these thresholds."""
    return action_of([PASSED[band(score, thresholds)] for score in scores])


def filtered(strips: Sequence[Strip], threshold: float, most: int) -> list[Strip]:
    """The same strips in the same order; kept are those at or over the threshold, of these the `most` best (section 4.4)."""
    over = [s for s in strips if s.score is not None and s.score >= threshold]
    best = sorted(over, key=lambda s: -(s.score or 0.0))[:most]
    chosen = {(s.document, s.start) for s in best}
    return [replace(s, kept=(s.document, s.start) in chosen) for s in strips]


def recomposed(documents: Sequence[Document], strips: Sequence[Strip]) -> list[Document]:
    """The documents of which something was kept, in their order, each reduced to its kept strips in the order of its text."""
    kept: Mapping[str, list[Strip]] = {d.id: [s for s in strips if s.kept and s.document == d.id] for d in documents}
    return [
        replace(d, text=" ".join(d.text[s.start : s.end].strip() for s in sorted(kept[d.id], key=lambda s: s.start)))
        for d in documents
        if kept[d.id]
    ]
