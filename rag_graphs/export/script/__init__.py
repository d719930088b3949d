"""Export a strategy as one LangGraph script to take home: it needs `langgraph` and `langchain-openai` and nothing else.

The strategy's state, nodes, edges and graph are copied whole from the source that the app runs, so they cannot drift from it;
only the components are written anew, in short code on `langchain-openai` (`parts`).
"""

from __future__ import annotations

from collections.abc import Sequence

from rag_graphs.export.script.assembling import assemble
from rag_graphs.export.script.opening import file_name
from rag_graphs.export.script.passages import Carried, Shelf, of_documents, of_library, of_samples
from rag_graphs.export.script.source import ScriptError
from rag_graphs.graphs.strategy import Strategy
from rag_graphs.settings import Settings

__all__ = ["Carried", "ScriptError", "export_script", "of_documents", "of_samples", "script_name", "script_of"]

script_name = file_name


def export_script(
    strategy: Strategy, settings: Settings, library: Shelf | None, source_ids: Sequence[str] = ()
) -> bytes:
    """Return the script of a strategy with these settings and prompts and the documents of these sources, as the bytes of a
    file. Without sources it carries pages of the sample library. No key and no address is in it."""
    carried = of_library(library, source_ids, settings, strategy) if library and source_ids else of_samples(strategy)
    return script_of(strategy, settings, carried)


def script_of(strategy: Strategy, settings: Settings, carried: Carried) -> bytes:
    """Return the script with these documents."""
    return assemble(strategy, settings, carried).encode("utf-8", "backslashreplace")
