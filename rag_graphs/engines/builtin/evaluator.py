"""The built-in retrieval evaluator: how far a document, or a strip of one, helps to answer (CRAG, 4.2 and 4.4)."""

from __future__ import annotations

from collections.abc import Iterator

from rag_graphs.engines.builtin.calibration import EVALUATOR
from rag_graphs.engines.builtin.evidence import Evidence, Measure
from rag_graphs.engines.builtin.questions import WANTED, kind_of
from rag_graphs.engines.builtin.relevance import gives_the_kind, in_words
from rag_graphs.graphs.state import Document, Grade, Thresholds
from rag_graphs.language.text import detect_language

THRESHOLDS = Thresholds(evaluator="Built-in engine", measured=True, upper=0.48, lower=0.21, strip=0.08)
"""Chosen by benchmarks/evaluator.py on one half of a question set; docs/measurements.md has the figures of the other."""
WITHOUT_THE_KIND = 0.45
"""What is left of the score of a text that lacks the kind of thing that is asked for: a date, a name, a number."""


def evaluate(question: str, documents: list[Document], measure: Measure) -> Iterator[tuple[int, Grade]]:
    """A relevance grade for each document: its score (0-1) and why. The verdict is for thresholds to set."""
    for i, (document, evidence) in enumerate(zip(documents, measure(question, documents), strict=True)):
        reason = in_words(question, document, evidence)
        if not gives_the_kind(question, evidence):
            reason += f" No sentence gives {WANTED[kind_of(question)]}."
        score = round(helpfulness(question, evidence), 3)
        yield i, Grade(aspect="relevance", passed=None, label="", score=score, reason=reason)


def score_strips(question: str, strips: list[list[str]], measure: Measure) -> Iterator[tuple[int, list[float | None]]]:
    """The score (0-1) of each strip of each document, by the same evaluator; all are measured in one batch."""
    texts = [
        Document(id=f"{i}-{n}", text=text, source="", language=language, origin="web")
        for i, own in enumerate(strips)
        for language in [detect_language(" ".join(own))]  # a strip alone may be too short to tell
        for n, text in enumerate(own)
    ]
    scores = iter([round(helpfulness(question, e), 3) for e in measure(question, texts)])
    for i, own in enumerate(strips):
        yield i, [next(scores) for _ in own]


def helpfulness(question: str, evidence: Evidence) -> float:
    """How likely a text states the answer, 0-1, by wording, meaning and the expected kind of answer."""
    score = EVALUATOR[evidence.scale].score(evidence.coverage, evidence.cosine, evidence.sentence_cosine)
    return score if gives_the_kind(question, evidence) else score * WITHOUT_THE_KIND
