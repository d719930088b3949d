"""Asking for something that has to be read out of the reply: what cannot be read is asked for once more."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

from rag_graphs.engines.llm.chat import Chat, Reply
from rag_graphs.engines.prompts import Rendered

T = TypeVar("T")
AGAIN = "\n\nAn earlier reply could not be read. "


def asked(
    chat: Chat, role: str, prompt: Rendered, schema: dict[str, Any], wanted: str, read: Callable[[str], T | None]
) -> tuple[T | None, Reply]:
    """What `read` makes of a reply, None where it can make nothing of it twice, and the last reply. `wanted` says in a
    sentence what the reply should be; the second time the model is asked in words. Raises ServiceError."""
    reply = chat.ask(role, prompt, schema)
    found = read(reply.text)
    if found is None:
        reply = chat.ask(role, prompt._replace(user=f"{prompt.user}{AGAIN}{wanted}"))
        found = read(reply.text)
    return found, reply
