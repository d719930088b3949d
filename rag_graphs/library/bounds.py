"""How much of a source is read at most."""

from __future__ import annotations

from dataclasses import dataclass

PAGE_BYTES = 5_000_000  # of a page of text, after decompression
DOCUMENT_BYTES = 20_000_000  # of a PDF or a Word document as it comes


@dataclass(frozen=True, kw_only=True)
class Bounds:
    """What reading one PDF or Word document may take. `seconds` are of computing, `start` before them until the libraries are
    there; `memory` and `unpacked` are in bytes, `unpacked` is what all parts of a packed document say they unfold into."""

    pages: int = 500
    characters: int = 1_000_000
    seconds: float = 20.0
    start: float = 10.0
    memory: int = 1 << 30
    unpacked: int = 100_000_000


@dataclass(frozen=True, kw_only=True)
class Extracted:
    """The text of a document as Markdown, the title that it gives itself or "", and what the reader should know."""

    title: str
    text: str
    warnings: tuple[str, ...] = ()
