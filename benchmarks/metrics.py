"""Metrics of answers against reference answers, and the interval of a mean."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

_ARTICLES = {
    "en": r"\b(?:an?|the)\b",
    "de": r"\b(?:der|die|das|den|dem|des|ein|eine[nmrs]?)\b",
    "es": r"\b(?:el|la|los|las|un|una|unos|unas)\b",
    "ar": r"\bال(?=\w)",
}
_ONE_A_CHARACTER = re.compile(
    r"[\u0e00-\u0e7f\u1780-\u17ff\u3041-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff]"
    r"|[^\s\u0e00-\u0e7f\u1780-\u17ff\u3041-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff]+"
)
_PARAGRAPHS = "\n\n"


def normalised(text: str, language: str = "en") -> list[str]:
    """The tokens of a text without case, punctuation and the language's articles (SQuAD's rule); one token per Chinese,
    Japanese, Thai or Khmer character (MKQA's rule)."""
    plain = "".join(c for c in text.lower() if not unicodedata.category(c).startswith("P"))
    if language in _ARTICLES:
        plain = re.sub(_ARTICLES[language], " ", plain)
    return _ONE_A_CHARACTER.findall(plain)


def includes(text: str, answers: Sequence[str], language: str = "en") -> bool:
    """Answer inclusion: whether a normalised reference answer occurs in the normalised text, at word boundaries."""
    held = normalised(text, language)
    golds = [g for g in (normalised(a, language) for a in answers) if g]
    return any(held[i : i + len(g)] == g for g in golds for i in range(len(held) - len(g) + 1))


def cut(texts: Sequence[str], budget: int) -> list[str]:
    """The first `budget` characters of the texts together, in order, with a blank line between two; what is left empty is
    dropped."""
    kept: list[str] = []
    left = budget
    for text in texts:
        if left <= 0:
            break
        kept.append(text[:left])
        left -= len(kept[-1]) + len(_PARAGRAPHS)
    return kept


@dataclass(frozen=True)
class Mean:
    """A mean with the 95 % interval that resampling gives it, and the number of values; None over no values."""

    n: int
    value: float | None
    low: float | None
    high: float | None

    def __str__(self) -> str:
        if self.value is None or self.low is None or self.high is None:
            return "–"
        return f"{_signless(self.value)} [{_signless(self.low)}, {_signless(self.high)}]"


def mean(values: Sequence[float], rounds: int = 10_000, seed: int = 0) -> Mean:
    """The mean, and the 2.5th and 97.5th percentile of the means of `rounds` samples drawn with replacement."""
    if not values:
        return Mean(0, None, None, None)
    table = np.asarray(values, dtype=float)
    drawn = np.random.default_rng(seed).integers(0, len(table), (rounds, len(table)))
    low, high = np.percentile(table[drawn].mean(axis=1), [2.5, 97.5])
    return Mean(len(table), float(table.mean()), float(low), float(high))


def _signless(value: float) -> str:
    """Two decimals; what rounds to nothing has no sign."""
    return f"{round(value, 2) + 0.0:.2f}"
