"""Estimate how wide a text will be, without any font: a layout must not depend on the fonts of the machine that computes
it."""

from __future__ import annotations

import unicodedata

NARROW, SLIM, WIDE = set(" ijlI.,:;'!|·"), set("frts()[]{}-/"), set("mwMW%@&OQ—…")
EMS = {"narrow": 0.28, "slim": 0.42, "wide": 0.86, "capital": 0.61, "other": 0.54, "square": 1.0}
"""By kind of character, in the size of the font: rather above what Source Sans, the app's font, takes at weight 600."""
BOLD = 1.04


def width(text: str, size: float, *, bold: bool = False) -> float:
    """Return the width in the unit of `size`, rather too much than too little."""
    ems = sum(EMS[_kind(c)] for c in text)
    return ems * size * (BOLD if bold else 1.0)


def _kind(character: str) -> str:
    for kind, characters in (("narrow", NARROW), ("slim", SLIM), ("wide", WIDE)):
        if character in characters:
            return kind
    if unicodedata.east_asian_width(character) in "WF":
        return "square"
    return "capital" if character.isupper() else "other"


def wrap(text: str, size: float, limit: float) -> tuple[str, ...]:
    """Return one line where the text fits, else two, broken where the longer one is shortest."""
    words = text.split(" ")
    if width(text, size) <= limit or len(words) == 1:
        return (text,)
    breaks = [(" ".join(words[:i]), " ".join(words[i:])) for i in range(1, len(words))]
    return min(breaks, key=lambda two: max(width(line, size) for line in two))


def shorten(text: str, size: float, limit: float) -> str:
    """Return the text, cut with an ellipsis where it is too wide."""
    if width(text, size) <= limit:
        return text
    while text and width(f"{text}…", size) > limit:
        text = text[:-1]
    return f"{text.rstrip()}…"
