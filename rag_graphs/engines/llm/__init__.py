"""Components on a chat model: whatever grades, decides, writes and rewrites, each with the model that the settings name."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import cache
from typing import TYPE_CHECKING, Literal, Protocol

from rag_graphs.graphs.components import Components
from rag_graphs.settings import Settings

if TYPE_CHECKING:
    from rag_graphs.engines.llm.chat import Chat

__all__ = ["Describes", "model_components"]

ROLES: tuple[Literal["grade", "generate", "rewrite"], ...] = ("grade", "generate", "rewrite")
BUILTIN = "builtin"


class Describes(Protocol):
    """What the components ask of a library."""

    def describe(self, source_ids: Sequence[str], /) -> str:
        """What these sources hold, in a few words."""
        ...


def model_components(settings: Settings, library: Describes, source_ids: list[str], fallback: Components) -> Components:
    """`fallback` with each role that has a chat model on that model: grading, routing and deciding, generating, rewriting.

    Made for one run: a model's client holds the key, and identical verdict requests are asked once. Raises SetupError, before
    any call, where a key is missing or an address is none.
    """
    from rag_graphs.engines.llm.chat import Chat

    chat: Callable[[str], Chat] = cache(lambda name: Chat(name, settings))
    describe: Callable[[], str] = cache(lambda: library.describe(source_ids))
    grades, writes, rewrites = (settings.model_for(role) for role in ROLES)
    components = fallback
    if grades != BUILTIN:
        components = _grading(components, chat(grades), settings, describe)
    if writes != BUILTIN:
        judge = chat(writes if grades == BUILTIN else grades)
        components = _generating(components, chat(writes), judge, settings, fallback)
    if rewrites != BUILTIN:
        components = _rewriting(components, chat(rewrites), settings, describe, fallback)
    return components


def _grading(components: Components, chat: Chat, settings: Settings, describe: Callable[[], str]) -> Components:
    from rag_graphs.engines.llm.decider import Decider
    from rag_graphs.engines.llm.evaluator import Evaluator
    from rag_graphs.engines.llm.graders import Graders
    from rag_graphs.engines.llm.router import Router

    graders, router = Graders(chat, settings), Router(chat, settings, describe)
    decider, evaluator = Decider(chat, settings), Evaluator(chat, settings)
    return replace(
        components,
        grade_relevance=graders.grade_relevance,
        grade_answer=graders.grade_answer,
        route=router.route,
        route_direct=router.route_direct,
        decide_retrieval=decider.decide_retrieval,
        classify=decider.classify,
        evaluate=evaluator.evaluate,
        score_strips=evaluator.score_strips,
        thresholds=evaluator.thresholds,
    )


def _generating(
    components: Components, chat: Chat, judge: Chat, settings: Settings, fallback: Components
) -> Components:
    from rag_graphs.engines.llm.drafts import Drafter
    from rag_graphs.engines.llm.reasoner import Reasoner
    from rag_graphs.engines.llm.writers import Writer

    writer = Writer(chat, settings, fallback)
    return replace(
        components,
        generate=writer.generate,
        generate_directly=writer.generate_directly,
        draft=Drafter(chat, judge, settings).draft,
        reason=Reasoner(chat, settings, fallback).reason,
    )


def _rewriting(
    components: Components, chat: Chat, settings: Settings, describe: Callable[[], str], fallback: Components
) -> Components:
    from rag_graphs.engines.llm.condenser import Condenser
    from rag_graphs.engines.llm.writers import Rewriter

    return replace(
        components,
        rewrite=Rewriter(chat, settings, describe, fallback).rewrite,
        condense=Condenser(chat, settings).condense,
    )
