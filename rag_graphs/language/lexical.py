"""How much of a question's wording a text holds."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise

from rag_graphs.language.text import Word, content, words

Idf = Callable[[str], float]
"""token -> how rare it is in the library, above 0."""


@dataclass(frozen=True)
class Term:
    """A content word of a question. A pair of Chinese or Japanese characters counts as a word."""

    surface: str
    tokens: tuple[str, ...]


def _single(word: Word) -> bool:
    return len(word.surface) == 1 and not word.surface.isascii() and not "\uac00" <= word.surface <= "\ud7a3"


@lru_cache(maxsize=1024)
def terms(question: str) -> tuple[Term, ...]:
    """The content words of a question, each once, in order."""
    kept = {word.tokens for word in content(question)}
    found: dict[tuple[str, ...], Term] = {}
    run: list[Word] = []

    def close() -> None:
        for pair in pairwise(run) if len(run) > 1 else ((w,) for w in run):
            surface = "".join(w.surface for w in pair)
            token = ("".join(w.tokens[0] for w in pair),)
            found.setdefault(token, Term(surface, token))
        run.clear()

    for word in words(question):
        if word.tokens in kept and _single(word):
            run.append(word)
            continue
        close()
        if word.tokens in kept:
            found.setdefault(word.tokens, Term(word.surface, word.tokens))
    close()
    return tuple(found.values())


@lru_cache(maxsize=8192)
def vocabulary(text: str) -> frozenset[str]:
    """The tokens of a text, and the pairs of neighbouring Chinese or Japanese characters."""
    all_words = words(text)
    singles = [w.tokens[0] if _single(w) else "" for w in all_words]
    pairs = {a + b for a, b in pairwise(singles) if a and b}
    return frozenset(pairs.union(*(w.tokens for w in all_words)))


@dataclass(frozen=True)
class Coverage:
    """The idf-weighted share (0-1) of a question's content words that a text holds, and these words as written."""

    share: float
    shared: tuple[str, ...]
    missing: tuple[str, ...]


def coverage(question: Iterable[Term], held: frozenset[str], idf: Idf) -> Coverage:
    """Coverage of the question's terms by a text's vocabulary. A Hangul word counts by the share of its bigrams. A question
    without content words has coverage 0."""
    total = covered = 0.0
    shared: list[str] = []
    missing: list[str] = []
    for term in question:
        weight = _weight(term, idf)
        part = sum(token in held for token in term.tokens) / len(term.tokens)
        total += weight
        covered += weight * part
        (shared if part > 0.5 else missing).append(term.surface)
    return Coverage(covered / total if total else 0.0, tuple(shared), tuple(missing))


def _weight(term: Term, idf: Idf) -> float:
    singles = [idf(c) for token in term.tokens for c in (token if _pair(token) else (token,))]
    return sum(singles) / len(singles)


def _pair(token: str) -> bool:
    return len(token) == 2 and "\u3041" <= token[0] <= "\u9fff"


def uniform(_: str) -> float:
    """The idf where there is no library to learn it from: every word counts the same."""
    return 1.0
