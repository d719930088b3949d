"""Keywords of a question for a web search: at most three, comma separated, the most important first (CRAG, 4.5)."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import permutations

from rag_graphs.language.lexical import Idf
from rag_graphs.language.text import Word, content, unspaced, words

MOST = 3
"""Keywords at most."""
_WORDS = 4
"""Words of a keyword at most."""
_CHARACTERS = 12
"""Characters of a keyword at most, where words are not written apart."""


def keywords(question: str, idf: Idf) -> list[str]:
    """The keywords of a question as written in it, most important first: words that stand side by side are one keyword, and a
    name is one of its own. The question itself if it has no content words; nothing for a question without words."""
    phrases = {p: _weight(run, idf) for run in _runs(question) if (p := _joined(run))}
    if not phrases:
        plain = " ".join(question.replace(",", " ").split())
        return [plain] if plain else []
    return sorted(phrases, key=lambda p: -phrases[p])[:MOST]


def other_keywords(known: list[str], near: list[str]) -> Iterator[tuple[list[str], str]]:
    """Further sets of at most three keywords, each with what was done: fewer of them, one with a term of what was found, and
    last another order."""
    for count in range(len(known) - 1, 0, -1):
        yield known[:count], f"Kept the {count} most important keywords." if count > 1 else "Kept one keyword alone."
    for term in near:
        yield [*known[: MOST - 1], term], f"Added a term of what was found to the keywords: {term}."
    for word in known[1:]:
        yield [word], "Kept another keyword alone."
    for order in permutations(known):
        yield list(order), "Changed the order of the keywords."


def _runs(question: str) -> Iterator[list[Word]]:
    """Content words with nothing but a space or a hyphen between them. A Korean particle ends a run, and so does the
    beginning or the end of a name."""
    kept = {word.tokens for word in content(question)}
    run: list[Word] = []
    end = 0
    for word in words(question):
        start = question.find(word.surface, end)
        gap = question[end:start] if start >= 0 else "?"
        if run and (word.tokens not in kept or gap.strip(" -‐‑") or _starts_anew(run, word)):
            yield run
            run = []
        if word.tokens in kept:
            run.append(word)
        end = max(end, start + len(word.surface))
    if run:
        yield run


def _starts_anew(run: list[Word], word: Word) -> bool:
    named = _is_name(word) != _is_name(run[-1])
    first = len(run) == 1 and run[0].surface[:1].isupper()
    return len(run) >= (_CHARACTERS if unspaced(word) else _WORDS) or (named and not (first and _is_name(word)))


def _is_name(word: Word) -> bool:
    return word.surface[:1].isupper()


def _joined(run: list[Word]) -> str:
    text = ""
    for before, word in zip([None, *run], run, strict=False):
        apart = before and not (unspaced(before) and unspaced(word))
        text += (" " if apart else "") + word.surface
    return text


def _weight(run: list[Word], idf: Idf) -> float:
    """How rare the words are in the library, together: a longer keyword says more."""
    return sum(sum(idf(t) for t in word.tokens) / len(word.tokens) for word in run)
