"""A conversation as prompts show it: the last turns, bounded."""

from __future__ import annotations

from collections.abc import Sequence

from rag_graphs.graphs.state import Turn
from rag_graphs.language.clean_text import cut

MOST_TURNS = 6
LONGEST_QUESTION_SHOWN = 500
LONGEST_ANSWER_SHOWN = 1_000
"""Bounds beside those of `conversation.py`: the history of a fork comes from a record, which anyone may have written."""


def told(history: Sequence[Turn]) -> str:
    """The last turns, the latest at the end; each on lines of its own, cut where it is long."""
    return "\n".join(_turn(turn) for turn in history[-MOST_TURNS:]) or "(nothing)"


def _turn(turn: Turn) -> str:
    return f"User: {_line(turn.question, LONGEST_QUESTION_SHOWN)}\nAnswer: {_line(turn.answer, LONGEST_ANSWER_SHOWN)}"


def _line(text: str, limit: int) -> str:
    return cut(" ".join(text.split()), limit)
