"""What a model at a server takes: found out once, by what the server refuses, and remembered while the process runs.

The memory is shared by everybody, so it holds the server's address and the model's name, never a key.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from threading import Lock
from typing import Literal

from rag_graphs.engines.llm.providers import Service
from rag_graphs.engines.llm.service_errors import status_of, text_of

Form = Literal["schema", "json", "words"]
MOST_REMEMBERED = 500
_FORMS: tuple[Form, ...] = ("schema", "json", "words")
CONTEXT = (4_096, 8_192, 16_384, 32_768)
"""Sizes of Ollama's context window to choose from, in tokens. Few, because each change loads the model again."""


@dataclass(frozen=True)
class Abilities:
    """How a verdict is asked for: its form, with log-probabilities or not, with a temperature, a system message.
    `context`: the largest window that a prompt needed so far, in tokens (Ollama)."""

    form: Form = "schema"
    logprobs: bool = True
    temperature: bool = True
    system: bool = True
    context: int = CONTEXT[0]

    def and_also(self, other: Abilities) -> Abilities:
        """What both of them allow, and the larger window."""
        return Abilities(
            form=max(self.form, other.form, key=_FORMS.index),
            logprobs=self.logprobs and other.logprobs,
            temperature=self.temperature and other.temperature,
            system=self.system and other.system,
            context=max(self.context, other.context),
        )

    def without_what(self, error: BaseException, *, structured: bool) -> Abilities | None:
        """The next less demanding way to ask after the server refused this one; None where the refusal has another
        reason, or nothing is left to leave out."""
        if status_of(error) not in (400, 403, 422, 500, 501):
            return None
        text = text_of(error).casefold()
        for ability, words in (
            ("temperature", "temperature"),
            ("logprobs", "logprob"),
            ("system", "system.{0,40}role|role.{0,40}system"),
        ):
            if getattr(self, ability) and re.search(words, text):
                return replace(self, **{ability: False})  # type: ignore[arg-type]
        about_form = re.search(r"response_format|json|schema|grammar|format", text)
        if not structured or self.form == "words" or not (about_form or status_of(error) in (400, 422)):
            return None
        if re.search(r"context|too long|maximum|memory|not found", text) and not about_form:
            return None
        if self.logprobs and not about_form:
            return replace(self, logprobs=False)
        return replace(self, form="json" if self.form == "schema" else "words")


class _Memory:
    def __init__(self) -> None:
        self._lock = Lock()
        self._known: dict[Service, Abilities] = {}

    def of(self, service: Service) -> Abilities:
        with self._lock:
            return self._known.get(service, Abilities())

    def learn(self, service: Service, abilities: Abilities) -> None:
        """Remember what was found out. Demands only ever sink, so that two runs at once cannot undo each other."""
        with self._lock:
            self._known[service] = self._known.pop(service, abilities).and_also(abilities)
            while len(self._known) > MOST_REMEMBERED:
                del self._known[next(iter(self._known))]

    def forget(self) -> None:
        with self._lock:
            self._known.clear()


MEMORY = _Memory()
