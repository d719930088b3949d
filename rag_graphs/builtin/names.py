"""The names in a sentence: what could be looked up next."""

from __future__ import annotations

import re
from functools import lru_cache

from rag_graphs.builtin.function_words import all_function_words, fold
from rag_graphs.builtin.lexical import Idf, vocabulary
from rag_graphs.builtin.text import content

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
RARE = 3
"""Words of a sentence in a script without capitals that are taken for names: its rarest."""


def names(sentence: str, idf: Idf) -> list[str]:
    """The names in a sentence, each once, in order. A name begins with a capital; a single word at the beginning of the
    sentence is none. In a script without capitals, the rarest content words stand for names."""
    if len(_CASELESS.findall(sentence)) * 2 > len(sentence.replace(" ", "")):
        return _rarest(sentence, idf)
    return list(_capitalised(sentence))


@lru_cache(maxsize=4096)
def _capitalised(sentence: str) -> tuple[str, ...]:
    found = []
    for match in _NAME.finditer(sentence):
        name = _POSSESSIVE.sub("", match.group())
        opening, alone = not sentence[: match.start()].strip(" \"'“«("), " " not in name
        if opening and not alone and fold(name.split()[0]) in all_function_words():
            name = name.split(" ", 1)[1]
            alone = " " not in name
        elif opening and alone:
            continue
        if name[0].isupper() and not (alone and fold(name) in _CALENDAR | all_function_words()):
            found.append(name)
    return tuple(dict.fromkeys(found))


def _rarest(sentence: str, idf: Idf) -> list[str]:
    found = [w for w in content(sentence) if len(w.surface) > 1]
    kept = sorted(found, key=lambda w: -max(idf(t) for t in w.tokens))[:RARE]
    return [w.surface for w in found if w in kept]


def new_names(sentence: str, known: frozenset[str], idf: Idf) -> list[str]:
    """The names in a sentence that hold a word outside `known` (tokens)."""
    return [n for n in names(sentence, idf) if not vocabulary(n) <= known]
