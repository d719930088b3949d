"""Components on a chat model: graders, router, generator and rewriter, each with the model that the settings name."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import cache
from typing import Protocol

from rag_graphs.component_types import Components
from rag_graphs.settings import Settings

__all__ = ["Describes", "model_components"]


class Describes(Protocol):
    """What the components ask of a library."""

    def describe(self, source_ids: Sequence[str], /) -> str:
        """What these sources hold, in a few words."""
        ...


def model_components(settings: Settings, library: Describes, source_ids: list[str], fallback: Components) -> Components:
    """`fallback` with each role that has a chat model on that model: grading and routing, generating, rewriting.

    Made for one run: a model's client holds the key, and identical verdict requests are asked once. Raises SetupError, before
    any call, where a key is missing or an address is none.
    """
    from rag_graphs.llm.chat import Chat
    from rag_graphs.llm.graders import Graders
    from rag_graphs.llm.router import Router
    from rag_graphs.llm.writers import Rewriter, Writer

    chat: Callable[[str], Chat] = cache(lambda name: Chat(name, settings))
    describe: Callable[[], str] = cache(lambda: library.describe(source_ids))
    components = fallback
    if (name := settings.model_for("grade")) != "builtin":
        graders, router = Graders(chat(name), settings), Router(chat(name), settings, describe)
        components = replace(
            components,
            grade_relevance=graders.grade_relevance,
            grade_answer=graders.grade_answer,
            route=router.route,
        )
    if (name := settings.model_for("generate")) != "builtin":
        components = replace(components, generate=Writer(chat(name), settings, fallback).generate)
    if (name := settings.model_for("rewrite")) != "builtin":
        components = replace(components, rewrite=Rewriter(chat(name), settings, describe, fallback).rewrite)
    return components
