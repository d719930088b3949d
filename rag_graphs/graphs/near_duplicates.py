"""Telling new documents from near duplicates of earlier ones, where documents are gathered over several searches."""

from __future__ import annotations

import re
from collections.abc import Sequence

from rag_graphs.graphs.state import Document

SAME = 0.85
"""The share of common words (Jaccard) at or above which two texts count as near duplicates."""
_WORD = re.compile(r"\w+")


def new_documents(held: Sequence[Document], found: Sequence[Document], room: int) -> list[Document]:
    """Return the documents of `found` that are not near duplicates of ones already held, in their order and at most `room`."""
    earlier = [(d.id, _words(d.text)) for d in held]
    new: list[Document] = []
    for document in found:
        words = _words(document.text)
        if len(new) < room and all(document.id != id_ and _likeness(words, other) < SAME for id_, other in earlier):
            new.append(document)
            earlier.append((document.id, words))
    return new


def _words(text: str) -> frozenset[str]:
    return frozenset(_WORD.findall(text.casefold()))


def _likeness(one: frozenset[str], other: frozenset[str]) -> float:
    return len(one & other) / len(one | other) if one or other else 1.0
