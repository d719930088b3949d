"""A follow-up question made to stand alone, with the subject of the question before it."""

from __future__ import annotations

import re

from rag_graphs.builtin.rewriter import key_phrase
from rag_graphs.state import Rewrite, Turn

_PRONOUN = re.compile(r"\b(?:it|they|them|that|this|these|those|he|she|him|her)\b", re.IGNORECASE)


def condense(question: str, history: list[Turn]) -> Rewrite:
    """The question with what it leaves out; unchanged where it stands alone."""
    if not history or not _PRONOUN.search(question):
        return Rewrite(query=question)
    subject = key_phrase(history[-1].question)
    return Rewrite(query=f"{question} ({subject})", note=f"Added the subject of the question before it: {subject}.")
