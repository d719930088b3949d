"""CRAG's three actions and its refinement, against examples worked by hand."""

from __future__ import annotations

from dataclasses import replace

import pytest

from rag_graphs.graphs.retrieval_actions import (
    action_for,
    action_of,
    band,
    banded,
    chosen_thresholds,
    filtered,
    recomposed,
)
from rag_graphs.graphs.state import Document, Strip, Thresholds
from rag_graphs.settings import Settings
from tests.fakes import scored

LIMITS = Thresholds(evaluator="by hand", upper=0.6, lower=0.2, strip=0.5)


@pytest.mark.parametrize(
    ("score", "action", "passed"),
    [
        (1.0, "correct", True),
        (0.61, "correct", True),
        (0.6, "ambiguous", None),
        (0.4, "ambiguous", None),
        (0.2, "ambiguous", None),
        (0.19, "incorrect", False),
        (0.0, "incorrect", False),
        (None, "ambiguous", None),
    ],
)
def test_a_document_s_score_alone(score: float | None, action: str, passed: bool | None) -> None:
    assert band(score, LIMITS) == action
    grade = banded(scored(score), LIMITS)
    assert (grade.label, grade.passed, grade.score) == (action, passed, score)


@pytest.mark.parametrize(
    ("scores", "action"),
    [
        ([0.9, 0.1, 0.1, 0.1], "correct"),
        ([0.1, 0.1, 0.1, 0.61], "correct"),
        ([0.9, None, 0.3], "correct"),
        ([0.6, 0.6, 0.6], "ambiguous"),
        ([0.1, 0.1, 0.2], "ambiguous"),
        ([0.1, None, 0.1], "ambiguous"),
        ([None], "ambiguous"),
        ([0.19, 0.0], "incorrect"),
        ([], "incorrect"),
    ],
)
def test_the_action_of_all_scores_together(scores: list[float | None], action: str) -> None:
    assert action_for(scores, LIMITS) == action


def test_the_action_follows_the_verdicts_that_a_visitor_may_flip() -> None:
    assert action_of([False, True, None]) == "correct"
    assert action_of([False, None, False]) == "ambiguous"
    assert action_of([False, False]) == "incorrect"
    assert action_of([]) == "incorrect"


def test_moving_a_threshold_changes_the_action() -> None:
    scores = [0.5, 0.1]
    moved = [
        action_for(scores, Thresholds(upper=upper, lower=lower))
        for upper, lower in ((0.6, 0.2), (0.49, 0.2), (0.5, 0.5), (0.9, 0.51))
    ]
    assert moved == ["ambiguous", "correct", "ambiguous", "incorrect"]


def test_the_evaluator_s_own_thresholds_unless_the_settings_have_others() -> None:
    assert chosen_thresholds(LIMITS, Settings()) == LIMITS
    set_ = Settings().change(evaluator_upper=0.8, evaluator_lower=0.1, strip_threshold=0.3)
    assert chosen_thresholds(LIMITS, set_) == Thresholds(evaluator="by hand", upper=0.8, lower=0.1, strip=0.3)
    assert chosen_thresholds(LIMITS, Settings().change(strip_threshold=0.0)).strip == 0.0


def test_thresholds_that_someone_set_were_not_measured() -> None:
    measured = replace(LIMITS, measured=True)
    assert chosen_thresholds(measured, Settings()).measured
    assert not chosen_thresholds(measured, Settings().change(strip_threshold=0.0)).measured


@pytest.mark.parametrize(
    ("upper", "lower", "kept"), [(0.3, 0.9, 0.3), (0.1, None, 0.1), (None, 0.7, 0.6), (0.5, 0.5, 0.5)]
)
def test_the_lower_threshold_is_never_over_the_upper_one(upper: float | None, lower: float | None, kept: float) -> None:
    limits = chosen_thresholds(LIMITS, Settings().change(evaluator_upper=upper, evaluator_lower=lower))

    assert limits.lower == kept
    assert limits.lower <= limits.upper


def strips(*scores: float | None, document: str = "a") -> list[Strip]:
    """Strips of ten characters each."""
    return [Strip(document=document, start=10 * i, end=10 * i + 10, score=score) for i, score in enumerate(scores)]


def kept(found: list[Strip]) -> list[bool]:
    return [strip.kept for strip in found]


def test_strips_at_or_over_the_threshold_are_kept() -> None:
    assert kept(filtered(strips(0.49, 0.5, 0.51, None, 1.0), 0.5, 5)) == [False, True, True, False, True]
    assert kept(filtered(strips(0.0, None), 0.0, 5)) == [True, False], "what has no score is dropped whatever the bound"
    assert filtered([], 0.5, 5) == []


def test_of_those_the_best_are_kept_up_to_a_number_over_all_documents() -> None:
    both = [*strips(0.9, 0.6, 0.7), *strips(0.8, 0.6, 0.95, document="b")]

    assert kept(filtered(both, 0.5, 3)) == [True, False, False, True, False, True]
    # of two equal ones the first
    assert kept(filtered(both, 0.5, 5)) == [True, True, True, True, False, True]


def test_filtering_keeps_every_strip_in_its_place() -> None:
    both = [*strips(0.1, 0.9), *strips(0.8, document="b")]

    found = filtered(both, 0.5, 5)
    assert [(s.document, s.start, s.score) for s in found] == [(s.document, s.start, s.score) for s in both]


def document(key: str) -> Document:
    return Document(id=key, text=f"{key} one. {key} two. {key} three.", source="s", title=key)


def test_documents_are_recomposed_in_their_order_and_in_the_order_of_their_text() -> None:
    a, b, c = document("a"), document("b"), document("c")
    found = [
        Strip(document="b", start=7, end=13, score=0.9, kept=True),
        Strip(document="b", start=0, end=6, score=0.6, kept=True),
        Strip(document="a", start=14, end=22, score=0.7, kept=True),
        Strip(document="c", start=0, end=6, score=0.1),
    ]

    refined = recomposed([a, b, c], found)
    assert [(d.id, d.text) for d in refined] == [("a", "a three."), ("b", "b one. b two.")]
    assert [d.title for d in refined] == ["a", "b"]
    assert recomposed([], found) == []
    assert recomposed([a], []) == []
