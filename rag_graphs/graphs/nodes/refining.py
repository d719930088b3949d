"""Nodes of CRAG's knowledge refinement: decompose, filter, recompose."""

from __future__ import annotations

from langgraph.types import StreamWriter

from rag_graphs.graphs.components import Decompose, ScoreStrips
from rag_graphs.graphs.nodes.node import Node
from rag_graphs.graphs.retrieval_actions import filtered, recomposed
from rag_graphs.graphs.state import Document, Origin, RagState, Strip, Update
from rag_graphs.graphs.updates import refined


def refine(decompose: Decompose, score: ScoreStrips, threshold: float, most: int) -> Node:
    """Keep of the library's documents what matters for the question."""
    return _refining(decompose, score, threshold, most, "library")


def refine_web(decompose: Decompose, score: ScoreStrips, threshold: float, most: int) -> Node:
    """Keep of the web's documents what matters for the question."""
    return _refining(decompose, score, threshold, most, "web")


def _refining(decompose: Decompose, score: ScoreStrips, threshold: float, most: int, origin: Origin) -> Node:
    def node(state: RagState, writer: StreamWriter) -> Update:
        documents = [d for d in state.documents if d.origin == origin]
        spans = [decompose(d.text) for d in documents]
        texts = [[d.text[a:b] for a, b in own] for d, own in zip(documents, spans, strict=True)]
        scores: list[list[float | None]] = [[None] * len(own) for own in spans]
        for index, found in score(state.asked, texts):
            scores[index] = found
        strips = [s for d, own, found in zip(documents, spans, scores, strict=True) for s in _strips(d, own, found)]
        if unknown := sum(s.score is None for s in strips):
            writer({"kind": "warned", "message": f"{unknown} of {len(strips)} strips got no score and were dropped."})
        chosen = filtered(strips, threshold, most)
        return refined(state, recomposed(documents, chosen), chosen)

    return node


def _strips(document: Document, spans: list[tuple[int, int]], scores: list[float | None]) -> list[Strip]:
    """A document's strips. Scores that are missing at the end are unknown."""
    padded = [*scores, *[None] * len(spans)]
    return [Strip(document=document.id, start=a, end=b, score=padded[i]) for i, (a, b) in enumerate(spans)]
