"""Hybrid search: nearest neighbours by each embedding model and BM25 on words, merged by rank."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

from rag_graphs.library.index.corpus import Corpus
from rag_graphs.library.index.fusion import fuse, without_copies
from rag_graphs.library.index.indexing import Plan
from rag_graphs.library.index.vectors import VectorStore
from rag_graphs.library.types import Hit

MAX_QUERY = 2000  # characters

EmbedQuery = Callable[[str, str], list[float]]
"""(embedder's name, query) -> its vector."""


def search(
    query: str,
    plans: Mapping[str, Plan],
    corpus: Corpus,
    vectors: VectorStore,
    embed_query: EmbedQuery,
    k: int,
) -> list[Hit]:
    """Return the best k chunks. `plans` are by content id. Each embedding model ranks the chunks it has indexed, BM25 all."""
    query = query.strip()[:MAX_QUERY]
    if not query or not corpus.documents:
        return []
    most = max(50, 5 * k)
    cosines, rankings = _neighbours(query, plans, vectors, embed_query, most)
    lexical = corpus.lexical(query)
    fused = fuse([*rankings, list(lexical)[:most]])
    ids = [i for i in fused if i in corpus.documents]
    order = sorted(ids, key=lambda i: (-round(fused[i], 9), -lexical.get(i, 0.0), -cosines.get(i, 0.0), i))
    page = {i: corpus.documents[i].source for i in order}
    best = without_copies(order, corpus.words, page, k)
    cosines.update(_missing(best, cosines, query, corpus, vectors, embed_query))
    return [_hit(i, corpus, cosines.get(i, 0.0), lexical.get(i, 0.0), fused[i]) for i in best]


def _neighbours(
    query: str, plans: Mapping[str, Plan], vectors: VectorStore, embed_query: EmbedQuery, most: int
) -> tuple[dict[str, float], list[list[str]]]:
    """Return cosines by chunk id, and one ranking for each embedding model."""
    groups: defaultdict[Plan, list[str]] = defaultdict(list)
    for content, plan in plans.items():
        groups[plan].append(content)
    cosines: dict[str, float] = {}
    rankings = []
    for plan, contents in sorted(groups.items(), key=lambda group: group[0].split):
        nearest = vectors.nearest(plan.embedder, embed_query(plan.embedder, query), sorted(contents), plan.split, most)
        cosines.update(nearest)
        rankings.append([i for i, _ in nearest])
    return cosines, rankings


def _missing(
    ids: Sequence[str],
    cosines: Mapping[str, float],
    query: str,
    corpus: Corpus,
    vectors: VectorStore,
    embed_query: EmbedQuery,
) -> dict[str, float]:
    """Return the cosines of chunks that only BM25 found."""
    further: dict[str, float] = {}
    by_embedder: defaultdict[str, list[str]] = defaultdict(list)
    for i in ids:
        if i not in cosines:
            by_embedder[corpus.embedder[i]].append(i)
    for embedder, missing in by_embedder.items():
        query_vector = embed_query(embedder, query)
        stored = vectors.get(embedder, missing)
        further |= {i: sum(a * b for a, b in zip(query_vector, v, strict=True)) for i, v in stored.items()}
    return further


def _hit(name: str, corpus: Corpus, cosine: float, lexical: float, fused: float) -> Hit:
    document = replace(corpus.documents[name], score=min(1.0, max(0.0, cosine)))
    return Hit(document=document, cosine=cosine, lexical=lexical, fused=fused)
