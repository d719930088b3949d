"""A conversation: questions that follow one another. Each is a run of its own, which is told what went before it."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Protocol

from rag_graphs.errors import SettingsError
from rag_graphs.graphs.state import Turn
from rag_graphs.language.clean_text import cut

MOST_TURNS = 6
LONGEST_ANSWER = 1000
LONGEST_ASKED = 2000
"""Characters. A model may have written the question that stands alone, so it has a bound of its own."""
NAME = re.compile(r"[A-Za-z0-9_-]{1,64}")
CITATION = re.compile(r"\s*\[\d{1,3}\]")


class PastTurn(Protocol):
    """A run of a conversation as it is kept. `condensed`: its question in words that stand alone, empty where it did already;
    `stop_reason`: empty while it runs."""

    @property
    def question(self) -> str: ...
    @property
    def condensed(self) -> str: ...
    @property
    def answer(self) -> str: ...
    @property
    def stop_reason(self) -> str: ...


def is_conversation(conversation: str) -> bool:
    """Whether this can be a conversation's id."""
    return NAME.fullmatch(conversation) is not None


def named(conversation: str) -> str:
    """A conversation's id. Raises SettingsError for what is none."""
    if not is_conversation(conversation):
        raise SettingsError("A conversation's name has 1 to 64 characters: letters of English, digits, - and _.")
    return conversation


def history(rows: Iterable[PastTurn]) -> list[Turn]:
    """What the next question is told: the last turns, oldest first. A run without an answer is no turn: it goes on still, or
    it failed or was stopped too early.

    A question is told as it was understood, because that stands alone; with "And there?" nobody could do anything. An answer
    is told without its citations: their numbers belong to other documents than those of the next run.
    """
    turns = [row for row in rows if row.answer and row.stop_reason]
    return [turn(row.condensed or row.question, row.answer) for row in turns[-MOST_TURNS:]]


def turn(question: str, answer: str) -> Turn:
    """A question and its answer as a later question is told them."""
    return Turn(question=cut(question, LONGEST_ASKED), answer=cut(without_citations(answer), LONGEST_ANSWER))


def without_citations(answer: str) -> str:
    """An answer without the numbers of its documents."""
    return CITATION.sub("", answer)
