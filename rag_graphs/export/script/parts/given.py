"""What the bundler writes into each script, declared so that the other parts can be checked."""

from __future__ import annotations

from typing import Any, NamedTuple

from langgraph.graph import StateGraph

from rag_graphs.graphs.components import Components
from rag_graphs.graphs.state import RagState
from rag_graphs.settings import Settings


class Prompt(NamedTuple):
    """What never changes comes first, what changes follows; variables are written {name}."""

    system: str
    user: str


MODELS: dict[str, str]
"""The model that grades, the one that writes, the one that rewrites."""
EMBEDDINGS: str
"""The embedding model, where documents are found by meaning."""
SETTINGS: Settings
PROMPTS: dict[str, Prompt]
COMPONENTS: Components
GRAPH: StateGraph[RagState]
TITLE: str
DESCRIPTION: str
"""What the documents are about, for the router."""
DOCUMENTS: list[dict[str, Any]]
WEB_PAGES: list[dict[str, Any]]
