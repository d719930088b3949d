"""CRAG's retrieval evaluator on a chat model: a score for each document, and for each strip of a document."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import Any

from rag_graphs.engines.llm.asked_twice import asked
from rag_graphs.engines.llm.chat import Chat, warn
from rag_graphs.engines.llm.fields import first, named
from rag_graphs.engines.llm.graders import unclear, unreadable
from rag_graphs.engines.llm.shares import read_share, read_shares
from rag_graphs.engines.llm.side_by_side import Once, settled
from rag_graphs.engines.prompts import Rendered, numbered, render
from rag_graphs.graphs.state import Document, Grade, Thresholds
from rag_graphs.settings import Settings

SCORE: dict[str, Any] = {
    "type": "object",
    "properties": {"score": {"type": "number"}, "reason": {"type": "string"}},
    "required": ["score", "reason"],
    "additionalProperties": False,
}
WANTED = "Reply with one number from 0 to 1 and nothing else."
MOST_STRIPS = 20
"""Strips in one call at most: a longer list of numbers is counted wrongly by small models."""
MOST_CHARACTERS = 8_000
"""Of the strips in one call; a single longer one still gets its call."""
Part = tuple[int, int, list[str]]
"""Index of the document, index of the first strip, the strips."""


def thresholds_of(model: str) -> Thresholds:
    """Those of the scales that the prompts describe, not measured: which model will be asked is not known here. A document that
    states the answer (1.0) or a part of it (0.7) is over 0.6, one on the subject (0.4) lies between, one about something else
    (0.0) is under 0.2; a strip that states something of use (0.7) is over 0.5, one that is only on the subject (0.3) is not.
    Each pair of levels is cut near its middle."""
    return Thresholds(evaluator=model, upper=0.6, lower=0.2, strip=0.5)


class Evaluator:
    """Scores documents and strips. Identical requests of a run are asked once."""

    def __init__(self, chat: Chat, settings: Settings) -> None:
        self._chat, self._settings = chat, settings
        self._grades: Once[Grade] = Once()
        self._scores: Once[list[float | None]] = Once()

    @property
    def thresholds(self) -> Thresholds:
        """Those of this model."""
        return thresholds_of(self._chat.name)

    def evaluate(self, question: str, documents: list[Document]) -> Iterator[tuple[int, Grade]]:
        """A relevance grade with a score in 0-1 for each document, side by side; the score is None where none could be read."""

        def call(document: Document) -> Grade:
            shown = numbered([(document.title, document.text)])
            prompt = render("evaluate_retrieval", self._settings.prompts, question=question, document=shown)
            return self._grades(prompt, lambda: self._evaluated(prompt))

        yield from settled([partial(call, d) for d in documents], lambda _, error: unclear("relevance", str(error)))

    def _evaluated(self, prompt: Rendered) -> Grade:
        score, reply = asked(self._chat, "evaluate_retrieval", prompt, SCORE, WANTED, read_share)
        if score is None:
            return unclear("relevance", unreadable("gave no score from 0 to 1", reply.text))
        reason = first(named(reply.text, ("reason",)), ("reason",))[:300]
        return Grade(aspect="relevance", passed=None, label="", score=score, reason=reason)

    def score_strips(self, question: str, strips: list[list[str]]) -> Iterator[tuple[int, list[float | None]]]:
        """The score in 0-1 of each strip, document by document as they land: one call a document, several for one with many
        strips, all side by side. None where no score could be had."""
        parts = [part for index, own in enumerate(strips) for part in _parts(index, own)]
        scores: list[list[float | None]] = [[None] * len(own) for own in strips]
        left = [sum(part[0] == index for part in parts) for index in range(len(strips))]
        calls = [partial(self._scored, question, part[2]) for part in parts]
        for at, found in settled(calls, lambda index, error: _failed(parts[index], str(error))):
            index, begin, own = parts[at]
            scores[index][begin : begin + len(own)] = found
            left[index] -= 1
            if not left[index]:
                yield index, scores[index]

    def _scored(self, question: str, strips: list[str]) -> list[float | None]:
        shown = numbered([("", strip) for strip in strips])
        prompt = render("score_strips", self._settings.prompts, question=question, strips=shown)
        return self._scores(prompt, lambda: self._asked(prompt, len(strips)))

    def _asked(self, prompt: Rendered, count: int) -> list[float | None]:
        read: list[list[float | None]] = []

        def complete(reply: str) -> list[float | None] | None:
            read.append(read_shares(reply, count))
            return None if None in read[-1] else read[-1]

        wanted = (
            f"Reply with one JSON object and nothing else: a number from 0 to 1 under each of the keys 1 to {count}."
        )
        found, _ = asked(self._chat, "score_strips", prompt, _numbers(count), wanted, complete)
        return found or min(read, key=lambda scores: scores.count(None))


def _parts(index: int, strips: list[str]) -> Iterator[Part]:
    """A document's strips in parts that fit into a call."""
    begin, size = 0, 0
    for at, strip in enumerate(strips):
        if at > begin and (at - begin == MOST_STRIPS or size + len(strip) > MOST_CHARACTERS):
            yield index, begin, strips[begin:at]
            begin, size = at, 0
        size += len(strip)
    if strips:
        yield index, begin, strips[begin:]


def _failed(part: Part, error: str) -> list[float | None]:
    warn(f"Some strips of a document could not be scored. {error}")
    return [None] * len(part[2])


def _numbers(count: int) -> dict[str, Any]:
    """The schema of a score for each number: a server that follows it leaves none out."""
    keys = [str(n) for n in range(1, count + 1)]
    return {
        "type": "object",
        "properties": {key: {"type": "number"} for key in keys},
        "required": keys,
        "additionalProperties": False,
    }
