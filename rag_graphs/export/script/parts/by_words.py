"""Documents found by the words that they share with a query (BM25): needs no embeddings server."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

from rag_graphs.export.script.parts.given import LIBRARY, SETTINGS
from rag_graphs.export.script.parts.pages import passages_of
from rag_graphs.graphs.state import Document

SATURATION, LENGTH = 1.2, 0.75  # BM25's k1 and b, at their usual values


def find_by_words(query: str, k: int = SETTINGS.k) -> list[Document]:
    """Return the `k` best documents, as a vector store does: a grader says which of them help."""
    return [document for document, _ in ranked_by_words(query, passages_of(LIBRARY, "library"))[:k]]


def ranked_by_words(query: str, documents: Sequence[Document]) -> list[tuple[Document, float]]:
    """Rank all documents, each with the share of the query, weighted by rarity, that it holds."""
    counts = [Counter(words_of(f"{d.title} {d.heading} {d.text}")) for d in documents]
    mean = sum(c.total() for c in counts) / len(counts) if counts else 1.0
    frequency = Counter(word for c in counts for word in c)
    weights = {
        word: math.log(1 + (len(counts) - frequency[word] + 0.5) / (frequency[word] + 0.5))
        for word in set(words_of(query))
    }

    def score(count: Counter[str]) -> float:
        norm = SATURATION * (1 - LENGTH + LENGTH * count.total() / max(mean, 1.0))
        return sum(w * count[word] * (SATURATION + 1) / (count[word] + norm) for word, w in weights.items())

    total = sum(weights.values()) or 1.0
    order = sorted(range(len(counts)), key=lambda i: -score(counts[i]))
    shares = [sum(w for word, w in weights.items() if word in count) / total for count in counts]
    return [(replace(documents[i], score=round(shares[i], 3)), shares[i]) for i in order]


def words_of(text: str) -> list[str]:
    """Return words in lower case. Chinese, Japanese and Korean have few spaces: they are taken in pairs of signs."""
    words: list[str] = []
    for word in re.findall(r"[^\W_]+", text.casefold()):
        wide = bool(re.match(r"[\u1100-\u11ff\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]", word))
        words += [word[i : i + 2] for i in range(max(1, len(word) - 1))] if wide else [word]
    return words
