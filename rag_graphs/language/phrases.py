"""Sentences that an engine says itself, in the languages of `data/phrases.toml`, and whether a text says one of them or the like.

What common words say that nothing was found is no data file: scripts that visitors take home carry that pattern along."""

from __future__ import annotations

import re
from functools import cache

from rag_graphs.language.casefold import fold
from rag_graphs.language.word_lists import word_lists

LONGEST_NEWS = 300
"""Characters up to which an answer without a citation may be nothing but the news that nothing was found."""


@cache
def phrases() -> dict[str, dict[str, str]]:
    """Return the sentences by language and name."""
    lists = word_lists(__file__, "phrases")
    return {language: lists.texts(language) for language in lists.having()}


@cache
def _every(name: str) -> tuple[str, ...]:
    return tuple(fold(own[name]).rstrip(".。:： ") for own in phrases().values())


def is_phrase(name: str, text: str) -> bool:
    """Whether a text begins with this phrase, in any language."""
    return fold(text).lstrip().startswith(_every(name))


def without_lead_ins(text: str) -> str:
    """An answer without the phrases that introduce it in our own words: they claim nothing."""
    for own in phrases().values():
        for name in ("unverified", "quoted"):
            text = text.replace(own[name], " ")
    return text


_NOT_FOUND = re.compile(
    r"\b(?:documents?|sources?|library|context|text)\b.{0,40}\b(?:do(?:es)? not|don['’]t|doesn['’]t)\b.{0,30}"
    r"\b(?:hold|contain|mention|say|state|answer|provide|include|give)|"
    r"\b(?:could|can)(?: ?not|['’]t) (?:be )?(?:find|found|answer)|\bi do(?: not|n['’]t) know\b|\bno answer\b|"
    r"찾지 못|답이 없|没有.{0,8}答案|"
    r"答えがありません|見つかりません",
    re.IGNORECASE,
)


def is_abstaining(answer: str) -> bool:
    """Whether an answer says that the documents do not hold the answer, in a phrase of our own or in common words."""
    own = any(is_phrase(name, answer) for name in ("abstain", "only quotes", "not found"))
    return own or says_nothing_found(answer)


def says_nothing_found(answer: str) -> bool:
    """Whether a short answer without a citation says so in common words."""
    return len(answer) < LONGEST_NEWS and not re.search(r"\[\d+\]", answer) and bool(_NOT_FOUND.search(answer))
