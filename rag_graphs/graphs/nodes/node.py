"""The type of a node."""

from __future__ import annotations

from typing import Protocol

from langgraph.types import StreamWriter

from rag_graphs.graphs.state import RagState, Update


class Node(Protocol):
    """A function that LangGraph calls with the state and a writer for live events; it returns the changed fields."""

    def __call__(self, state: RagState, writer: StreamWriter) -> Update: ...
