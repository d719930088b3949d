"""Generator and rewriter on a chat model. Where a model writes nothing of use, the built-in one steps in and says so."""

from __future__ import annotations

import re
from collections.abc import Callable, Generator, Iterator
from dataclasses import replace

from rag_graphs.engines.llm.chat import Chat, warn
from rag_graphs.engines.llm.past_turns import told
from rag_graphs.engines.llm.replies import MarkerFilter, citations, keywords_of, query_of, visible
from rag_graphs.engines.prompts import Rendered, led_by, numbered, render
from rag_graphs.graphs.components import Components, GenerateAnswer, GenerateRequest, RewriteRequest
from rag_graphs.graphs.state import Draft, Rewrite
from rag_graphs.language.phrases import is_abstaining
from rag_graphs.settings import Settings

NOT_FOUND = "NOT_FOUND"
MARK = f"\n\nIf the documents do not hold the answer, begin your reply with the word {NOT_FOUND}."
UNKNOWN = f"\n\nIf you do not know the answer, begin your reply with the word {NOT_FOUND}."
UNGIVEN = "It states what the documents do not state, or it does not answer the question."
"""Why an attempt was rejected, where its grader gave no reason."""
AIMS = {"library": "rewrite_library", "web": "rewrite_web", "keywords": "keywords_web"}
"""The prompt for each aim of a rewriter."""
LONGEST_ANSWER = 8_000
"""Characters after which an answer is cut off: a model that goes round in circles writes for ever."""
LONGEST_REPLY = 100_000
"""The same for all that a model sends, thinking included."""


class Writer:
    """Writes answers: from numbered documents, or from what the model knows."""

    def __init__(self, chat: Chat, settings: Settings, fallback: Components) -> None:
        self._chat, self._settings, self._fallback = chat, settings, fallback

    def generate(self, request: GenerateRequest) -> Iterator[str | Draft]:
        """Pieces of the answer, without thinking, then the draft. Nothing to write from is said without a call."""
        if not request.documents:
            yield from self._not_found(request)
            return
        draft = yield from self._written("generate", self._prompt(request))
        if draft.text:
            yield draft
        elif draft.abstained:
            yield from self._not_found(request)
        else:
            yield from self._instead(self._fallback.generate, request)

    def generate_directly(self, request: GenerateRequest) -> Iterator[str | Draft]:
        """As `generate`, without any document, in the light of the conversation so far."""
        values = {"history": told(request.history), "question": request.question}
        prompt = render("generate_directly", self._settings.prompts, sentences=self._settings.max_sentences, **values)
        draft = yield from self._written("generate_directly", _marked(prompt, UNKNOWN))
        if draft.text:
            yield draft
        elif draft.abstained:
            yield from self._fallback.generate_directly(request)
        else:
            yield from self._instead(self._fallback.generate_directly, request)

    def _written(self, role: str, prompt: Rendered) -> Generator[str, None, Draft]:
        """Pieces of a text as they come, bounded; then all of it."""
        marker = MarkerFilter(NOT_FOUND)
        written = ""
        for piece in marker.feed(visible(_bounded(self._chat.stream(role, prompt), LONGEST_REPLY))):
            room = LONGEST_ANSWER - len(written)
            written += piece[:room]
            yield piece[:room]
            if len(piece) > room:
                warn("The answer became far too long and was cut off.")
                break
        text = citations(written).strip()
        # a small model says in words what it was asked to say with the marker
        abstained = marker.leading or (marker.seen and not re.search(r"\[\d+\]", text)) or is_abstaining(text)
        return Draft(text=text, abstained=abstained)

    def _instead(self, write: GenerateAnswer, request: GenerateRequest) -> Iterator[str | Draft]:
        warn(f"The model “{self._chat.service.model}” wrote nothing. This answer is the built-in engine's.")
        yield from write(request)

    def _not_found(self, request: GenerateRequest) -> Iterator[str | Draft]:
        """The built-in engine's sentence for it, in the language of the question."""
        yield from self._fallback.generate(replace(request, documents=[], rejected=[]))

    def _prompt(self, request: GenerateRequest) -> Rendered:
        values = {
            "question": request.question,
            "documents": numbered([(d.title, d.text) for d in request.documents]),
            "sentences": self._settings.max_sentences,
            "chain": led_by(request.chain),
        }
        if request.previous:
            values |= {"previous": request.previous, "feedback": request.feedback or UNGIVEN}
        role = "generate_again" if request.previous else "generate"
        return _marked(render(role, self._settings.prompts, **values), MARK)


def _marked(prompt: Rendered, mark: str) -> Rendered:
    """A prompt that asks for the marker, in its constant part if it has one."""
    return Rendered(prompt.system + mark, prompt.user) if prompt.system else Rendered("", prompt.user + mark)


class Rewriter:
    """Puts a question into other words for the next search, or names its keywords."""

    def __init__(self, chat: Chat, settings: Settings, describe: Callable[[], str], fallback: Components) -> None:
        self._chat, self._settings, self._describe, self._fallback = chat, settings, describe, fallback

    def rewrite(self, request: RewriteRequest) -> Rewrite:
        """The model's query; the built-in rewriter's where the model gives none or one that was tried."""
        values = {"question": request.question, "queries": "\n".join(f"- {q}" for q in request.queries)}
        if request.aim == "library":
            values["description"] = self._describe()
        reply = self._chat.ask("rewrite", render(AIMS[request.aim], self._settings.prompts, **values))
        query = keywords_of(reply.text) if request.aim == "keywords" else query_of(reply.text)
        tried = {_folded(q) for q in request.queries}
        if query and (_folded(query) not in tried or request.aim != "library"):
            return Rewrite(query=query)
        what = "repeated a query that was tried" if query else "gave no query"
        other = self._fallback.rewrite(request)
        return replace(other, note=f"The model {what}; the built-in rewriter wrote this one. {other.note}".strip())


def _folded(query: str) -> str:
    return re.sub(r"[\W_]+", " ", query.casefold()).strip()


def _bounded(pieces: Iterator[str], limit: int) -> Iterator[str]:
    left = limit
    for piece in pieces:
        yield piece[:left]
        left -= len(piece)
        if left <= 0:
            return
