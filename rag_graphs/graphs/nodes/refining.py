"""Nodes of CRAG's knowledge refinement: decompose, filter, recompose."""

from __future__ import annotations

from langgraph.types import StreamWriter

from rag_graphs.graphs.components import Decompose, ScoreStrips
from rag_graphs.graphs.nodes.node import Node
from rag_graphs.graphs.retrieval_actions import filtered, recomposed
from rag_graphs.graphs.state import Document, Origin, RagState, Strip, Update
from rag_graphs.graphs.updates import refined


def refine(decompose: Decompose, score: ScoreStrips, threshold: float, most: int) -> Node:
    """Reduce the library's documents to the strips that matter for the question."""
    return _refining(decompose, score, threshold, most, "library")


def refine_web(decompose: Decompose, score: ScoreStrips, threshold: float, most: int) -> Node:
    """Reduce the web's documents to the strips that matter for the question."""
    return _refining(decompose, score, threshold, most, "web")


def _refining(decompose: Decompose, score: ScoreStrips, threshold: float, most: int, origin: Origin) -> Node:
    def node(state: RagState, writer: StreamWriter) -> Update:
        documents = [d for d in state.documents if d.origin == origin]
        spans = [decompose(d.text) for d in documents]
        texts = [[d.text[a:b] for a, b in ends] for d, ends in zip(documents, spans, strict=True)]
        scores: list[list[float | None]] = [[None] * len(ends) for ends in spans]
        for index, strip_scores in score(state.asked, texts):
            scores[index] = strip_scores
        strips = [s for parts in zip(documents, spans, scores, strict=True) for s in _strips(*parts)]
        if unknown := sum(s.score is None for s in strips):
            writer({"kind": "warned", "message": f"{unknown} of {len(strips)} strips got no score and were dropped."})
        strips = filtered(strips, threshold, most)
        return refined(state, recomposed(documents, strips), strips)

    return node


def _strips(document: Document, spans: list[tuple[int, int]], scores: list[float | None]) -> list[Strip]:
    """Return a document's strips with their scores. Scores that are missing at the end are None."""
    padded = [*scores, *[None] * len(spans)]
    return [Strip(document=document.id, start=a, end=b, score=padded[i]) for i, (a, b) in enumerate(spans)]
