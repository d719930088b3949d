"""Word lists: every file can be read, and a damaged one is named with the place."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from rag_graphs.language.function_words import function_words
from rag_graphs.language.word_lists import WordListError, WordLists

ROOT = Path(__file__).parents[2] / "rag_graphs"
FILES = sorted([*(ROOT / "language/data").glob("*.toml"), *(ROOT / "engines/builtin/data").glob("*.toml")])


def entries(table: dict[str, Any]) -> Iterator[Any]:
    for entry in table.values():
        yield from entries(entry) if isinstance(entry, dict) else [entry]


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_every_word_list_says_where_it_comes_from_and_holds_texts_and_forms_alone(path: Path) -> None:
    head = path.read_text(encoding="utf-8").split("\n[")[0].replace("\n# ", " ")
    assert "for this project" in head
    lists = WordLists(path)
    for name in lists.having():
        for entry in entries(dict(lists.table(name))):
            for form in [entry] if isinstance(entry, str) else entry:
                assert form.strip()
                if not isinstance(entry, str):
                    re.compile(form)


def test_words_are_found_by_language_whatever_their_case_and_accents() -> None:
    assert "그리고" in function_words("ko")
    assert "uber" in function_words("de")
    assert function_words("xx") == frozenset()


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ('[ko]\nwords = "a b', "cannot be read"),
        ("[ko]\nwords = 3", "damaged at “ko · words”: a text is expected"),
        ("[en]\nwords = 'a'", "damaged at “ko · words”: a text is expected"),
        ("ko = 'words'", "damaged at “ko · words”: a text is expected"),
    ],
)
def test_a_damaged_list_is_told_with_its_file_and_place(tmp_path: Path, text: str, told: str) -> None:
    path = tmp_path / "function_words.toml"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(WordListError, match=told) as caught:
        WordLists(path).words("ko", "words")
    assert str(path) in str(caught.value)


def test_a_damaged_form_is_told(tmp_path: Path) -> None:
    path = tmp_path / "forms.toml"
    path.write_text("[en]\nasks = ['who', 'wh(at']\nsays = 'who'", encoding="utf-8")
    with pytest.raises(WordListError, match="no regular expression"):
        WordLists(path).either("en", "asks")
    with pytest.raises(WordListError, match="a list of texts"):
        WordLists(path).forms("en", "says")


def test_a_missing_list_is_told(tmp_path: Path) -> None:
    with pytest.raises(WordListError, match="cannot be read"):
        WordLists(tmp_path / "none.toml")


def test_forms_stand_alone_only_in_languages_with_spaces(tmp_path: Path) -> None:
    path = tmp_path / "forms.toml"
    path.write_text("[en]\nasks = ['who']\n[ko]\nasks = ['누구']", encoding="utf-8")
    asks = WordLists(path).whole_words("asks")
    assert [bool(asks.search(text)) for text in ("Who is it?", "whole", "그누구도")] == [True, False, True]
