"""BM25: how well texts match a query by the words that they share, rare words counting more.

Pure Python without imports of this project: a script that a visitor takes home may hold a copy of the class.
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence

SATURATION, LENGTH = 1.2, 0.75
"""BM25's k1 and b, at their usual values: how soon more of a word adds little, and how far a long text is marked down."""


class Bm25:
    """Texts as lists of words, counted once. Read-only then, so threads may share it."""

    def __init__(self, texts: Sequence[Sequence[str]]) -> None:
        self._size = len(texts)
        self._holding: defaultdict[str, dict[int, int]] = defaultdict(dict)
        for position, words in enumerate(texts):
            for word, count in Counter(words).items():
                self._holding[word][position] = count
        mean = sum(len(words) for words in texts) / self._size if texts else 0.0
        self._norms = [SATURATION * (1 - LENGTH + LENGTH * len(words) / (mean or 1.0)) for words in texts]

    def weight(self, word: str) -> float:
        """Return how rare a word is (its inverse document frequency, above 0); a word of no text weighs most."""
        holding = len(self._holding.get(word, ()))
        return math.log(1 + (self._size - holding + 0.5) / (holding + 0.5))

    def scores(self, query: Iterable[str]) -> dict[int, float]:
        """Return the score of each text that shares a word with the query, by its position."""
        scores: defaultdict[int, float] = defaultdict(float)
        for word in dict.fromkeys(query):
            weight = self.weight(word) * (SATURATION + 1)
            for position, count in self._holding.get(word, {}).items():
                scores[position] += weight * count / (count + self._norms[position])
        return dict(scores)

    def shares(self, query: Iterable[str]) -> dict[int, float]:
        """Return the share (0-1) of the query's words, by weight, that each text holds, by its position; none if it has none."""
        weights = {word: self.weight(word) for word in dict.fromkeys(query)}
        held: defaultdict[int, float] = defaultdict(float)
        for word, weight in weights.items():
            for position in self._holding.get(word, ()):
                held[position] += weight
        total = sum(weights.values())
        return {position: weight / total for position, weight in held.items()}
