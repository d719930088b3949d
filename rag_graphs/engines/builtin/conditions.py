"""Questions whose "when" asks under which condition something holds, not for a date: "When is a block run?". Their forms in
each language are in `data/conditions.toml`."""

from __future__ import annotations

from functools import cache

from rag_graphs.language.text import detect_language
from rag_graphs.language.word_lists import WordLists, word_lists


class _Forms:
    """How questions for a condition look, and clauses that name one, compiled."""

    def __init__(self, lists: WordLists) -> None:
        self.present = lists.compile(lists.all_forms("present"), "present")
        self.one_event = lists.compile(lists.all_forms("one_event"), "one_event")
        self.clauses = {language: lists.either(language, "clauses") for language in lists.having("clauses")}


@cache
def _forms() -> _Forms:
    return _Forms(word_lists(__file__, "conditions"))


def asks_condition(question: str) -> bool:
    """Whether a question with a word for "when" asks for a condition: its verb is in the present, and it is not about one
    event of the past or of the calendar."""
    plain = " ".join(question.split())
    return bool(_forms().present.search(plain)) and not _forms().one_event.search(plain) and not _korean_past(plain)


def names_condition(text: str, question: str) -> bool:
    """Whether a text holds a clause of time or condition, in the text's language or else in that of the question."""
    clauses = _forms().clauses
    language = detect_language(text) or detect_language(question)
    return bool(clauses.get(language, clauses["en"]).search(text))


def _korean_past(question: str) -> bool:
    """The last word has a syllable that ends in a double s ("지어졌나요"), which marks the past, except in "있" and "겠"."""
    last = question.rsplit(maxsplit=1)[-1] if "언제" in question else ""
    return any("가" <= c <= "힣" and (ord(c) - 0xAC00) % 28 == 20 and c not in "있겠" for c in last)
