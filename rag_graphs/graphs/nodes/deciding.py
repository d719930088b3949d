"""Nodes that decide where a question goes."""

from __future__ import annotations

from dataclasses import replace

from langgraph.types import StreamWriter

from rag_graphs.graphs.components import (
    ClassifyComplexity,
    DecideRetrieval,
    GenerateAnswer,
    GenerateRequest,
    RouteQuestion,
)
from rag_graphs.graphs.nodes.node import Node
from rag_graphs.graphs.state import Decision, Draft, RagState, Update


def decide_retrieval(decide: DecideRetrieval, threshold: float, *, attempt: GenerateAnswer | None = None) -> Node:
    """Decide whether to retrieve at all: if the model holds it more likely than the `threshold`, or by its plain verdict where
    it tells no probabilities (Self-RAG, 3.3). `attempt` writes an answer without documents first, to decide from."""

    def node(state: RagState, writer: StreamWriter) -> Update:
        tried = _tried(attempt, state) if attempt else Draft(text="")
        if tried.abstained:
            return {"decision": Decision(retrieve=True, reason="A first attempt without documents found no answer.")}
        made = decide(state.asked, tried.text)
        if made.error:
            writer({"kind": "warned", "message": f"The decision was unclear, so documents are retrieved. {made.error}"})
        retrieve = made.retrieve if made.probability is None else made.probability > threshold
        return {"decision": replace(made, retrieve=retrieve or bool(made.error), attempt=tried.text)}

    return node


def route_question(route: RouteQuestion) -> Node:
    """Decide where the question goes. An unreadable route goes to the library, and says so."""

    def node(state: RagState, writer: StreamWriter) -> Update:
        chosen = route(state.asked)
        if chosen.error:
            writer({"kind": "warned", "message": f"The route was unclear, so the library is searched. {chosen.error}"})
        return {"route": chosen}

    return node


def classify_complexity(classify: ClassifyComplexity) -> Node:
    """Decide once, before any retrieval, how much of it the question needs. An unreadable class means one search."""

    def node(state: RagState, writer: StreamWriter) -> Update:
        made = classify(state.asked)
        if made.error:
            writer({"kind": "warned", "message": f"The complexity was unclear, so one search is made. {made.error}"})
        return {"complexity": made}

    return node


def _tried(write: GenerateAnswer, state: RagState) -> Draft:
    """A first attempt, which is not the answer yet and is therefore not streamed."""
    request = GenerateRequest(question=state.asked, documents=[], history=state.history)
    return next((piece for piece in write(request) if isinstance(piece, Draft)), Draft(text="", abstained=True))
