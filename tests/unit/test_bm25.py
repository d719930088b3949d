"""BM25: what matches, and what counts more."""

from __future__ import annotations

import math

import pytest

from rag_graphs.language.bm25 import LENGTH, SATURATION, Bm25

TEXTS = [["lamp", "oil", "lamp"], ["lamp", "bees"], ["bees", "honey", "honey", "honey", "honey"], []]


def test_a_score_is_the_published_formula() -> None:
    weight = math.log(1 + (4 - 2 + 0.5) / (2 + 0.5))
    norm = SATURATION * (1 - LENGTH + LENGTH * 3 / 2.5)
    assert Bm25(TEXTS).scores(["lamp"])[0] == pytest.approx(weight * 2 * (SATURATION + 1) / (2 + norm))


def test_texts_without_a_word_of_the_query_have_no_score() -> None:
    assert set(Bm25(TEXTS).scores(["lamp", "unknown"])) == {0, 1}
    assert Bm25(TEXTS).scores(["unknown"]) == {}
    assert Bm25([]).scores(["lamp"]) == {}


def test_rare_words_count_more_and_a_word_in_every_text_still_counts() -> None:
    index = Bm25([["a", "b"], ["a"], ["a", "c"]])
    assert index.weight("unknown") > index.weight("b") > index.weight("a") > 0


def test_more_of_a_word_counts_more_and_a_longer_text_less() -> None:
    scores = Bm25([["a"], ["a", "a"], ["a", "b", "c", "d"]]).scores(["a"])
    assert scores[1] > scores[0] > scores[2]


def test_a_share_is_of_the_whole_query_and_a_word_counts_once() -> None:
    index = Bm25(TEXTS)
    known, unknown = index.weight("lamp"), index.weight("unknown")
    assert index.shares(["lamp", "lamp", "unknown"]) == {n: pytest.approx(known / (known + unknown)) for n in (0, 1)}
    assert index.shares([]) == {}
