"""The built-in retrieval evaluator: how far a document, or a strip of one, helps to answer (CRAG, 4.2 and 4.4)."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from rag_graphs.builtin.evidence import Evidence
from rag_graphs.builtin.relevance import grade_all
from rag_graphs.state import Document, Grade, Thresholds

Measure = Callable[[str, list[Document]], list[Evidence]]

THRESHOLDS = Thresholds(evaluator="Built-in engine", upper=0.6, lower=0.25, strip=0.2)


def evaluate(question: str, documents: list[Document], measure: Measure) -> Iterator[tuple[int, Grade]]:
    """A relevance grade for each document; its score tells how likely the document helps to answer."""
    yield from enumerate(grade_all(question, documents, measure(question, documents), strict=True))


def score_strips(question: str, strips: list[list[str]], measure: Measure) -> Iterator[tuple[int, list[float | None]]]:
    """The score of each strip of each document; all are measured in one batch."""
    as_documents = [
        Document(id=f"{i}-{n}", text=text, source="", origin="web")
        for i, own in enumerate(strips)
        for n, text in enumerate(own)
    ]
    graded = iter(list(grade_all(question, as_documents, measure(question, as_documents), strict=True)))
    for i, own in enumerate(strips):
        yield i, [next(graded).score for _ in own]
