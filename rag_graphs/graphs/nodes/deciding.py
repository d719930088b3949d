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
    """Decide whether to retrieve at all: yes if the model's probability of yes exceeds the `threshold`, or if its verdict is
    yes where it gives no probabilities (Self-RAG, 3.3). `attempt`: write an answer without documents first and decide from it."""

    def node(state: RagState, writer: StreamWriter) -> Update:
        draft = _first_attempt(attempt, state) if attempt else Draft(text="")
        if draft.abstained:
            return {"decision": Decision(retrieve=True, reason="A first attempt without documents found no answer.")}
        decision = decide(state.asked, draft.text)
        if decision.error:
            message = f"The decision was unclear, so documents are retrieved. {decision.error}"
            writer({"kind": "warned", "message": message})
        retrieve = decision.retrieve if decision.probability is None else decision.probability > threshold
        return {"decision": replace(decision, retrieve=retrieve or bool(decision.error), attempt=draft.text)}

    return node


def route_question(route: RouteQuestion) -> Node:
    """Decide where the question goes. A route that cannot be read leads to the library, with a warning."""

    def node(state: RagState, writer: StreamWriter) -> Update:
        choice = route(state.asked)
        if choice.error:
            writer({"kind": "warned", "message": f"The route was unclear, so the library is searched. {choice.error}"})
        return {"route": choice}

    return node


def classify_complexity(classify: ClassifyComplexity) -> Node:
    """Decide once, before any search, how many searches the question needs. A class that cannot be read means one search."""

    def node(state: RagState, writer: StreamWriter) -> Update:
        complexity = classify(state.asked)
        if complexity.error:
            message = f"The complexity was unclear, so one search is made. {complexity.error}"
            writer({"kind": "warned", "message": message})
        return {"complexity": complexity}

    return node


def _first_attempt(write: GenerateAnswer, state: RagState) -> Draft:
    """Write a first attempt without documents. It is not streamed, because it is not the answer yet."""
    request = GenerateRequest(question=state.asked, documents=[], history=state.history)
    return next((piece for piece in write(request) if isinstance(piece, Draft)), Draft(text="", abstained=True))
