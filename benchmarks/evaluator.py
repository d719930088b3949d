"""Fits the built-in retrieval evaluator and chooses its thresholds, on one half of a question set.

    python -m benchmarks.evaluator DATA [--library FOLDER]          # thresholds of the evaluator as it is
    python -m benchmarks.evaluator DATA [--library FOLDER] --fit    # its weights

DATA as in benchmarks/qa.py. The other half is benchmarks/refined.py's, which reports.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from benchmarks import qa
from benchmarks.logistic import newton
from benchmarks.metrics import includes
from rag_graphs import load_settings
from rag_graphs.engines.builtin.engine import Engine
from rag_graphs.engines.builtin.evidence import Evidence, Scale
from rag_graphs.engines.builtin.strips import decompose
from rag_graphs.graphs.state import Document

LOST = 0.05
"""Share of the answerable questions of which all documents may fall under the lower threshold, and of the strips with an
answer that may fall under theirs."""
UNSURE = 0.20
"""Share of the answerable questions of which no document need lie over the upper threshold."""
SCALES: tuple[Scale, ...] = ("minilm", "e5")
ANSWERABLE = ("single", "natural", "multi_hop")


@dataclass(frozen=True)
class Scored:
    """A question with the best score of its documents, and the scores of the strips that hold a reference answer."""

    question: qa.Question
    best: float
    answering: list[float]
    others: list[float]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("data", type=Path)
    parser.add_argument("--library", type=Path, help="a folder to keep the index in, so that the next time is faster")
    parser.add_argument("--fit", action="store_true", help="fit the weights anew")
    given = parser.parse_args()
    settings = load_settings(web="off")
    corpus = qa.load(given.data, given.library, settings)
    chosen = [q for q in qa.questions(given.data) if q.half == 0]
    if given.fit:
        rows = [row for q in chosen for row in evidence_of(q, corpus)]
        print("\n".join(fitted(scale, rows) for scale in SCALES))
    else:
        print(thresholds([scored(q, corpus) for q in chosen]))


def evidence_of(question: qa.Question, corpus: qa.Corpus) -> Iterator[tuple[Evidence, bool]]:
    """The retrieved documents measured, each with whether it is gold."""
    own = engine(corpus)
    documents = own.retrieve(question.text)
    return zip(own.measure(question.text, documents), corpus.gold(question, documents), strict=True)


def fitted(scale: Scale, rows: Sequence[tuple[Evidence, bool]]) -> str:
    """The weights of coverage and of the mean of both cosines from which documents are gold: two, since little data speaks for
    them. The mean's weight is shared out to the two."""
    own = [(e, gold) for e, gold in rows if e.scale == scale]
    table = np.array([[e.coverage, (e.cosine + e.sentence_cosine) / 2] for e, _ in own])
    coverage, cosines, intercept = newton(table, np.array([float(g) for _, g in own]), np.ones(len(own)))
    weights = ", ".join(f"{w:.2f}" for w in (intercept, coverage, cosines / 2, cosines / 2))
    return f"{scale}: {len(own)} documents, Weights({weights})"


def scored(question: qa.Question, corpus: qa.Corpus) -> Scored:
    """A question's documents and strips under the evaluator as it is."""
    own = engine(corpus)
    documents: list[Document] = own.retrieve(question.text)
    best = max((g.score or 0.0 for _, g in own.evaluate(question.text, documents)), default=0.0)
    texts = [[d.text[a:b] for a, b in decompose(d.text)] for d in documents]
    gold = corpus.gold(question, documents)
    answering, others = list[float](), list[float]()
    for i, scores in own.score_strips(question.text, texts):
        for text, score in zip(texts[i], scores, strict=True):
            holds = gold[i] and includes(text, question.answers, question.language)
            (answering if holds else others).append(score or 0.0)
    return Scored(question, best, answering, others)


def engine(corpus: qa.Corpus) -> Engine:
    """The built-in engine over the corpus."""
    return Engine(corpus.settings, corpus.library, corpus.sources)


def thresholds(found: Sequence[Scored]) -> str:
    """The three thresholds by LOST and UNSURE, with what they do to questions and strips without an answer."""
    answerable = [s.best for s in found if s.question.kind in ANSWERABLE]
    rest = np.array([s.best for s in found if s.question.kind not in ANSWERABLE])
    answering = [score for s in found for score in s.answering]
    others = np.array([score for s in found for score in s.others])
    lower, upper = np.quantile(answerable, [LOST, UNSURE])
    strip = np.quantile(answering, LOST)
    return (
        f"lower {lower:.2f}, upper {upper:.2f} (from {len(answerable)} answerable questions; of {len(rest)} others "
        f"{(rest < lower).mean():.0%} are incorrect, {(rest > upper).mean():.0%} correct)\n"
        f"strip {strip:.2f} (from {len(answering)} strips with an answer; of {len(others)} others "
        f"{(others < strip).mean():.0%} are dropped)"
    )


if __name__ == "__main__":
    main()
