"""What a stand-in for a model says: scripted by the role of the prompt, which is told from the prompt itself."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from threading import Lock
from typing import Any

from rag_graphs.engines.prompts import PROMPTS
from rag_graphs.workspace.checks import PROMPT

ROLES = {prompt.system.splitlines()[0]: role for role, prompt in PROMPTS.items() if role != "generate_again"}
"""The first line of a prompt -> its role. No two roles share it, but for "generate_again"."""
COUNTED = {
    "grade_relevance_strict": "grade_relevance",
    "route_three": "route",
    "route_complexity": "classify_complexity",
    "decide_retrieval_attempt": "decide_retrieval",
    "rewrite_library": "rewrite",
    "rewrite_web": "rewrite",
    "keywords_web": "rewrite",
}
"""Roles of prompts that usage counts under another name."""
USAGE = (100, 10)
"""Prompt and completion tokens that every call is said to cost."""


@dataclass(frozen=True)
class Say:
    """A reply. A bool is a verdict, written in whatever form was asked for; `p_yes` adds log-probabilities to it.

    `chances`: for a JSON reply, by key, how likely each alternative of that value's first token is; every other token then
    has the probability `p_token`."""

    text: str | bool
    p_yes: float | None = None
    refusal: str | None = None
    finish: str = "stop"
    chances: dict[str, dict[str, float]] = field(default_factory=dict)
    p_token: float = 1.0


def draft_says(
    text: str = "It is 12 mm wide [1].",
    relevant: str = "relevant",
    supported: str = "fully",
    useful: int = 5,
    **more: Any,
) -> Say:
    """A draft with its judgements, as a model writes them. `more`: see Say."""
    return Say(json.dumps({"draft": text, "relevant": relevant, "supported": supported, "useful": useful}), **more)


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
    "decide_retrieval": True,
    "classify_complexity": json.dumps({"complexity": "B", "reason": "scripted"}),
    "generate_directly": "From memory: 12.",
    "draft": draft_says(),
    "grade_groundedness_levels": json.dumps({"score": "fully", "reason": "scripted"}),
    "grade_usefulness_levels": json.dumps({"score": 5, "reason": "scripted"}),
    "evaluate_retrieval": json.dumps({"score": 0.9, "reason": "scripted"}),
    "score_strips": lambda prompt: json.dumps(dict.fromkeys(re.findall(r'<document number="(\d+)"', prompt), 0.9)),
    "reason_step": "So the answer is: 12.",
    "condense_question": lambda prompt: prompt.rpartition("Follow-up question: ")[2],
}


def role_of(messages: list[dict[str, Any]]) -> str:
    """The role of a prompt, as usage counts it; "generate_again" apart."""
    system = str(messages[0]["content"])
    if system == PROMPT.system:
        return "check"
    role = ROLES[system.splitlines()[0]]
    if role == "generate" and "<rejected_answer>" in str(messages[-1]["content"]):
        return "generate_again"
    return COUNTED.get(role, role)


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
    """The reply's tokens in the form that OpenAI and Ollama share; [] where the script plans none."""
    if say.chances:
        return list(_json_tokens(say))
    if say.p_yes is None:
        return []
    chances = {"yes": say.p_yes, "no": 1 - say.p_yes}
    lead = [] if form == "words" else ['{"', "score", '":', ' "']
    return [*(_token(t) for t in lead), _token("yes" if say.p_yes >= 0.5 else "no", chances)]


def _json_tokens(say: Say) -> Iterator[dict[str, Any]]:
    """The tokens of a JSON reply: those that begin a planned value have alternatives."""
    text = str(say.text)
    begins = {m.end(): say.chances[m[1]] for m in re.finditer(r'"(\w+)": "?', text) if m[1] in say.chances}
    for found in re.finditer(r"\w+|\W", text):
        chances = begins.get(found.start())
        yield _token(found.group(), chances or {found.group(): say.p_token}, told=bool(chances))


def _token(text: str, chances: dict[str, float] | None = None, *, told: bool = True) -> dict[str, Any]:
    """A token with its alternatives, likeliest first. One that the plan does not name has the likeliest one's probability."""
    ranked = sorted((chances or {}).items(), key=lambda pair: -pair[1])
    tops = [{"token": t, "logprob": math.log(max(p, 1e-9)), "bytes": list(t.encode())} for t, p in ranked]
    own = next((t for t in tops if t["token"] == text), {"logprob": tops[0]["logprob"] if tops else 0.0})
    return {
        "token": text,
        "logprob": own["logprob"],
        "bytes": list(text.encode()),
        "top_logprobs": tops if told and chances else [],
    }
