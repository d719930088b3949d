"""Text into chunks: at headings, then paragraphs, sentences, words, and anywhere if it must be; never over the bound.

Sizes are counted by the caller's counter (an embedding model's tokens), so that scripts without spaces are measured as well
as others. Nothing is lost: all the text of a source is in its chunks, in order.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from rag_graphs.library.split.blocks import Section, sections
from rag_graphs.library.split.cutting import Cutter

SEPARATOR = " › "
_MIN_SHARE = 0.5  # of the bound: sections shorter than this are joined with those that follow
_PAGE = re.compile(r"Page (\d+)")  # how the pages of a PDF are headed
_ALONE = 0.12  # a shorter one, such as a title with its first line, never stands alone
_MAX_HEADING = 120  # characters


@dataclass(frozen=True, kw_only=True)
class Piece:
    """A chunk of a text. `heading` is its path of headings, joined by ›, without the title."""

    text: str
    heading: str
    position: int


def split(text: str, count: Callable[[str], int], size: int, overlap: int = 0) -> list[Piece]:
    """The chunks of a Markdown or plain text, each at most `size` tokens by `count`; neighbours within a section share up to
    `overlap` tokens."""
    cutter = Cutter(count, size, min(overlap, size // 2))
    pieces: list[Piece] = []
    for group in _joined(sections(text), cutter):
        heading = _heading(group)
        for chunk in cutter.pack([block for section in group for block in section.blocks]):
            pieces.append(Piece(text=chunk, heading=heading, position=len(pieces)))
    return pieces


def _joined(found: list[Section], cutter: Cutter) -> list[list[Section]]:
    """Sections in groups. A short one is joined with the next of its level or deeper, while both fit into one chunk."""
    groups: list[list[Section]] = []
    filled = 0
    for section in found:
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
    """The path that the sections share; that of the deepest where one lies inside the other."""
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
    """ "Pages 3–5" where the names are pages of a PDF, else nothing."""
    pages = [_PAGE.fullmatch(name) for name in names]
    return [f"Pages {pages[0][1]}–{pages[-1][1]}"] if pages[0] and pages[-1] and all(pages) else []
