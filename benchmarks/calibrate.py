"""Fits the built-in graders' weights on one half of a question set and reports on the other.

    python benchmarks/calibrate.py DATA --embedder minilm [--most 300] [--cache FOLDER]

DATA holds corpus.jsonl (`id, lang, title, text`) and questions.dev.jsonl (`id, lang, question, gold_ids, kind`). Nothing of it
is kept: only the weights go into rag_graphs/engines/builtin/calibration.py, and the figures into docs/measurements.md.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import math
import pickle
import sys
import time
from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

sys.path.insert(0, str(Path(__file__).parents[1]))

from benchmarks.logistic import Array, auc, f1, newton, sigmoid
from rag_graphs.engines.builtin.evidence import Evidence, measure
from rag_graphs.graphs.state import Document
from rag_graphs.language.bm25 import Bm25
from rag_graphs.language.lexical import uniform
from rag_graphs.language.text import tokens
from rag_graphs.library.index.embeddings import get_embedder
from rag_graphs.library.index.vector_cache import VectorCache, Vectors

K = 4
ANSWERED = ("single", "natural")
FEATURES = ("coverage", "cosine", "closest sentence", "gap", "mean of both cosines")
FITS = {"LENIENT": (0, 4), "STRICT": (0, 1, 2, 3)}  # fewer weights where less data speaks for them


@dataclass
class Row:
    """A retrieved document: its features, whether it is gold, and whether it comes from a gold document's page."""

    question: dict[str, Any]
    features: list[float]  # in the order of FEATURES
    gold: bool
    same_page: bool

    @property
    def half(self) -> int:
        return int(hashlib.sha256(self.question["id"].encode()).hexdigest(), 16) % 2


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("data", type=Path)
    parser.add_argument("--embedder", choices=["minilm", "e5"], required=True)
    parser.add_argument("--most", type=int, default=1000, help="questions at most")
    parser.add_argument("--cache", type=Path, help="folder for vectors, to go on after an interruption")
    given = parser.parse_args()
    rows = measured(given.data, given.embedder, given.most, given.cache)
    print(f"{given.embedder}: {len({r.question['id'] for r in rows})} questions, {len(rows)} documents")
    for name, augment in (("LENIENT", 1.0), ("STRICT", 0.0)):
        report(name, rows, given.embedder, augment)


def measured(data: Path, name: str, most: int, cache_folder: Path | None) -> list[Row]:
    """The top K of each question, measured by the engine's own code. English questions alone for MiniLM."""
    corpus, questions = read(data / "corpus.jsonl"), read(data / "questions.dev.jsonl")
    questions = [q for q in questions if name == "e5" or q["lang"] == "en"]
    questions = sorted(questions, key=lambda q: hashlib.md5(q["id"].encode()).hexdigest())[:most]
    documents = [as_document(c) for c in corpus]
    stored = cache_folder / f"{name}.pickle" if cache_folder else None
    cache = VectorCache(1_000_000)
    if stored and stored.exists():
        cache._kept.update(pickle.loads(stored.read_bytes()))
    vectors = Vectors(cache=cache)
    index = np.array(cache.passages(get_embedder(name), [d.text for d in documents]))
    lexical = Lexical(documents)
    rows: list[Row] = []
    started = time.monotonic()
    for n, question in enumerate(questions):
        top = fused(index @ vectors.query(name, question["question"]), lexical.bm25(question["question"]))[:K]
        found = measure(
            question["question"], [documents[i] for i in top], embeddings=name, vectors=vectors, idf=lexical.idf
        )
        rows += rows_of(question, [corpus[i] for i in top], found)
        if stored and n % 20 == 0:
            stored.parent.mkdir(parents=True, exist_ok=True)
            stored.write_bytes(pickle.dumps(cache._kept))
            print(f"{n} of {len(questions)} in {time.monotonic() - started:.0f} s", file=sys.stderr)
    return rows


def read(path: Path) -> list[dict[str, Any]]:
    with path.open(encoding="utf-8") as lines:
        return [json.loads(line) for line in lines]


def as_document(row: dict[str, Any]) -> Document:
    return Document(
        id=row["id"], text=row["text"], source="", title=row["title"].replace("_", " "), language=row["lang"]
    )


def rows_of(question: dict[str, Any], top: list[dict[str, Any]], found: list[Evidence]) -> list[Row]:
    gold = set(question["gold_ids"])
    pages = {c["title"] for c in top if c["id"] in gold}
    best = max(e.cosine for e in found)
    return [
        Row(question, features(e, best), c["id"] in gold, c["title"] in pages) for c, e in zip(top, found, strict=True)
    ]


def features(found: Evidence, best: float) -> list[float]:
    mean = (found.cosine + found.sentence_cosine) / 2
    return [found.coverage, found.cosine, found.sentence_cosine, best - found.cosine, mean]


class Lexical:
    """BM25 and idf over the corpus, by the engine's tokens."""

    def __init__(self, documents: list[Document]) -> None:
        self.counts = [Counter(tokens(f"{d.title} {d.text}")) for d in documents]
        self.frequency = Counter(t for c in self.counts for t in c)
        self.index = Bm25([list(c.elements()) for c in self.counts])

    def idf(self, token: str) -> float:
        return math.log(1 + (len(self.counts) + 0.5) / (self.frequency[token] + 0.5))

    def bm25(self, question: str) -> Array:
        scores = np.zeros(len(self.counts))
        for position, score in self.index.scores(tokens(question)).items():
            scores[position] = score
        return scores


def fused(*scores: Array) -> list[int]:
    ranks = sum(1 / (61 + np.argsort(np.argsort(-s))) for s in scores)
    return [int(i) for i in np.argsort(-np.asarray(ranks))]


def report(name: str, rows: list[Row], embedder: str, augment: float) -> None:
    """Fits on each half, reports on the other, prints the mean, and the weights fitted on everything."""
    columns = list(FITS[name])
    figures = []
    for half in (0, 1):
        weights = fit([r for r in rows if r.half == half], columns, augment)
        figures.append(figures_of([r for r in rows if r.half != half], columns, weights))
    names = figures[0]
    print(f"\n{name}, held out (mean of two halves):")
    for key in names:
        print(f"  {key:46} {np.mean([f[key] for f in figures]):.2f}")
    weights = fit(rows, columns, augment)
    named = zip([*(FEATURES[c] for c in columns), "intercept"], np.round(weights, 2).tolist(), strict=True)
    print("  weights:", ", ".join(f"{feature} {weight}" for feature, weight in named))
    if embedder == "minilm":
        print(f"  paraphrases: {paraphrases(columns, weights)}")


def fit(rows: list[Row], columns: list[int], augment: float) -> Array:
    """Logistic weights. `augment` adds positives whose coverage is cut down at random, as in a paraphrase: questions that
    were written by people who saw the passage share too many of its words."""
    table = np.array([r.features for r in rows])[:, columns]
    gold = np.array([r.gold for r in rows], dtype=float)
    weight = np.ones(len(gold))
    if augment:
        random = np.random.default_rng(0)
        positive = np.repeat(table[gold == 1], 4, axis=0)
        positive[:, 0] *= random.uniform(0, 1, len(positive))
        table, gold = np.vstack([table, positive]), np.concatenate([gold, np.ones(len(positive))])
        weight = np.concatenate([weight, np.full(len(positive), augment / 4)])
    return newton(table, gold, weight)


def figures_of(rows: list[Row], columns: list[int], weights: Array) -> dict[str, float]:
    table = np.array([r.features for r in rows])[:, columns]
    score = sigmoid(np.c_[table, np.ones(len(table))] @ weights)
    gold = np.array([r.gold for r in rows])
    kind = np.array([r.question["kind"] for r in rows])
    asked = np.array([r.question["id"] for r in rows])
    other = np.array([r.gold or not r.same_page for r in rows])
    english = np.array([r.question["lang"] == "en" for r in rows])
    answered = np.isin(kind, ANSWERED)
    found = {"AUC against gold": auc(score[answered], gold[answered])}
    for name, part in (
        ("against gold", answered),
        ("against gold, English", answered & english),
        ("against gold, others", answered & ~english),
        ("gold against other pages", answered & other),
    ):
        if part.any() and gold[part].any():
            found.update(
                zip([f"F1 {name}", f"  precision {name}", f"  recall {name}"], f1(score[part], gold[part]), strict=True)
            )
    for name in ("single", "natural", "multi_hop", "unanswerable", "web_only"):
        ids = sorted(set(asked[kind == name]))
        if ids:
            found[f"nothing relevant, {name}"] = float(np.mean([not (score[asked == i] >= 0.5).any() for i in ids]))
    return found


def paraphrases(columns: list[int], weights: Array) -> str:
    """On our own pairs: answers that share no word with the question, and passages that repeat its words to no purpose."""
    pairs = read(Path(__file__).with_name("pairs.jsonl"))
    vectors, scores = Vectors(), []
    for pair in pairs:
        document = Document(id="", text=pair["passage"], source="", language="en")
        (found,) = measure(pair["question"], [document], embeddings="minilm", vectors=vectors, idf=uniform)
        scores.append(float(sigmoid(np.array([*np.array(features(found, found.cosine))[columns], 1.0]) @ weights)))
    score, relevant = np.array(scores), np.array([p["relevant"] for p in pairs])
    passed = score >= 0.5
    return (
        f"AUC {auc(score, relevant):.2f}; {passed[relevant].mean():.0%} of the paraphrases pass, "
        f"{passed[~relevant].mean():.0%} of the word repeaters do"
    )


if __name__ == "__main__":
    main()
