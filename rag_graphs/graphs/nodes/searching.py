"""Nodes that search, and nodes that put the question or the query into other words."""

from __future__ import annotations

from typing import Literal

from langgraph.types import StreamWriter

from rag_graphs.errors import SearchUnavailable
from rag_graphs.graphs.components import Condense, Retrieve, RewriteQuery, RewriteRequest, SearchWeb
from rag_graphs.graphs.nodes.node import Node
from rag_graphs.graphs.state import RagState, Update
from rag_graphs.graphs.updates import condensed, found_on_web, new_query, retrieved


def condense_question(condense: Condense) -> Node:
    """Put a follow-up question into words that can be understood without the conversation. All later nodes use those words."""

    def node(state: RagState, writer: StreamWriter) -> Update:
        rewrite = condense(state.question, state.history)
        return condensed(state, rewrite.query.strip() or state.question, rewrite.note)

    return node


def retrieve(search: Retrieve) -> Node:
    """Search the library with the query."""

    def node(state: RagState, writer: StreamWriter) -> Update:
        documents = search(state.query)
        writer({"kind": "retrieved", "documents": documents})
        return retrieved(state, documents)

    return node


def rewrite_query(rewrite: RewriteQuery, *, aim: Literal["library", "web", "keywords"] = "library") -> Node:
    """Put the question into other words, or into keywords, for the next search. The question itself does not change."""

    def node(state: RagState, writer: StreamWriter) -> Update:
        documents = state.retrieved or [s.document for s in state.seen]
        result = rewrite(RewriteRequest(question=state.asked, queries=state.queries, found=documents, aim=aim))
        query = result.query.strip() or state.asked
        return {**new_query(state, query, result.note), "rewrites": state.rewrites + 1}

    return node


def search_web(search: SearchWeb) -> Node:
    """Search the web with the query. If the search fails, warn and go on with the documents at hand."""

    def node(state: RagState, writer: StreamWriter) -> Update:
        seen_ids = {s.document.id for s in state.seen}
        try:
            documents, error = search(state.query), ""
        except SearchUnavailable as failure:
            documents, error = [], str(failure)
            writer({"kind": "warned", "message": error})
        writer({"kind": "retrieved", "documents": documents})
        if documents and all(d.id in seen_ids for d in documents):
            writer({"kind": "warned", "message": "The web search found nothing that was not found before."})
        return found_on_web(state, documents, error)

    return node
