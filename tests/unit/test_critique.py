"""Self-RAG's critique score, against examples worked by hand."""

from __future__ import annotations

from dataclasses import replace

import pytest

from rag_graphs.graphs.critique_scores import (
    RELEVANCE,
    SUPPORT,
    USE,
    Weights,
    by_probability,
    critique_score,
    expected,
    ranked,
    relevance_score,
    support_score,
    use_score,
)
from rag_graphs.graphs.state import Grade, JudgedDraft
from tests.fakes import DOCS, judged

TINY = 1e-12


def told(label: str, **chances: float) -> Grade:
    """A grade with probabilities; underscores in names stand for spaces, "l5" for 5."""
    names = {name.lstrip("l") if name[1:].isdigit() else name.replace("_", " "): p for name, p in chances.items()}
    return Grade(aspect="relevance", passed=None, label=label, probabilities=names)


def plain(label: str) -> Grade:
    return Grade(aspect="relevance", passed=None, label=label)


REL = told("relevant", relevant=0.6, irrelevant=0.2)
SUP = told("fully supported", fully_supported=0.5, partially_supported=0.3, no_support=0.1)
USEFUL = told("5", l5=0.4, l4=0.3, l3=0.1, l2=0.05, l1=0.05)


def test_relevance_is_the_share_of_relevant() -> None:
    assert relevance_score(REL) == pytest.approx(0.75, abs=TINY)  # 0.6 / (0.6 + 0.2)
    assert relevance_score(told("irrelevant", relevant=0.1, irrelevant=0.9)) == pytest.approx(0.1, abs=TINY)


def test_support_counts_partial_support_as_a_half() -> None:
    # (0.5 + 0.5 * 0.3) / (0.5 + 0.3 + 0.1) = 0.65 / 0.9
    assert support_score(SUP) == pytest.approx(13 / 18, abs=TINY)


def test_use_is_the_expected_weight_of_the_five_levels() -> None:
    # (0.4 * 1 + 0.3 * 0.5 + 0.1 * 0 + 0.05 * -0.5 + 0.05 * -1) / 0.9 = 0.475 / 0.9
    assert use_score(USEFUL) == pytest.approx(19 / 36, abs=TINY)


def test_the_critique_score_is_the_weighted_sum_of_its_parts() -> None:
    draft = JudgedDraft(document=DOCS[0], text="x", relevance=REL, support=SUP, use=USEFUL, likelihood=0.8)

    score = critique_score(draft, Weights())
    assert (score.relevance, score.support) == pytest.approx((0.75, 13 / 18), abs=TINY)
    assert score.use == pytest.approx(19 / 72, abs=TINY)
    assert score.likelihood == 0
    # 1.0 * 0.75 + 1.0 * 13/18 + 0.5 * 19/36 = 54/72 + 52/72 + 19/72
    assert score.total == pytest.approx(125 / 72, abs=TINY)
    other = critique_score(draft, Weights(relevance=2.0, support=0.0, use=1.0, likelihood=0.5))
    # 2 * 0.75 + 0 + 19/36 + 0.5 * 0.8
    assert other.total == pytest.approx(1.9 + 19 / 36, abs=TINY)


@pytest.mark.parametrize(
    ("support", "use", "total"),
    [
        ("fully supported", "5", 1 + 1 + 0.5),
        ("fully supported", "3", 1 + 1 + 0.0),
        ("partially supported", "4", 1 + 0.5 + 0.25),
        ("no support", "2", 1 + 0 - 0.25),
        ("no support", "1", 1 + 0 - 0.5),
    ],
)
def test_plain_verdicts_count_as_certain(support: str, use: str, total: float) -> None:
    draft = judged(DOCS[0], support=support, use=use)

    assert critique_score(draft, Weights()).total == pytest.approx(total, abs=TINY)
    assert critique_score(replace(draft, relevance=plain("irrelevant")), Weights()).total == pytest.approx(
        total - 1, abs=TINY
    )


@pytest.mark.parametrize("label", ["unclear", "", "whatever"])
def test_what_could_not_be_read_is_worth_the_least(label: str) -> None:
    unknown = plain(label)

    assert (relevance_score(unknown), support_score(unknown), use_score(unknown)) == (0.0, 0.0, -1.0)


def test_a_text_without_a_known_probability_counts_as_none() -> None:
    draft = judged(DOCS[0])

    assert critique_score(draft, Weights(likelihood=1.0)).likelihood == 0.0
    assert critique_score(replace(draft, likelihood=0.25), Weights(likelihood=2.0)).likelihood == 0.5


def test_probabilities_are_normalised_over_the_scale_alone() -> None:
    assert expected(told("relevant", relevant=0.03, irrelevant=0.01), RELEVANCE) == pytest.approx(0.75, abs=TINY)
    assert expected(told("relevant", relevant=3.0, irrelevant=1.0), RELEVANCE) == pytest.approx(0.75, abs=TINY)
    other = told("relevant", relevant=0.6, irrelevant=0.2, perhaps=0.2)
    assert expected(other, RELEVANCE) == pytest.approx(0.75, abs=TINY)


def test_words_of_the_scale_that_were_not_told_count_as_impossible() -> None:
    assert expected(told("5", l5=0.5, l1=0.5), USE) == pytest.approx(0.0, abs=TINY)
    assert expected(told("partially supported", partially_supported=0.2), SUPPORT) == pytest.approx(0.5, abs=TINY)
    assert expected(told("4", l9=1.0), USE) == 0.5, "no word of the scale was told, so the plain verdict counts"
    assert expected(told("4", l5=0.0, l4=0.0), USE) == 0.5


def test_the_best_draft_is_first_and_ties_stay_in_the_order_of_retrieval() -> None:
    drafts = [
        judged(DOCS[0], use="4"),
        judged(DOCS[1]),
        judged(DOCS[2], use="4"),
        judged(DOCS[3], support="no support"),
    ]

    order = [made.document.id for made, _ in ranked(drafts, Weights())]
    assert order == ["d2", "d1", "d3", "d4"]
    assert [made.document.id for made, _ in ranked(drafts, Weights(relevance=0, support=0, use=0))] == [
        "d1",
        "d2",
        "d3",
        "d4",
    ]
    assert ranked([], Weights()) == []


def test_other_weights_rank_the_same_drafts_anew() -> None:
    grounded, helpful = judged(DOCS[0], use="2"), judged(DOCS[1], support="partially supported")

    assert ranked([grounded, helpful], Weights())[0][0] is helpful  # 1.75 against 2.0
    assert ranked([grounded, helpful], Weights(use=0.1))[0][0] is grounded  # 1.95 against 1.6
    # the scores themselves: 1 + 1 - 0.05 and 1 + 0.5 + 0.1
    assert [s.total for _, s in ranked([grounded, helpful], Weights(use=0.1))] == pytest.approx([1.95, 1.6], abs=TINY)


def test_it_is_told_whether_all_judgements_have_one_form() -> None:
    whole = JudgedDraft(document=DOCS[0], text="x", relevance=REL, support=SUP, use=USEFUL)

    assert by_probability([whole])
    assert by_probability([whole, whole])
    assert by_probability([whole, judged(DOCS[1])]) is None
    assert by_probability([replace(whole, use=plain("5"))]) is None
    assert by_probability([judged(DOCS[1])]) is False
    assert by_probability([]) is False
