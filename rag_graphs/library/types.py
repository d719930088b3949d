"""The values that the library returns: plain data, safe to store and to show."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Protocol

from rag_graphs.graphs.state import Document


class GivenPage(Protocol):
    """A page that the caller provides, so that nothing is fetched. `text` is Markdown; `language` is an ISO 639-1 code."""

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
    """A loaded page or text. `characters`: of the extracted text. `size`: in bytes, as it arrived. `chunks`: their number under
    the settings that were passed. `loaded`: Unix time in seconds. `collection`: a sample collection's key, or empty."""

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
    """The result of loading one address. `status`: "loaded", "already there", or the kind of failure, such as "not found"."""

    address: str
    status: str
    ok: bool
    source: LoadedSource | None = None
    message: str = ""
    warnings: tuple[str, ...] = ()


@dataclass(frozen=True, kw_only=True)
class Hit:
    """A chunk that a search found. `cosine`: in -1 to 1. `lexical`: the BM25 score, from 0 up. `fused`: the sum of reciprocal
    ranks, by which hits are ordered."""

    document: Document
    cosine: float
    lexical: float
    fused: float


@dataclass(frozen=True, kw_only=True)
class Progress:
    """The progress of indexing: `done` of `total` chunks of the source `title`."""

    title: str
    embedder: str
    done: int
    total: int


OnProgress = Callable[[Progress], None]


@dataclass(frozen=True, kw_only=True)
class Statistics:
    """The number of chunks (`documents`), and for each token the number of those that hold it (`frequency`)."""

    documents: int = 0
    frequency: Mapping[str, int] = field(default_factory=dict)

    def idf(self, token: str) -> float:
        """Return a token's inverse document frequency: above 0, and largest for a token that no chunk holds."""
        return math.log(1 + (self.documents + 0.5) / (self.frequency.get(token, 0) + 0.5))
