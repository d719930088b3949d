"""The built-in graders' numbers, fitted by benchmarks/calibrate.py; docs/measurements.md has the figures."""

from __future__ import annotations

import math
from dataclasses import dataclass

from rag_graphs.engines.builtin.evidence import Scale


@dataclass(frozen=True)
class Weights:
    """A logistic function of the evidence; 0.5 is the decision."""

    intercept: float
    coverage: float
    cosine: float
    sentence_cosine: float
    gap: float = 0.0

    def score(self, coverage: float, cosine: float, sentence_cosine: float, gap: float = 0.0) -> float:
        """The score (0-1) of evidence; `gap` is how far the cosine lies behind the best of the set."""
        z = self.intercept + self.coverage * coverage + self.cosine * cosine
        z += self.sentence_cosine * sentence_cosine + self.gap * gap
        return 1 / (1 + math.exp(-max(-40.0, min(40.0, z))))


LENIENT: dict[Scale, Weights] = {
    "minilm": Weights(-8.03, 1.56, 6.93, 6.93),
    "e5": Weights(-48.06, 2.57, 27.55, 27.55),
    "across": Weights(-71.55, 3.0, 45.0, 45.0),
}
"""Is the document on the question's subject? No gap: each document stands for itself."""

STRICT: dict[Scale, Weights] = {
    "minilm": Weights(-6.89, 6.02, 1.48, 5.36, -9.43),
    "e5": Weights(-32.15, 4.76, 8.91, 26.28, -63.57),
    "across": Weights(-72.5, 3.0, 45.0, 45.0, -60.0),
}
"""Does the document state the answer? The gap only lowers the others: the best document of a set has none, so that nothing is
relevant is never decided by it."""

EVALUATOR: dict[Scale, Weights] = {
    "minilm": Weights(-8.38, 4.84, 4.915, 4.915),
    "e5": Weights(-14.25, 6.69, 6.345, 6.345),
    "across": Weights(-72.5, 3.0, 45.0, 45.0),
}
"""How far does a document, or a strip of one, help to answer? Each is scored for itself, whatever else was found. Fitted by
benchmarks/evaluator.py, one weight for the mean of both cosines, on the half of the questions that docs/measurements.md does
not report on."""

USEFUL: dict[Scale, Weights] = {
    "minilm": Weights(-9.85, 3.36, 0.0, 16.46),
    "e5": Weights(-83.83, 4.13, 0.0, 98.1),
    "across": Weights(-80.0, 0.0, 0.0, 100.0),
}
"""Does the answer speak of what is asked? `sentence_cosine` is that of the answer's nearest sentence."""

NEAR: dict[Scale, tuple[float, float]] = {"minilm": (0.38, 0.55), "e5": (0.83, 0.86), "across": (0.78, 0.82)}
"""Cosines of a sentence from which on it is called fairly near, and near, to the question in meaning."""

SPAN: dict[Scale, tuple[float, float]] = {"minilm": (0.1, 0.75), "e5": (0.77, 0.92), "across": (0.70, 0.86)}
"""The cosines that unrelated and answering sentences have, about: they are read as 0 and 1."""

SAME: dict[Scale, float] = {"minilm": 0.62, "e5": 0.89, "across": 0.84}
"""Cosine from which on two sentences that share half of their words say the same."""


def closeness(scale: Scale, cosine: float) -> float:
    """A cosine on a scale of 0 (unrelated) to 1, the same for every embedder."""
    low, high = SPAN[scale]
    return max(0.0, min(1.0, (cosine - low) / (high - low)))
