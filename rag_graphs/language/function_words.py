"""Words that say nothing about the subject of a text: they carry grammar, say how an answer should look, or belong to the form
of a question for a purpose ("What is it good for?"). The lists are in `data/`, a table for each language."""

from __future__ import annotations

import re
from functools import cache

from rag_graphs.language.casefold import fold
from rag_graphs.language.word_lists import word_lists

__all__ = ["all_function_words", "asking_words", "fold", "function_words", "purpose_words"]


@cache
def function_words(language: str) -> frozenset[str]:
    """Return the folded function words of a language; none for a language that has no list."""
    lists = word_lists(__file__, "function_words")
    return frozenset(fold(w) for w in lists.words(language, "words")) if language in lists.having() else frozenset()


@cache
def all_function_words() -> frozenset[str]:
    """Return the function words of every language that has a list."""
    return frozenset().union(
        *(function_words(language) for language in word_lists(__file__, "function_words").having())
    )


@cache
def asking_words() -> frozenset[str]:
    """Return the folded words that say how the answer should look, not what it is about."""
    lists = word_lists(__file__, "asking_words")
    return frozenset(fold(w) for language in lists.having() for w in lists.words(language, "words"))


def purpose_words(text: str) -> list[re.Pattern[str]]:
    """Return patterns of the words that belong to the form of a question for a purpose; none where the text is none."""
    return [words for question, words in _purposes() if question.search(text)]


@cache
def _purposes() -> list[tuple[re.Pattern[str], re.Pattern[str]]]:
    lists = word_lists(__file__, "purpose_questions")
    return [(lists.either(language, "question"), lists.either(language, "words")) for language in lists.having()]
