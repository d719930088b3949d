"""The levels of self-rag-critique's judgements on the built-in engine: where ISREL and ISUSE are cut, and what each level means.

    python -m benchmarks.drafts DATA [--library FOLDER]

DATA as in benchmarks/qa.py. Cuts are chosen on half 0 and reported on half 1.
"""

from __future__ import annotations

import argparse
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from benchmarks import qa
from benchmarks.metrics import includes, mean
from rag_graphs import load_settings
from rag_graphs.engines.builtin.drafter import RELEVANT, USE_LEVELS
from rag_graphs.engines.builtin.engine import builtin_components

CHANCES = (0.1, 0.2, 0.3, 0.5)
"""ISUSE 2, 3, 4 and 5 begin where a draft is from a gold passage with about this chance: 5 from even odds on."""
WINDOW = 25
"""Drafts on either side over which the chance at a score is taken."""


@dataclass(frozen=True)
class Drafted:
    """A draft's scores, whether its document is gold, and whether it holds a reference answer."""

    half: int
    relevance: float
    use: float
    gold: bool
    answers: bool


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("data", type=Path)
    parser.add_argument("--library", type=Path, help="a folder to keep the index in, so that the next time is faster")
    given = parser.parse_args()
    corpus = qa.load(given.data, given.library, load_settings(web="off"))
    rows = drafted(given.data, corpus)
    print(reported(*([r for r in rows if r.half == half] for half in (0, 1))))


def drafted(data: Path, corpus: qa.Corpus) -> list[Drafted]:
    """The drafts to each question with a short answer that one document could hold, or with none."""
    engine = builtin_components(corpus.settings, corpus.library, corpus.sources, lambda query: [])
    rows = []
    for question in qa.questions(data):
        if question.kind not in ("single", "unanswerable", "web_only"):
            continue
        documents = engine.retrieve_many(question.text, corpus.settings.drafts)
        gold = corpus.gold(question, documents)
        for index, made in engine.draft(question.text, documents):
            rows.append(
                Drafted(
                    half=question.half,
                    relevance=made.relevance.score or 0.0,
                    use=(made.use.score or 0.0) if made.text else -1.0,
                    gold=gold[index],
                    answers=gold[index] and includes(made.text, question.answers, question.language),
                )
            )
    return rows


def reported(first: list[Drafted], second: list[Drafted]) -> str:
    """The cuts that the first half chooses, and what those in use mean on the second."""
    lines = [
        f"{len(first)} drafts to choose on, {len(second)} to report on",
        f"ISREL: best cut on half 0 {relevance_cut(first):.2f}; in use {RELEVANT}: {relevance_at(second)}",
        f"ISUSE: cuts on half 0 {use_cuts(first)}; in use {USE_LEVELS}",
    ]
    for level in range(1, 6):
        at = [r for r in second if r.use >= 0 and level_of(r.use) == level]
        gold, answers = mean([r.gold for r in at]), mean([r.answers for r in at])
        lines.append(f"  {level}: n = {len(at)}, of a gold passage {gold}, holds the answer {answers}")
    return "\n".join(lines)


def relevance_cut(rows: list[Drafted]) -> float:
    """The cut with the best F1 of "relevant" against gold."""

    def f1(cut: float) -> float:
        right = sum(r.gold and r.relevance >= cut for r in rows)
        return 2 * right / (sum(r.relevance >= cut for r in rows) + sum(r.gold for r in rows))

    return max((float(cut) for cut in np.arange(0.25, 0.96, 0.05)), key=f1)


def relevance_at(rows: list[Drafted]) -> str:
    """Precision and recall of "relevant" against gold at the cut in use."""
    said = [r.gold for r in rows if r.relevance >= RELEVANT]
    found = [r.relevance >= RELEVANT for r in rows if r.gold]
    return f"precision {mean(said)} (n = {len(said)}), recall {mean(found)} (n = {len(found)})"


def use_cuts(rows: list[Drafted]) -> list[float]:
    """The lowest scores from which a draft is of a gold passage with each of the chances, in a window of neighbours by score."""
    ordered = sorted((r for r in rows if r.use >= 0), key=lambda r: r.use)
    held = np.array([float(r.gold) for r in ordered])
    smooth = [held[max(0, i - WINDOW) : i + WINDOW].mean() for i in range(len(held))]
    rising = np.maximum.accumulate(smooth)
    return [
        round(float(next((r.use for r, c in zip(ordered, rising, strict=True) if c >= chance), 1.0)), 2)
        for chance in CHANCES
    ]


def level_of(score: float) -> int:
    return 1 + sum(score >= cut for cut in USE_LEVELS)


if __name__ == "__main__":
    main()
