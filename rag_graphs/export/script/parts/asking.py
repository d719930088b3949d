"""The chat model: asked in words, or for JSON of a schema with the probabilities of its tokens."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from functools import cache
from typing import Any, TypeVar

from langchain_openai import ChatOpenAI
from openai import BadRequestError, UnprocessableEntityError

from rag_graphs.export.script.parts.given import MODELS, PROMPTS, SETTINGS, Prompt

T = TypeVar("T")
REFUSED: set[int] = set()
"""The ways to ask that the server has refused."""


@dataclass(frozen=True)
class Reply:
    """What the model replied. `tokens`: their probabilities as the server told them, [] where it told none."""

    text: str
    tokens: list[dict[str, Any]] = field(default_factory=list)


def filled(role: str, **values: object) -> Prompt:
    """The prompt of a role with its values in place, put in once: a brace inside a value is no variable."""

    def fill(text: str) -> str:
        return re.sub(r"\{([a-z][a-z_]*)\}", lambda match: str(values[match.group(1)]), text)

    return Prompt(fill(PROMPTS[role].system), fill(PROMPTS[role].user))


@cache
def model(role: str) -> ChatOpenAI:
    """The client of a role's model. It reads OPENAI_API_KEY and OPENAI_BASE_URL from the environment by itself."""
    return ChatOpenAI(
        model=MODELS[role], temperature=SETTINGS.temperature, timeout=SETTINGS.timeout, use_responses_api=False
    )


def ask(role: str, prompt: Prompt, schema: dict[str, Any] | None = None) -> Reply:
    """The reply to a prompt. With a schema the model is asked for JSON, less strictly where the server refuses that."""
    messages = [("system", prompt.system), ("human", prompt.user)] if prompt.system else [("human", prompt.user)]
    ways = list(enumerate(_ways(schema)))
    for way, options in ways:
        if way in REFUSED and way != ways[-1][0]:
            continue
        try:
            message = model(role).invoke(messages, **options)
        except (BadRequestError, UnprocessableEntityError):
            if way == ways[-1][0]:
                raise
            REFUSED.add(way)
        else:
            told = message.response_metadata.get("logprobs") or {}
            return Reply(str(message.text), told.get("content") or [])
    raise AssertionError("the last way returns or raises")


def _ways(schema: dict[str, Any] | None) -> Iterator[dict[str, Any]]:
    """From the strictest way to ask to plain words."""
    if schema:
        named = {"name": "reply", "strict": True, "schema": schema}
        # in extra_body, because the client's own parameter parses the reply and fails on one that is cut short
        strict = {"extra_body": {"response_format": {"type": "json_schema", "json_schema": named}}}
        yield {"logprobs": True, "top_logprobs": 5, **strict}
        yield strict
        yield {"extra_body": {"response_format": {"type": "json_object"}}}
    yield {}


def side_by_side(calls: Sequence[Callable[[], T]]) -> Iterator[tuple[int, T]]:
    """(index, result) of each call, eight at a time, in their order."""
    with ThreadPoolExecutor(8) as pool:
        yield from enumerate(pool.map(lambda call: call(), calls))
