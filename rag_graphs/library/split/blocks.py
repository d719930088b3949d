"""Parsing Markdown into sections and blocks, the units that a split keeps together."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

_HEADING = re.compile(r"(#{1,6})\s+(\S.*?)\s*#*$")
_FENCE = re.compile(r"\s*(`{3,}|~{3,})")


@dataclass(kw_only=True)
class Section:
    """A heading and the blocks under it. `path`: the headings above it and its own. `level`: 0 for text before any heading."""

    level: int = 0
    path: tuple[str, ...] = ()
    blocks: list[str] = field(default_factory=list)


def sections(text: str) -> list[Section]:
    """Return the sections of a text, in order. A heading is the first line of its section's first block."""
    all_sections = [Section()]
    above: list[tuple[int, str]] = []
    for block in _blocks(text):
        if heading := _HEADING.match(block.split("\n", 1)[0]):
            level = len(heading[1])
            above = [*(a for a in above if a[0] < level), (level, heading[2])]
            all_sections.append(Section(level=level, path=tuple(name for _, name in above)))
        all_sections[-1].blocks.append(block)
    return [s for s in all_sections if s.blocks]


def _blocks(text: str) -> list[str]:
    """Return paragraphs, lists, tables and fenced code, each as one block. A heading is a block of its own."""
    blocks: list[list[str]] = [[]]
    fence = ""
    for line in text.split("\n"):
        mark = _FENCE.match(line)
        if fence:
            blocks[-1].append(line)
            if mark and mark[1].startswith(fence) and not line.strip(" `~"):
                fence = ""
        elif mark:
            fence = mark[1]
            if blocks[-1] and not line.startswith(" "):
                blocks.append([])
            blocks[-1].append(line)
        elif not line.strip():
            blocks.append([])
        elif _HEADING.match(line):
            blocks += [[line], []]
        else:
            blocks[-1].append(line)
    return ["\n".join(lines) for lines in blocks if any(line.strip() for line in lines)]
