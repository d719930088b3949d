"""The outside world of a run, as the settings name it: which engine, which models, which web search."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from rag_graphs.component_types import Components
from rag_graphs.settings import Settings

if TYPE_CHECKING:
    from rag_graphs.library import Library

ROLES = (("grade", "grades and routes"), ("generate", "writes"), ("rewrite", "rewrites"))
BUILTIN = "Built-in engine"


def build_components(settings: Settings, library: Library, source_ids: list[str]) -> Components:
    """Components for one run over these sources. Raises SetupError, before any call, where a key is missing."""
    from rag_graphs.builtin.engine import builtin_components
    from rag_graphs.llm import model_components
    from rag_graphs.web import build_search

    builtin = builtin_components(settings, library, source_ids, build_search(settings))
    components = model_components(settings, library, source_ids, builtin)
    return replace(components, description=_description(settings, builtin.description))


def _description(settings: Settings, builtin: str) -> str:
    """One line for the screen: the models by role, then what the built-in engine says of embeddings and search."""
    models = {role: settings.model_for(role) for role, _ in ROLES}  # type: ignore[arg-type]
    names = {role: BUILTIN if model == "builtin" else model for role, model in models.items()}
    engine = "; ".join(f"{names[role]} {does}" for role, does in ROLES)
    if len(set(names.values())) == 1:
        engine = BUILTIN if names["grade"] == BUILTIN else f"Model {names['grade']}"
    return builtin.replace(BUILTIN, engine, 1)
