"""Splitting a text into chunks: at headings, then paragraphs, sentences and words, and anywhere if there is no other way.

The caller passes the function that counts tokens (an embedding model's), so scripts without spaces are measured as well as
others. No chunk exceeds the size, and all the text of a source is in its chunks, in order.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from rag_graphs.library.split.blocks import Section, sections
from rag_graphs.library.split.cutting import Cutter

SEPARATOR = " › "
_MIN_SHARE = 0.5  # of the bound: sections shorter than this are joined with those that follow
_PAGE = re.compile(r"Page (\d+)")  # the heading of a PDF's page
_ALONE = 0.12  # of the bound: a shorter section, such as a title with its first line, is always joined
_MAX_HEADING = 120  # characters


@dataclass(frozen=True, kw_only=True)
class Piece:
    """A chunk of a text. `heading`: the headings above it, joined by ›."""

    text: str
    heading: str
    position: int


def split(text: str, count: Callable[[str], int], size: int, overlap: int = 0) -> list[Piece]:
    """Split a Markdown or plain text into chunks of at most `size` tokens, counted by `count`. Neighbouring chunks of a section
    share up to `overlap` tokens."""
    cutter = Cutter(count, size, min(overlap, size // 2))
    pieces: list[Piece] = []
    for group in _joined(sections(text), cutter):
        heading = _heading(group)
        for chunk in cutter.pack([block for section in group for block in section.blocks]):
            pieces.append(Piece(text=chunk, heading=heading, position=len(pieces)))
    return pieces


def _joined(all_sections: list[Section], cutter: Cutter) -> list[list[Section]]:
    """Group sections: a short one is joined with the next of its level or deeper, while both fit into one chunk."""
    groups: list[list[Section]] = []
    filled = 0
    for section in all_sections:
        size = cutter.size_of("\n\n".join(section.blocks))
        last = groups[-1] if groups else None
        fits = filled + size <= 0.95 * cutter.bound or filled < _ALONE * cutter.bound
        if last and section.level >= last[0].level and filled < _MIN_SHARE * cutter.bound and fits:
            last.append(section)
            filled += size
        else:
            groups.append([section])
            filled = size
    return groups


def _heading(group: list[Section]) -> str:
    """Return the path of headings that the sections share. If one lies inside another, the inner one's path counts."""
    paths = [s.path for s in group]
    inner = [p for p in paths if not any(q != p and q[: len(p)] == p for q in paths)] or paths
    shared: list[str] = []
    for names in zip(*inner, strict=False):
        if len(set(names)) > 1:
            shared += _span(names)
            break
        shared.append(names[0])
    return SEPARATOR.join(name if len(name) <= _MAX_HEADING else name[: _MAX_HEADING - 1] + "…" for name in shared)


def _span(names: Sequence[str]) -> list[str]:
    """Return "Pages 3–5" if the names are pages of a PDF, else nothing."""
    pages = [_PAGE.fullmatch(name) for name in names]
    return [f"Pages {pages[0][1]}–{pages[-1][1]}"] if pages[0] and pages[-1] and all(pages) else []
