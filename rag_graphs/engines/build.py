"""The outside world of a run, as the settings name it: which engine, which models, which web search."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

from rag_graphs.graphs.components import Components, RewriteRequest
from rag_graphs.graphs.state import Rewrite
from rag_graphs.settings import Settings

if TYPE_CHECKING:
    from rag_graphs.library import Library

ROLES = (("grade", "grades and routes"), ("generate", "writes"), ("rewrite", "rewrites"))
BUILTIN = "Built-in engine"
LATIN_ENDS = "\u0250"
"""The first character after the Latin letters of European languages."""


def build_components(settings: Settings, library: Library, source_ids: list[str]) -> Components:
    """Components for one run over these sources. Raises SetupError, before any call, where a key is missing."""
    from rag_graphs.engines.builtin.engine import builtin_components
    from rag_graphs.engines.llm import model_components
    from rag_graphs.engines.web import build_search

    builtin = builtin_components(settings, library, source_ids, build_search(settings))
    components = model_components(settings, library, source_ids, builtin)
    if components.rewrite is not builtin.rewrite:
        components = replace(components, rewrite=partial(_telling_the_language, components.rewrite))
    return replace(components, description=_description(settings, builtin.description))


def _telling_the_language(rewrite: Callable[[RewriteRequest], Rewrite], request: RewriteRequest) -> Rewrite:
    """A model may put a query into the language of the library; whoever reads the run is told. A rewrite with a note is not
    the model's own."""
    made = rewrite(request)
    return made if made.note else replace(made, note=language_note(request.question, made.query))


def language_note(question: str, query: str) -> str:
    """A sentence on a query in another language than its question; empty where it is the same, or not certain."""
    from rag_graphs.language.text import detect_language

    asked, written = detect_language(question), detect_language(query)
    if asked and written and asked != written:
        return f"The model changed the language of the query ({asked} to {written})."
    if asked and not written and _in_latin(query) and not _in_latin(question):
        return "The model wrote the query in another script than the question."
    return ""


def _in_latin(text: str) -> bool:
    letters = [c for c in text if c.isalpha()]
    return 2 * sum(c < LATIN_ENDS for c in letters) > len(letters)


def _description(settings: Settings, builtin: str) -> str:
    """One line for the screen: the models by role, then what the built-in engine says of embeddings and search."""
    models = {role: settings.model_for(role) for role, _ in ROLES}  # type: ignore[arg-type]
    names = {role: BUILTIN if model == "builtin" else model for role, model in models.items()}
    engine = "; ".join(f"{names[role]} {does}" for role, does in ROLES)
    if len(set(names.values())) == 1:
        engine = BUILTIN if names["grade"] == BUILTIN else f"Model {names['grade']}"
    return builtin.replace(BUILTIN, engine, 1)
