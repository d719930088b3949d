"""A chat model as this project uses it: asked for a reply, or for a stream of text; every fault comes out in words."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from itertools import chain
from typing import TYPE_CHECKING, Any, TypeVar

from rag_graphs.engines.llm.abilities import CONTEXT, MEMORY, Abilities
from rag_graphs.engines.llm.providers import chat_model, service_of
from rag_graphs.engines.llm.service_errors import in_words
from rag_graphs.engines.prompts import Rendered
from rag_graphs.language.clean_text import estimate_tokens
from rag_graphs.settings import Settings

if TYPE_CHECKING:
    from langchain_core.language_models import BaseChatModel
    from langchain_core.messages import BaseMessage

T = TypeVar("T")
ROOM = 1_024
"""Tokens kept free for a reply in Ollama's context window."""
MOST_REPLY_TOKENS = 4_096
TOP_LOGPROBS = 5
"""Alternatives of a token: as many as the longest scale has levels; some servers give no more."""

_log = logging.getLogger(__name__)


@dataclass(frozen=True)
class Reply:
    """What a model replied. `tokens`: its log-probabilities as the server told them, [] where it told none."""

    text: str
    tokens: list[dict[str, Any]] = field(default_factory=list)


class Chat:
    """One model at one server. Made for one run: it holds a client, and with it a key."""

    def __init__(self, name: str, settings: Settings) -> None:
        """Raises SetupError where a key is missing or an address is none."""
        self.name = name
        self.service = service_of(name, settings)
        self._client = chat_model(name, settings)
        self._temperature = settings.temperature
        self._warned = False

    def ask(self, role: str, prompt: Rendered, schema: dict[str, Any] | None = None) -> Reply:
        """The reply to a prompt: JSON of `schema` where the server can, else JSON, else words. Raises ServiceError."""

        def send(abilities: Abilities) -> Reply:
            options = self._options(prompt, abilities, schema)
            message = self._model(abilities).invoke(_messages(prompt, abilities), _config(role), **options)
            return Reply(str(message.text) or str(message.additional_kwargs.get("refusal") or ""), _tokens(message))

        return self._adapting(send, structured=schema is not None)

    def stream(self, role: str, prompt: Rendered) -> Iterator[str]:
        """The reply in pieces, as they come. Raises ServiceError, also in the middle."""

        def send(abilities: Abilities) -> Iterator[Any]:
            options = self._options(prompt, abilities, None)
            chunks = self._model(abilities).stream(_messages(prompt, abilities), _config(role), **options)
            first = next(chunks, None)  # a server refuses before the first piece
            return chain([] if first is None else [first], chunks)

        chunks = self._adapting(send, structured=False)
        with in_words(self.service):
            for chunk in chunks:
                if text := str(chunk.text):
                    yield text

    def prefers_words(self) -> None:
        """Remember that this model was only understood when it was asked in words."""
        MEMORY.learn(self.service, Abilities(form="words"))

    def _adapting(self, send: Callable[[Abilities], T], *, structured: bool) -> T:
        """Ask as demandingly as this model is known to take, and less so as long as the server refuses that."""
        with in_words(self.service):
            abilities = MEMORY.of(self.service)
            while True:
                try:
                    result = send(abilities)
                except Exception as error:
                    less = abilities.without_what(error, structured=structured)
                    if less is None:
                        raise
                    abilities = less
                else:
                    MEMORY.learn(self.service, abilities)
                    return result

    def _model(self, abilities: Abilities) -> BaseChatModel:
        return self._client if abilities.temperature else self._client.model_copy(update={"temperature": None})

    def _options(self, prompt: Rendered, abilities: Abilities, schema: dict[str, Any] | None) -> dict[str, Any]:
        options: dict[str, Any] = {}
        if schema and abilities.logprobs:
            options = {"logprobs": True, "top_logprobs": TOP_LOGPROBS}
        form = abilities.form if schema else "words"
        if self.service.protocol == "ollama":
            formats = {"schema": schema, "json": "json", "words": None}
            return options | {"format": formats[form], "options": self._ollama(prompt, abilities)}
        if form != "words":
            named = {"name": "verdict", "strict": True, "schema": schema}
            wanted = {"type": "json_schema", "json_schema": named} if form == "schema" else {"type": "json_object"}
            # in extra_body, because the client's own parameter parses the reply and fails on one that is cut short
            options["extra_body"] = {"response_format": wanted}
        return options

    def _ollama(self, prompt: Rendered, abilities: Abilities) -> dict[str, Any]:
        """Ollama cuts a prompt that is longer than its window without a word, so the window is set from the prompt."""
        needed = round(1.2 * estimate_tokens(prompt.system + prompt.user)) + ROOM
        window = max(abilities.context, next((size for size in CONTEXT if size >= needed), CONTEXT[-1]))
        if needed > 0.9 * CONTEXT[-1]:
            self._warn(
                f"A prompt of about {needed - ROOM} tokens was sent to “{self.service.model}”; the window is {window}. "
                "The model may not have seen all of it. Lower the number of documents or the chunk size."
            )
        MEMORY.learn(self.service, Abilities(context=window))
        return {"temperature": self._temperature, "num_ctx": window, "num_predict": MOST_REPLY_TOKENS}

    def _warn(self, message: str) -> None:
        if not self._warned:
            self._warned = True
            warn(message)


def warn(message: str) -> None:
    """A warning for the run, from whatever thread: it goes to the handler that the runner hung on the run."""
    from langchain_core.callbacks import dispatch_custom_event

    try:
        dispatch_custom_event("warned", {"message": message})
    except RuntimeError:  # outside of a run there is nobody to show it to
        _log.warning("%s", message)


def _messages(prompt: Rendered, abilities: Abilities) -> list[BaseMessage]:
    from langchain_core.messages import HumanMessage, SystemMessage

    system, user = (_encodable(part) for part in prompt)
    if system and abilities.system:
        return [SystemMessage(system), HumanMessage(user)]
    return [HumanMessage(f"{system}\n\n{user}".strip())]


def _encodable(text: str) -> str:
    """Half of a surrogate pair, which a model can write in JSON and is told again, would break off the next request."""
    return text.encode("utf-8", "replace").decode()


def _config(role: str) -> Any:
    return {"tags": [f"role:{role}"], "run_name": role}


def _tokens(message: BaseMessage) -> list[dict[str, Any]]:
    told = message.response_metadata.get("logprobs")
    entries = told.get("content") if isinstance(told, dict) else told
    if not isinstance(entries, list):
        return []
    plain = [
        e.model_dump() if hasattr(e, "model_dump") else e for e in entries
    ]  # Ollama's client makes objects of them
    return [e for e in plain if isinstance(e, dict)]
