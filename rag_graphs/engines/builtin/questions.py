"""What kind of answer a question asks for, and whether a text holds one. The question words and the like are in
`data/question_kinds.toml`, a table for each language."""

from __future__ import annotations

import re
from functools import cache, lru_cache
from typing import Literal

from rag_graphs.engines.builtin.conditions import asks_condition, names_condition
from rag_graphs.language.function_words import all_function_words, fold
from rag_graphs.language.word_lists import word_lists

Kind = Literal["when", "condition", "who", "number", "where", "what is", "how to", "why", "other"]

_W = r"(?:^|[\s¿¡\"'“«(,])"
_E = r"(?=$|[\s?!.,'’\"”»)؟])"
_KINDS: tuple[Kind, ...] = ("number", "when", "who", "where", "why", "what is", "how to", "other")
_NAME = re.compile(
    r"(?<=[\w,;:)] )[\"“«]?[A-ZÀ-ÖØ-ÞА-ЯЁ][\w'’-]+|^[A-ZÀ-ÖØ-ÞА-ЯЁ][\w'’-]+\s+(?:[a-z]{1,3}\s+)?[A-ZÀ-ÖØ-ÞА-ЯЁ]\w+"
)
_WORD = re.compile(r"\w+")
_CITATION = re.compile(r"\[\d+\]")

WANTED: dict[Kind, str] = {
    "when": "a date or a year",
    "condition": "a time or a condition",
    "who": "a name",
    "number": "a number",
    "where": "a place",
}
"""What a question of this kind wants, in words."""


@lru_cache(maxsize=1024)
def kind_of(question: str) -> Kind:
    """The kind of a question by its question words; "other" where they do not tell."""
    plain = " ".join(question.split())
    starts = [(match.start(), kind) for kind, pattern in _asks().items() if (match := pattern.search(plain))]
    kind = min(starts, key=lambda pair: pair[0])[1] if starts else "other"  # the first question word asks
    return "condition" if kind == "when" and asks_condition(plain) else kind


def holds(kind: Kind, text: str, question: str = "") -> bool | None:
    """Whether a text holds the kind of thing that is asked for; None where that cannot be told from its form. What the
    question says itself does not count: the name of a town is no answer to who founded it."""
    plain = _without(_CITATION.sub("", text).strip(), question)
    if kind == "when":
        return bool(_date().search(plain))
    if kind == "condition":
        return bool(_date().search(plain)) or names_condition(text, question) or None  # other words may say it too
    if kind == "number":
        return bool(_number().search(plain))
    if kind in ("who", "where"):
        if _NAME.search(plain):
            return True
        opening = (plain.split() or [""])[0]
        return False if kind == "who" and (opening.islower() or fold(opening) in all_function_words()) else None
    return None


@cache
def _asks() -> dict[Kind, re.Pattern[str]]:
    lists = word_lists(__file__, "question_kinds")
    return {kind: lists.whole_words(kind, _W, _E) for kind in _KINDS}


@cache
def _date() -> re.Pattern[str]:
    lists = word_lists(__file__, "question_kinds")
    return lists.compile(f"{lists.whole_words('months').pattern}|{lists.whole_words('dates').pattern}", "dates")


@cache
def _number() -> re.Pattern[str]:
    return word_lists(__file__, "question_kinds").whole_words("numbers")


def _without(text: str, question: str) -> str:
    """The text with the question's own words in small letters and its numbers left out."""
    asked = {fold(w) for w in _WORD.findall(question)}

    def plainly(match: re.Match[str]) -> str:
        word = match.group()
        return word if fold(word) not in asked else " " if word.isdigit() else word.lower()

    return _WORD.sub(plainly, text) if asked else text
