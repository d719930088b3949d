"""Nodes that search, and that settle what is searched for."""

from __future__ import annotations

from typing import Literal

from langgraph.types import StreamWriter

from rag_graphs.errors import SearchUnavailable
from rag_graphs.graphs.components import Condense, Retrieve, RewriteQuery, RewriteRequest, SearchWeb
from rag_graphs.graphs.nodes.node import Node
from rag_graphs.graphs.state import RagState, Update
from rag_graphs.graphs.updates import condensed, found_on_web, new_query, retrieved


def condense_question(condense: Condense) -> Node:
    """Make a follow-up question stand alone: what follows sees it in those words."""

    def node(state: RagState, writer: StreamWriter) -> Update:
        made = condense(state.question, state.history)
        return condensed(state, made.query.strip() or state.question, made.note)

    return node


def retrieve(search: Retrieve) -> Node:
    """Search the library with the query."""

    def node(state: RagState, writer: StreamWriter) -> Update:
        documents = search(state.query)
        writer({"kind": "retrieved", "documents": documents})
        return retrieved(state, documents)

    return node


def rewrite_query(rewrite: RewriteQuery, *, aim: Literal["library", "web", "keywords"] = "library") -> Node:
    """Put the question into other words for the next search, or name its keywords. The question itself stays as it was."""

    def node(state: RagState, writer: StreamWriter) -> Update:
        found = state.retrieved or [s.document for s in state.seen]
        rewritten = rewrite(RewriteRequest(question=state.asked, queries=state.queries, found=found, aim=aim))
        query = rewritten.query.strip() or state.asked
        return {**new_query(state, query, rewritten.note), "rewrites": state.rewrites + 1}

    return node


def search_web(search: SearchWeb) -> Node:
    """Search the web with the query. A failing search is noted and the run goes on with what it has."""

    def node(state: RagState, writer: StreamWriter) -> Update:
        known = {s.document.id for s in state.seen}
        try:
            documents, error = search(state.query), ""
        except SearchUnavailable as failure:
            documents, error = [], str(failure)
            writer({"kind": "warned", "message": error})
        writer({"kind": "retrieved", "documents": documents})
        if documents and all(d.id in known for d in documents):
            writer({"kind": "warned", "message": "The web search found nothing that was not found before."})
        return found_on_web(state, documents, error)

    return node
