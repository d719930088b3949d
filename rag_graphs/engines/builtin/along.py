"""The sentences that a chain of searches leads to: those of the question, and those about what was looked up for it."""

from __future__ import annotations

from collections.abc import Sequence

from rag_graphs.engines.builtin.evidence import Measure
from rag_graphs.engines.builtin.extract import Picked, pick
from rag_graphs.graphs.state import Document
from rag_graphs.language.lexical import coverage, terms, uniform, vocabulary

HELD = 0.5
"""Share of the words of a look-up that a sentence must hold to belong to it."""


def along(
    chain: Sequence[str], picked: list[Picked], documents: list[Document], measure: Measure, most: int
) -> list[Picked]:
    """At most `most` sentences: one picked for the question, if possible one that names what was looked up then, the best about
    each look-up, and the others that were picked."""
    picked = sorted(picked, key=lambda p: not any(_names(p, step) for step in chain))
    reached = [p for step in chain for p in reached_by(step, documents, measure)]
    found: dict[str, Picked] = {}
    for sentence in [*picked[:1], *reached, *picked[1:]]:
        found.setdefault(sentence.text, sentence)
    return list(found.values())[:most]


def _names(sentence: Picked, step: str) -> bool:
    """Whether a sentence holds a name that a step looked up: what stands before its colon."""
    names, colon, _ = step.partition(":")
    held = vocabulary(sentence.text)
    return bool(colon) and any(vocabulary(name) <= held for name in names.split(", "))


def reached_by(step: str, documents: list[Document], measure: Measure) -> list[Picked]:
    """The sentence about what a step looked up; none where no sentence holds enough of it."""
    best = pick(step, documents, measure(step, documents), most=1) if documents else []
    return [p for p in best if coverage(terms(step), vocabulary(p.text), uniform).share >= HELD]
