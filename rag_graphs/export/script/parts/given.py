"""What the exporter writes into each script, declared so that the other parts can be checked."""

from __future__ import annotations

from typing import Any

from langgraph.graph import StateGraph

from rag_graphs.graphs.state import RagState
from rag_graphs.settings import Settings

SETTINGS: Settings
MODELS: dict[str, str]
"""The model that grades, the one that writes, the one that rewrites."""
EMBEDDINGS: str
"""The embedding model, where documents are found by meaning."""
PROMPTS: dict[str, tuple[str, str]]
"""Of each role the system's and the user's message."""
DESCRIPTION: str
"""What the documents are about."""
GRAPH: StateGraph[RagState]
TITLE: str
LIBRARY: list[dict[str, Any]]
"""Pages: title, source, and passages (heading, text)."""
WEB: list[dict[str, Any]]
"""Sample pages that stand in for the web, in the same form."""
