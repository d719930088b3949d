"""Limits on how much of a source is read, and what reading one returns."""

from __future__ import annotations

from dataclasses import dataclass

PAGE_BYTES = 5_000_000  # of a page of text, after decompression
DOCUMENT_BYTES = 20_000_000  # of a PDF or a Word document as it comes


@dataclass(frozen=True, kw_only=True)
class Bounds:
    """The limits for reading one PDF or Word document. `seconds`: computing time. `start`: further seconds, for importing the
    libraries. `memory`: bytes. `unpacked`: bytes of all parts of a zipped document, by the sizes that it states."""

    pages: int = 500
    characters: int = 1_000_000
    seconds: float = 20.0
    start: float = 10.0
    memory: int = 1 << 30
    unpacked: int = 100_000_000


@dataclass(frozen=True, kw_only=True)
class Extracted:
    """The text of a document as Markdown, its own title or "", and warnings for the reader."""

    title: str
    text: str
    warnings: tuple[str, ...] = ()
