"""The names in a sentence: what could be looked up next."""

from __future__ import annotations

import re
from functools import cache, lru_cache

from rag_graphs.language.function_words import all_function_words, fold
from rag_graphs.language.lexical import vocabulary
from rag_graphs.language.word_lists import word_lists

_UPPER = "A-ZÀ-ÖØ-ÞŁŚŻŠČŽĐΑ-ΩА-ЯЁ"
_WORD = rf"[{_UPPER}](?:[\w'’-]|\.(?=\w))*"
_POSSESSIVE = re.compile(r"['’]s$")
_CASELESS = re.compile(r"[\u0590-\u06ff\u0900-\u0dff\u0e00-\u0eff\u3041-\u30ff\u3400-\u9fff\uac00-\ud7a3]")


def names(sentence: str) -> list[str]:
    """The names in a sentence, each once, in order: a name begins with a capital, and a single word at the beginning of the
    sentence is none. A script without capitals shows no names."""
    return list(_capitalised(sentence))


def has_capitals(text: str) -> bool:
    """Whether most of a text is in a script that has capitals."""
    return 2 * len(_CASELESS.findall(text)) <= sum(c.isalpha() for c in text)


@lru_cache(maxsize=4096)
def _capitalised(sentence: str) -> tuple[str, ...]:
    found = []
    for match in _name().finditer(sentence):
        parts = _POSSESSIVE.sub("", match.group()).split(" ")
        if not sentence[: match.start()].strip(" \"'“«(") and not _grammar(parts[0]):
            parts = parts if len(parts) > 1 else []  # a word that only stands at the beginning
        while parts and (_grammar(parts[0]) or parts[0].islower()):
            parts = parts[1:]
        if parts and not (len(parts) == 1 and fold(parts[0]) in _calendar()):
            found.append(" ".join(parts))
    return tuple(dict.fromkeys(found))


@cache
def _name() -> re.Pattern[str]:
    link = f"(?:{'|'.join(_words('links'))})"
    return re.compile(
        rf"(?<![\w.])(?:Dr\.\s|St\.\s|"
        rf"(?:[{_UPPER}]\.\s?)+)?{_WORD}(?:\s+(?:{link}\s+){{0,2}}(?:[{_UPPER}]\.\s?)*{_WORD})*"
    )


@cache
def _calendar() -> frozenset[str]:
    return frozenset(fold(word) for word in _words("calendar"))


def _words(key: str) -> dict[str, None]:
    """Return the words of every language at a key, each once, in order."""
    lists = word_lists(__file__, "names")
    return dict.fromkeys(word for language in lists.having(key) for word in lists.words(language, key))


def _grammar(word: str) -> bool:
    return fold(word) in all_function_words()


def new_names(sentence: str, known: frozenset[str]) -> list[str]:
    """The names in a sentence that hold a word outside `known` (tokens)."""
    return [n for n in names(sentence) if not vocabulary(n) <= known]
