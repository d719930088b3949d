"""Decomposing a document into strips of two or three sentences (CRAG, 4.4)."""

from __future__ import annotations

import re


def split_into_strips(text: str) -> list[tuple[int, int]]:
    """Cut a text into strips of two or three sentences; return where each starts and ends."""
    ends = [found.end() for found in re.finditer(r"[.!?](?=\s)|[。!?]|\n\s*\n", text)]
    sentences = [(a, b) for a, b in zip([0, *ends], [*ends, len(text)], strict=True) if text[a:b].strip()]
    if len(sentences) <= 2:
        return [(0, len(text))] if text.strip() else []
    strips = [sentences[i : i + 3] for i in range(0, len(sentences), 3)]
    if len(strips[-1]) == 1:  # two and two, rather than three and one
        strips[-2:] = [strips[-2][:-1], [strips[-2][-1], *strips[-1]]]
    return [(strip[0][0], strip[-1][1]) for strip in strips]
