"""The chat model: asked in words, or for JSON."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from typing import Any, NamedTuple

from langchain_openai import ChatOpenAI
from openai import BadRequestError, UnprocessableEntityError

from rag_graphs.export.script.parts.given import MODELS, PROMPTS, SETTINGS
from rag_graphs.graphs.state import Document

# reasoning that some models write before they reply; it may lack its opening or its closing mark
THINKING = re.compile(r"(?is)<(think\w*|reasoning)>.*?(?:</\1>|\Z)|\A(?:(?!<think).)*</think\w*>")
Messages = tuple[tuple[str, str], ...]
REFUSED: set[int] = set()  # ways to ask for JSON that the server has refused


class Reply(NamedTuple):
    """A model's reply with the probabilities of its tokens, [] where the server gives none."""

    text: str
    tokens: list[dict[str, Any]]


@cache
def model(role: str) -> ChatOpenAI:
    """Return the client of a role's model. It reads OPENAI_API_KEY and OPENAI_BASE_URL by itself."""
    options = {"temperature": SETTINGS.temperature, "timeout": SETTINGS.timeout, "use_responses_api": False}
    return ChatOpenAI(model=MODELS[role], **options)


def filled(prompt: str, rule: str = "", **values: object) -> Messages:
    """Return a prompt's messages with their {variables} filled in, and a rule at the end of the first one."""
    texts = [re.sub(r"\{([a-z][a-z_]*)\}", lambda name: str(values[name[1]]), text) for text in PROMPTS[prompt]]
    (role, first), *others = [pair for pair in zip(("system", "human"), texts, strict=True) if pair[1]]
    return ((role, first + rule), *others)


def ask(role: str, messages: Messages) -> str:
    """Ask a model in words."""
    return THINKING.sub("", str(model(role).invoke(list(messages)).text)).strip()


def ask_for_json(role: str, messages: Messages, **properties: object) -> Reply:
    """Ask a model for a JSON object of these properties, less strictly each time that the server refuses."""
    schema = {"type": "object", "properties": properties, "required": [*properties], "additionalProperties": False}
    json_schema = {"type": "json_schema", "json_schema": {"name": "reply", "strict": True, "schema": schema}}
    strict = {"extra_body": {"response_format": json_schema}}
    loose = {"extra_body": {"response_format": {"type": "json_object"}}}
    ways: list[dict[str, Any]] = [{"logprobs": True, "top_logprobs": 5, **strict}, strict, loose, {}]
    while True:
        way = len(REFUSED)
        try:
            message = model(role).invoke(list(messages), **ways[way])
        except (BadRequestError, UnprocessableEntityError):
            if not ways[way]:
                raise
            REFUSED.add(way)
        else:
            told = message.response_metadata.get("logprobs") or {}
            return Reply(THINKING.sub("", str(message.text)).strip(), told.get("content") or [])


def json_of(text: str) -> dict[str, Any]:
    """Return the first JSON object of a reply, {} where there is none."""
    for brace in re.finditer(r"\{", text):
        try:
            value, _ = json.JSONDecoder().raw_decode(text, brace.start())
        except (ValueError, RecursionError):
            continue
        if isinstance(value, dict):
            return value
    return {}


def side_by_side(function: Callable[[Any], Any], items: Sequence[Any]) -> Iterator[tuple[int, Any]]:
    """Call a function on each item, eight at a time; return the results with their indexes."""
    with ThreadPoolExecutor(8) as pool:
        yield from enumerate(pool.map(function, items))


def shown(documents: Sequence[Document]) -> str:
    """Number documents from 1 and fence them for a prompt, so that none can end its own fence."""
    blocks = []
    for number, document in enumerate(documents, 1):
        title = re.sub(r'[<>"\s]+', " ", document.title).strip()
        body = re.sub(r"<(?=\s*/?\s*document)", "‹", document.text, flags=re.IGNORECASE).strip()
        blocks.append(f'<document number="{number}" title="{title}">\n{body}\n</document>')
    return "\n\n".join(blocks) or "(no documents)"
