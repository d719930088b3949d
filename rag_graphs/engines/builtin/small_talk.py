"""Greetings, thanks, goodbyes and "who are you?": what needs no source because it asks for no fact of the world."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache

from rag_graphs.engines.builtin.claims import flat
from rag_graphs.engines.builtin.small_talk_texts import REPLIES, SAID, Talk
from rag_graphs.language.casefold import fold

LONGEST = 120
"""Characters; whoever writes more asks for something."""

_RANK: tuple[Talk, ...] = ("identity", "goodbye", "thanks", "greeting")
_ADDRESSED = {
    "en": "there|all|everyone|everybody|and|very much|so much|a lot|again|for your help|please",
    "de": "alle|zusammen|und|ihr|fur deine hilfe|fur ihre hilfe",
    "es": "a todos|y|por todo",
    "fr": "a tous|et|pour tout|tout le monde",
}
"""Words that may stand beside a greeting and ask for nothing either."""


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
    for language in SAID:
        talks = _consumed(said, language)
        if talks:
            talk = min(talks, key=_RANK.index)
            return SmallTalk(talk, language, REPLIES[language][talk])
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
def _pattern(language: str) -> re.Pattern[str]:
    kinds = [f"(?P<{talk}>{'|'.join(_longest_first(fold(SAID[language][talk])))})" for talk in _RANK]
    addressed = f"(?P<addressed>{fold(_ADDRESSED[language])})" if language in _ADDRESSED else ""
    end = "" if language in ("zh", "ja") else r"(?!\w)"
    return re.compile(f"(?:{'|'.join(filter(None, [*kinds, addressed]))}){end}")


def _longest_first(alternatives: str) -> list[str]:
    parts = re.split(r"\|(?![^()]*\))", alternatives)
    return sorted(parts, key=len, reverse=True)
