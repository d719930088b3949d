"""What a stand-in for a model says: scripted by the role of the prompt, which is told from the prompt itself."""

from __future__ import annotations

import json
import math
import re
from dataclasses import dataclass, field
from threading import Lock
from typing import Any

from rag_graphs.checks import PROMPT
from rag_graphs.prompts import PROMPTS

ROLES = {
    prompt.system.splitlines()[0]: role
    for role, prompt in PROMPTS.items()
    if role not in ("generate_again", "route_three", "route_complexity")
}
USAGE = (100, 10)
"""Prompt and completion tokens that every call is said to cost."""


@dataclass(frozen=True)
class Say:
    """A reply. A bool is a verdict, written in whatever form was asked for; `p_yes` adds log-probabilities to it."""

    text: str | bool
    p_yes: float | None = None
    refusal: str | None = None
    finish: str = "stop"


@dataclass
class Script:
    """Replies by role: one value for ever, or a list used up one by one, whose last value stays."""

    replies: dict[str, Any] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self._lock = Lock()
        self._left = {role: list(v) if isinstance(v, list) else [v] for role, v in (DEFAULTS | self.replies).items()}

    def say(self, messages: list[dict[str, Any]]) -> Say:
        """The reply to a prompt."""
        left = self._left[role_of(messages)]
        with self._lock:
            value = left.pop(0) if len(left) > 1 else left[0]
        if callable(value):
            value = value(messages[-1]["content"])
        return value if isinstance(value, Say) else Say(value)


DEFAULTS: dict[str, Any] = {
    "grade_relevance": True,
    "grade_groundedness": True,
    "grade_usefulness": True,
    "generate": "The answer is 12. [1]",
    "generate_again": "The better answer is 12. [1]",
    "rewrite": "other words",
    "check": "yes",
    "route": json.dumps({"route": "vectorstore", "reason": "scripted"}),
}


def role_of(messages: list[dict[str, Any]]) -> str:
    """The role of a prompt, as usage counts it; "generate_again" apart."""
    system = str(messages[0]["content"])
    if system == PROMPT.system:
        return "check"
    role = ROLES[system.splitlines()[0]]
    if role == "generate" and "<rejected_answer>" in str(messages[-1]["content"]):
        return "generate_again"
    return re.sub(r"^rewrite_.*|^keywords_web", "rewrite", role.removesuffix("_strict"))


def written(say: Say, form: str) -> str:
    """The reply's text in the form asked for: schema, json or words."""
    if not isinstance(say.text, bool):
        return say.text
    word = "yes" if say.text else "no"
    return f"{word.title()}. It was scripted." if form == "words" else json.dumps({"score": word, "reason": "scripted"})


def pieces(text: str) -> list[str]:
    """A text in the pieces in which it is streamed."""
    return re.findall(r"\s*\S+|\s+$", text)


def log_probabilities(say: Say, form: str) -> list[dict[str, Any]]:
    """The reply's tokens in the form that OpenAI and Ollama share."""
    if say.p_yes is None:
        return []
    chances = {"yes": say.p_yes, "no": 1 - say.p_yes}
    tops = [{"token": t, "logprob": math.log(max(p, 1e-9)), "bytes": None} for t, p in chances.items()]
    verdict = max(tops, key=lambda t: float(str(t["logprob"])))
    lead = [] if form == "words" else ['{"', "score", '":', ' "']
    return [
        *({"token": t, "logprob": 0.0, "bytes": None, "top_logprobs": []} for t in lead),
        {**verdict, "top_logprobs": tops},
    ]
