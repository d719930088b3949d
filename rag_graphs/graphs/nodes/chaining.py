"""Nodes of interleaved retrieval and reasoning (Adaptive-RAG's multi-step answer, 3.1)."""

from __future__ import annotations

from langgraph.types import StreamWriter

from rag_graphs.graphs.components import Reason, ReasonRequest, Retrieve
from rag_graphs.graphs.nodes.node import Node
from rag_graphs.graphs.state import RagState, Update
from rag_graphs.graphs.updates import gathered, reasoned


def retrieve_more(search: Retrieve, most: int) -> Node:
    """Search with the question, later with the last sentence of reasoning, and add the new documents, up to `most` in all."""

    def node(state: RagState, writer: StreamWriter) -> Update:
        query = state.chain[-1].sentence if state.chain else state.query
        documents = search(query)
        writer({"kind": "retrieved", "documents": documents})
        return gathered(state, query, documents, most)

    return node


def reason_step(reason: Reason) -> Node:
    """Write one sentence of reasoning from all documents so far: the answer, or what has to be looked up next."""

    def node(state: RagState, writer: StreamWriter) -> Update:
        before = [link.sentence for link in state.chain if link.sentence]
        thought = reason(ReasonRequest(question=state.asked, documents=state.documents, chain=before))
        sentence = thought.sentence.strip()
        # a repeated sentence would repeat the same search until the budget is spent
        if ended := not sentence or sentence in before:
            writer({"kind": "warned", "message": "The step of reasoning says nothing new, so the chain ends here."})
        return reasoned(state, sentence, final=thought.final or ended)

    return node
