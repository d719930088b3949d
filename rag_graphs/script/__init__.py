"""A strategy as one LangGraph script to take home: it needs `langgraph` and `langchain-openai` and nothing else.

It is made of the project's own source, so that it cannot drift from what the app runs: the state, the rules, the nodes, the
edges and the graph are taken as they stand; only the components are written anew, on `langchain-openai` (`parts`).
"""

from __future__ import annotations

from collections.abc import Sequence

from rag_graphs.script.assembling import assemble
from rag_graphs.script.head import file_name
from rag_graphs.script.library import carried
from rag_graphs.settings import Settings
from rag_graphs.state import Document
from rag_graphs.strategy import Strategy

__all__ = ["export_script", "script_name"]

script_name = file_name


def export_script(
    strategy: Strategy, settings: Settings, documents: Sequence[Document] = (), description: str = ""
) -> bytes:
    """The script of a strategy with these settings, prompts and documents, as the bytes of a file. `description`: what the
    documents are about, for a router. Without documents it carries pages of the sample library. No key is in it."""
    return assemble(strategy, settings, carried(documents, description, strategy)).encode()
