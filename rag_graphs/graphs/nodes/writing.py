"""Nodes that write an answer."""

from __future__ import annotations

from collections.abc import Iterator

from langgraph.types import StreamWriter

from rag_graphs.graphs.components import Conclude, GenerateAnswer, GenerateRequest
from rag_graphs.graphs.nodes.node import Node
from rag_graphs.graphs.state import Draft, RagState, Update, best_attempt
from rag_graphs.graphs.updates import answered_directly, attempt, gave_up


def generate(write: GenerateAnswer) -> Node:
    """Write an answer from the kept documents. After a rejected attempt, pass on that attempt and why it was rejected."""

    def node(state: RagState, writer: StreamWriter) -> Update:
        return attempt(state, written(write(request_of(state)), writer))

    return node


def request_of(state: RagState) -> GenerateRequest:
    """Return the generator's input. After a rejected attempt it includes that attempt and why it was rejected."""
    kept_ids = {d.id for d in state.documents}
    rejected = any(grade is not None and grade.passed is False for grade in (state.grounded, state.useful))
    return GenerateRequest(
        question=state.asked,
        documents=state.documents,
        rejected=[s.document for s in state.seen if s.document.id not in kept_ids],
        history=state.history,
        previous=state.answer if rejected else "",
        feedback=state.feedback,
        chain=[link.sentence for link in state.chain if link.sentence and not link.final],
    )


def generate_directly(write: GenerateAnswer) -> Node:
    """Answer without any document. If the decision about retrieval was made from a first attempt, that attempt is the answer."""

    def node(state: RagState, writer: StreamWriter) -> Update:
        if state.decision and state.decision.attempt:
            writer({"kind": "token", "text": state.decision.attempt})
            return answered_directly(state, Draft(text=state.decision.attempt))
        request = GenerateRequest(question=state.asked, documents=[], history=state.history)
        return answered_directly(state, written(write(request), writer))

    return node


def give_up(conclude: Conclude) -> Node:
    """Close a run whose budget is spent: answer with the best attempt, marked as unverified, or say what could not be found."""

    def node(state: RagState, writer: StreamWriter) -> Update:
        best = best_attempt(state.answers)
        return gave_up(state, conclude(state.asked, best, state.queries, state.search_error))

    return node


def written(pieces: Iterator[str | Draft], writer: StreamWriter) -> Draft:
    """Stream a generator's pieces of text as they come, and return its finished draft."""
    draft = Draft(text="", abstained=True)
    for piece in pieces:
        if isinstance(piece, str):
            writer({"kind": "token", "text": piece})
        else:
            draft = piece
    return draft
