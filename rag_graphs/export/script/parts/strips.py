"""Decomposing a document into strips of two or three sentences (CRAG, 4.4)."""

from __future__ import annotations

import re

SHORT, LONG = 2, 3
"""Sentences up to which a text is one strip, and that a strip has at most."""


def split_into_strips(text: str) -> list[tuple[int, int]]:
    """The strips of a text as (start, end), in order."""
    ends = [found.end() for found in re.finditer(r"[.!?](?=\s)|[。!?]|\n\s*\n", text)]
    bounds = [(a, b) for a, b in zip([0, *ends], [*ends, len(text)], strict=True) if text[a:b].strip()]
    if len(bounds) <= SHORT:
        return [(0, len(text))] if text.strip() else []
    groups = [bounds[i : i + LONG] for i in range(0, len(bounds), LONG)]
    if len(groups[-1]) == 1:  # rather two and two than three and one
        groups[-2:] = [groups[-2][:-1], [groups[-2][-1], *groups[-1]]]
    return [(group[0][0], group[-1][1]) for group in groups]
