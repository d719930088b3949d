"""Nodes that write an answer."""

from __future__ import annotations

from collections.abc import Iterator

from langgraph.types import StreamWriter

from rag_graphs.graphs.components import Conclude, GenerateAnswer, GenerateRequest
from rag_graphs.graphs.nodes.node import Node
from rag_graphs.graphs.state import Draft, RagState, Update, best_attempt
from rag_graphs.graphs.updates import answered_directly, attempt, gave_up


def generate(write: GenerateAnswer) -> Node:
    """Write an answer from the kept documents; another attempt is told what was wrong with the one before it."""

    def node(state: RagState, writer: StreamWriter) -> Update:
        return attempt(state, written(write(request_of(state)), writer))

    return node


def request_of(state: RagState) -> GenerateRequest:
    """Return what a generator is given: after a rejected attempt that one as well, and why it was rejected."""
    kept = {d.id for d in state.documents}
    rejected = any(grade is not None and grade.passed is False for grade in (state.grounded, state.useful))
    return GenerateRequest(
        question=state.asked,
        documents=state.documents,
        rejected=[s.document for s in state.seen if s.document.id not in kept],
        history=state.history,
        previous=state.answer if rejected else "",
        feedback=state.feedback,
        chain=[link.sentence for link in state.chain if link.sentence and not link.final],
    )


def generate_directly(write: GenerateAnswer) -> Node:
    """Answer without any document. Where a first attempt was tried already to decide about retrieval, it is the answer."""

    def node(state: RagState, writer: StreamWriter) -> Update:
        if state.decision and state.decision.attempt:
            writer({"kind": "token", "text": state.decision.attempt})
            return answered_directly(state, Draft(text=state.decision.attempt))
        request = GenerateRequest(question=state.asked, documents=[], history=state.history)
        return answered_directly(state, written(write(request), writer))

    return node


def give_up(conclude: Conclude) -> Node:
    """A loop's budget is spent: answer with the best attempt, said to be unverified, or say what could not be found."""

    def node(state: RagState, writer: StreamWriter) -> Update:
        best = best_attempt(state.answers)
        return gave_up(state, conclude(state.asked, best, state.queries, state.search_error))

    return node


def written(pieces: Iterator[str | Draft], writer: StreamWriter) -> Draft:
    """The draft of a generator whose pieces go to the stream as they come."""
    draft = Draft(text="", abstained=True)
    for piece in pieces:
        if isinstance(piece, str):
            writer({"kind": "token", "text": piece})
        else:
            draft = piece
    return draft
