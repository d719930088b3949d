"""Describing a library in a few sentences, for a router and for the screen."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Sequence

from rag_graphs.language.text import content, words
from rag_graphs.library.index.catalogue import Content

_MAX = 700  # characters
_TITLES = 8
_TERMS = 12
_READ = 20_000  # characters of each text


def describe(contents: Sequence[Content]) -> str:
    """Describe texts by their titles, their headings and the words that set each apart from the others."""
    if not contents:
        return "The library is empty."
    titles = "; ".join(c.title[:80] for c in contents[:_TITLES])
    more = f" and {len(contents) - _TITLES} more" if len(contents) > _TITLES else ""
    sources = "1 source" if len(contents) == 1 else f"{len(contents)} sources"
    parts = [
        f"{sources}: {titles}{more}.",
        _listed("Headings", _headings(contents)),
        _listed("Key terms", _terms(contents)),
    ]
    text = " ".join(p for p in parts if p)
    return text if len(text) <= _MAX else text[: _MAX - 1].rsplit(" ", 1)[0] + "…"


def _listed(name: str, values: Sequence[str]) -> str:
    return f"{name}: {', '.join(values)}." if values else ""


def _headings(contents: Sequence[Content]) -> list[str]:
    titles = {c.title.casefold() for c in contents}
    each = [re.findall(r"^#{1,3} +(\S.{0,50}?)[ #]*$", c.text[:_READ], re.MULTILINE) for c in contents]
    most = max(1, 8 // len(contents))
    chosen = [h for headings in each for h in [h for h in headings if h.casefold() not in titles][:most]]
    return list(dict.fromkeys(chosen))[:8]


def _terms(contents: Sequence[Content]) -> list[str]:
    """Return words that are frequent in one text and rare in the others, some from each text."""
    counts = [_counts(c.text[:_READ]) for c in contents]
    texts_with = Counter(word for count in counts for word in count)
    most = max(1, _TERMS // len(contents))
    terms: list[str] = []
    for count in counts:
        weight = {word: times * math.log(1 + len(contents) / texts_with[word]) for word, times in count.items()}
        terms += [word for word, _ in sorted(weight.items(), key=lambda pair: -pair[1])[:most]]
    return list(dict.fromkeys(terms))[:_TERMS]


def _counts(text: str) -> Counter[str]:
    """Count the content words of a text, each as it is first written. Very short words are left out: they say too little."""
    times = Counter(w.tokens for w in words(text))
    return Counter(
        {w.surface: times[w.tokens] for w in content(text) if len(w.surface) > (2 if w.surface.isascii() else 1)}
    )
