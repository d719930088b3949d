"""What the library hands out: plain values, safe to keep and to show."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Protocol

from rag_graphs.graphs.state import Document


class GivenPage(Protocol):
    """A page that is handed over instead of fetched. `text` is Markdown; `language` is an ISO 639-1 code."""

    @property
    def title(self) -> str: ...
    @property
    def text(self) -> str: ...
    @property
    def language(self) -> str: ...
    @property
    def address(self) -> str: ...


@dataclass(frozen=True, kw_only=True)
class LoadedSource:
    """A loaded page or text. `characters` counts the extracted text, `size` the bytes as they came, `chunks` those of the
    settings it was asked with; `loaded` is Unix time in seconds; `collection` is a sample collection's key or empty."""

    id: str
    content: str
    address: str
    title: str
    kind: str
    encoding: str
    language: str
    characters: int
    size: int
    chunks: int = 0
    collection: str = ""
    loaded: float = 0.0
    warnings: tuple[str, ...] = ()


@dataclass(frozen=True, kw_only=True)
class LoadReport:
    """What became of one address. `status`: "loaded", "already there", or the kind of the failure ("not found", "bot wall" …)."""

    address: str
    status: str
    ok: bool
    source: LoadedSource | None = None
    message: str = ""
    warnings: tuple[str, ...] = ()


@dataclass(frozen=True, kw_only=True)
class Hit:
    """A chunk that a search found. `cosine` in -1 to 1, `lexical` a BM25 score from 0 up, `fused` the sum of reciprocal ranks
    by which hits are ordered."""

    document: Document
    cosine: float
    lexical: float
    fused: float


@dataclass(frozen=True, kw_only=True)
class Progress:
    """How far an indexing has come: `done` of `total` chunks of `title`."""

    title: str
    embedder: str
    done: int
    total: int


OnProgress = Callable[[Progress], None]


@dataclass(frozen=True, kw_only=True)
class Statistics:
    """In how many of `documents` chunks each token occurs."""

    documents: int = 0
    frequency: Mapping[str, int] = field(default_factory=dict)

    def idf(self, token: str) -> float:
        """Inverse document frequency, above 0; largest for a token that no chunk holds."""
        return math.log(1 + (self.documents + 0.5) / (self.frequency.get(token, 0) + 0.5))
