"""An answer as claims: its sentences with the numbers of the documents that each one cites."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache

from rag_graphs.language.function_words import fold
from rag_graphs.language.phrases import without_lead_ins
from rag_graphs.language.text import sentences

_CITATION = re.compile(r"\[(\d{1,3})\]")
_AFTER_THE_STOP = re.compile(r"([.!?…。！？؟]+[\"'”’»)」』]*)\s*((?:\[\d{1,3}\]\s*)+)")
_SPACE_BEFORE_STOP = re.compile(r"\s+(?=[.!?…。！？؟,;:])")
_HAS_LETTER = re.compile(r"[^\W_]")
_WORD = re.compile(r"\w+")
_NUMBER = re.compile(r"\d+(?:[.,'’\u00a0\u202f]\d+)*")


@dataclass(frozen=True)
class Claim:
    """A sentence of an answer without its citations, and the cited numbers in order."""

    text: str
    citations: tuple[int, ...]


def claims(answer: str) -> list[Claim]:
    """The claims of an answer. Citations may stand before or after the full stop. Lead-in phrases claim nothing."""
    moved = _AFTER_THE_STOP.sub(lambda m: f" {m.group(2).strip()}{m.group(1)}\n\n", without_lead_ins(answer))
    found = []
    for sentence in sentences(moved):
        text = _SPACE_BEFORE_STOP.sub("", " ".join(_CITATION.sub("", sentence).split()))
        if _HAS_LETTER.search(text):
            found.append(Claim(text, tuple(int(n) for n in _CITATION.findall(sentence))))
    return found


@lru_cache(maxsize=4096)
def flat(text: str) -> str:
    """A text without case, accents, punctuation and line breaks, for comparing wording."""
    return " ".join(_WORD.findall(fold(text)))


@lru_cache(maxsize=4096)
def numbers(text: str) -> frozenset[str]:
    """The numbers of a text by their digits: "1,600" and "1 600" and "1.600" are one. Citations are no numbers."""
    return frozenset(re.sub(r"\D", "", n) for n in _NUMBER.findall(_CITATION.sub(" ", text)))
