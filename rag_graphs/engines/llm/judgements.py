"""Self-RAG's three judgements of a draft, as a model gives them beside it or, where that cannot be read, when asked alone."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

from rag_graphs.engines.llm.asked_twice import asked
from rag_graphs.engines.llm.chat import Chat, Reply
from rag_graphs.engines.llm.fields import Value, first, named
from rag_graphs.engines.llm.graders import schema, unclear, unreadable
from rag_graphs.engines.llm.replies import without_fence, without_thinking
from rag_graphs.engines.llm.scales import ISREL, ISSUP, ISUSE, Scale, probabilities
from rag_graphs.engines.llm.service_errors import FATAL
from rag_graphs.engines.llm.verdict_replies import read_verdict
from rag_graphs.engines.prompts import Rendered
from rag_graphs.errors import ServiceError
from rag_graphs.graphs.critique_scores import expected
from rag_graphs.graphs.state import Grade

_VERDICT_KEYS = ("score", "verdict", "level", "rating", "label", "answer")
_WORD = "Reply with one word and nothing else: "


@dataclass(frozen=True)
class Judgement:
    """One of the three: its scale, the keys under which models put it beside a draft, and how it is asked for alone."""

    scale: Scale
    keys: tuple[str, ...]
    prompt: str
    schema: dict[str, Any]
    wanted: str


RELEVANT = Judgement(
    ISREL,
    ("relevant", "relevance", "isrel"),
    "grade_relevance",
    schema("score", ["yes", "no"]),
    f"{_WORD}yes or no.",
)
SUPPORTED = Judgement(
    ISSUP,
    ("supported", "support", "groundedness", "issup"),
    "grade_groundedness_levels",
    schema("score", ["fully", "partially", "no"]),
    f"{_WORD}fully, partially or no.",
)
USEFUL = Judgement(
    ISUSE,
    ("useful", "usefulness", "isuse"),
    "grade_usefulness_levels",
    schema("score", [1, 2, 3, 4, 5]),
    "Reply with one number from 1 to 5 and nothing else.",
)


def beside(judgement: Judgement, said: Mapping[str, Value], reply: Reply) -> Grade | None:
    """The judgement that a reply holds beside its draft; None where it cannot be read."""
    key = next((k for k in judgement.keys if k in said and said[k].whole), "")
    label = judgement.scale.label(said[key].text) if key else ""
    return _grade(judgement.scale, label, probabilities(reply.tokens, key, judgement.scale, label)) if label else None


def alone(judgement: Judgement, chat: Chat, prompt: Rendered) -> Grade:
    """The judgement asked for alone; unclear where that cannot be read either, or fails at the service. Raises ServiceError
    where no other call would escape the failure."""
    scale = judgement.scale
    try:
        label, reply = asked(
            chat, judgement.prompt, prompt, judgement.schema, judgement.wanted, partial(_reader, scale)
        )
    except ServiceError as error:
        if error.kind in FATAL:
            raise
        return unclear(scale.aspect, str(error))
    if label is None:
        return unclear(scale.aspect, unreadable("gave no judgement", reply.text))
    reason = first(named(reply.text, ("reason",)), ("reason",))[:300]
    return replace(_grade(scale, label, probabilities(reply.tokens, "score", scale, label)), reason=reason)


def _reader(scale: Scale, text: str) -> str | None:
    """The level that a reply names, under a key or as such; a relevance of yes or no in whatever words."""
    if scale is ISREL:
        return {True: "relevant", False: "irrelevant", None: None}[read_verdict(text).passed]
    said = named(text, _VERDICT_KEYS)
    return scale.label(first(said, _VERDICT_KEYS) if said else without_fence(without_thinking(text))) or None


def _grade(scale: Scale, label: str, told: dict[str, float]) -> Grade:
    """`score`: what the probabilities expect, from the worst of the scale (0) to its best (1). Without them the model's own
    rating of usefulness is one; the other two are words, and no number is made of them."""
    grade = Grade(aspect=scale.aspect, passed=label in scale.passes, label=label, probabilities=told)
    if not told and scale is not ISUSE:
        return grade
    low, high = min(scale.worth.values()), max(scale.worth.values())
    return replace(grade, score=(expected(grade, scale.worth) - low) / (high - low))
