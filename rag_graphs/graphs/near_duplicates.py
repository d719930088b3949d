"""Gathering documents over several rounds of retrieval: what is new, what was held already in other words."""

from __future__ import annotations

import re
from collections.abc import Sequence

from rag_graphs.graphs.state import Document

SAME = 0.85
"""Share of common words (Jaccard) from which on two texts are near-duplicates."""
_WORD = re.compile(r"\w+")


def unheard(held: Sequence[Document], found: Sequence[Document], room: int) -> list[Document]:
    """Those of `found` that `held` does not hold yet, not even nearly, in their order and at most `room`."""
    known = [(d.id, _words(d.text)) for d in held]
    new: list[Document] = []
    for document in found:
        own = _words(document.text)
        if len(new) < room and all(document.id != id_ and _likeness(own, other) < SAME for id_, other in known):
            new.append(document)
            known.append((document.id, own))
    return new


def _words(text: str) -> frozenset[str]:
    return frozenset(_WORD.findall(text.casefold()))


def _likeness(one: frozenset[str], other: frozenset[str]) -> float:
    return len(one & other) / len(one | other) if one or other else 1.0
