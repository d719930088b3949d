"""The names in a sentence: what could be looked up next."""

from __future__ import annotations

import re
from functools import lru_cache

from rag_graphs.language.function_words import all_function_words, fold
from rag_graphs.language.lexical import vocabulary

_UPPER = "A-ZÀ-ÖØ-ÞŁŚŻŠČŽĐΑ-ΩА-ЯЁ"
_WORD = rf"[{_UPPER}](?:[\w'’-]|\.(?=\w))*"
_LINK = r"(?:of|the|de|del|della|di|da|do|du|la|le|van|von|der|den|and|y|e|et|und|en)"
_NAME = re.compile(
    rf"(?<![\w.])(?:Dr\.\s|St\.\s|"
    rf"(?:[{_UPPER}]\.\s?)+)?{_WORD}(?:\s+(?:{_LINK}\s+){{0,2}}(?:[{_UPPER}]\.\s?)*{_WORD})*"
)
_POSSESSIVE = re.compile(r"['’]s$")
_MONTHS_AND_DAYS = """january february march april may june july august september october november december monday tuesday
    wednesday thursday friday saturday sunday januar februar märz mai juni juli oktober dezember"""
_CALENDAR = frozenset(fold(w) for w in _MONTHS_AND_DAYS.split())
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
    for match in _NAME.finditer(sentence):
        parts = _POSSESSIVE.sub("", match.group()).split(" ")
        if not sentence[: match.start()].strip(" \"'“«(") and not _grammar(parts[0]):
            parts = parts if len(parts) > 1 else []  # a word that only stands at the beginning
        while parts and (_grammar(parts[0]) or parts[0].islower()):
            parts = parts[1:]
        if parts and not (len(parts) == 1 and fold(parts[0]) in _CALENDAR):
            found.append(" ".join(parts))
    return tuple(dict.fromkeys(found))


def _grammar(word: str) -> bool:
    return fold(word) in all_function_words()


def new_names(sentence: str, known: frozenset[str]) -> list[str]:
    """The names in a sentence that hold a word outside `known` (tokens)."""
    return [n for n in names(sentence) if not vocabulary(n) <= known]
