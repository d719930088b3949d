"""Greetings, thanks, goodbyes and "who are you?": what needs no source because it asks for no fact of the world.

How they are said in each language, and what the engine replies, is in `data/small_talk.toml`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from typing import Literal

from rag_graphs.engines.builtin.claims import flat
from rag_graphs.language.casefold import fold
from rag_graphs.language.word_lists import WordLists, word_lists

Talk = Literal["greeting", "thanks", "goodbye", "identity"]

LONGEST = 120
"""Characters; whoever writes more asks for something."""

_RANK: tuple[Talk, ...] = ("identity", "goodbye", "thanks", "greeting")


@dataclass(frozen=True)
class SmallTalk:
    """What was said, in which language, and the engine's reply."""

    talk: Talk
    language: str
    reply: str


def small_talk(text: str) -> SmallTalk | None:
    """What a text says if it is small talk from beginning to end; None if it says anything else."""
    if len(text) > LONGEST:
        return None
    said = flat(text)
    for language in _lists().having():
        talks = _consumed(said, language)
        if talks:
            talk = min(talks, key=_RANK.index)
            return SmallTalk(talk, language, _lists().text(language, "replies", talk))
    return None


def _consumed(said: str, language: str) -> list[Talk]:
    """The kinds of small talk that a text consists of; none where something is left over."""
    found: list[Talk] = []
    while said:
        match = _pattern(language).match(said)
        if not match:
            return []
        found += [talk for talk in _RANK if talk == match.lastgroup]
        said = said[match.end() :].lstrip()
    return found


@cache
def _lists() -> WordLists:
    return word_lists(__file__, "small_talk")


@cache
def _pattern(language: str) -> re.Pattern[str]:
    lists = _lists()
    kinds = [f"(?P<{talk}>{'|'.join(_longest_first(lists.forms(language, talk)))})" for talk in _RANK]
    if language in lists.having("addressed"):
        kinds.append(f"(?P<addressed>{fold('|'.join(lists.forms(language, 'addressed')))})")
    end = "" if language in ("zh", "ja") else r"(?!\w)"
    return lists.compile(f"(?:{'|'.join(kinds)}){end}", language)


def _longest_first(forms: Iterable[str]) -> list[str]:
    return sorted((fold(form) for form in forms), key=len, reverse=True)
