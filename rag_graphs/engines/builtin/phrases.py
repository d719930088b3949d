"""Sentences that the built-in engine says itself, in the language of the question."""

from __future__ import annotations

from rag_graphs.language.phrases import PHRASES, is_phrase
from rag_graphs.language.text import detect_language

__all__ = ["PHRASES", "is_phrase", "phrase"]


def phrase(name: str, question: str, **values: str) -> str:
    """A phrase in the language of the question, or in English."""
    chosen = PHRASES.get(detect_language(question), PHRASES["en"])[name]
    for key, value in values.items():
        chosen = chosen.replace("{" + key + "}", value)
    return chosen
