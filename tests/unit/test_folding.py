"""Folding brings every form of a letter to the same one, and a second time changes nothing."""

import sys

import pytest

from rag_graphs.language.casefold import fold


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("É", "e"),
        ("𝙰", "a"),
        ("Ａ", "a"),
        ("ﬁ", "fi"),
        ("ẞ", "ss"),
        ("Straße", "STRASSE"),
        ("한글", "한글"),
        ("ё", "е"),
    ],
)
def test_forms_of_a_letter_are_the_same(one: str, other: str) -> None:
    assert fold(one) == fold(other)


def test_a_second_time_changes_nothing_for_any_character() -> None:
    characters = (chr(c) for c in range(sys.maxunicode + 1) if not 0xD800 <= c <= 0xDFFF)
    changed = ((c, folded) for c in characters if (folded := fold(c)) != c)  # the others are folded already
    assert [c for c, folded in changed if fold(folded) != folded] == []
