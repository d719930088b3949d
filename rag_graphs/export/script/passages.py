"""Choose the documents that a script carries along: within bounds, and with a note where something is missing."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import groupby
from typing import Any, Protocol

from rag_graphs.engines.sample_web import passages
from rag_graphs.graphs.state import Document
from rag_graphs.graphs.strategy import Strategy
from rag_graphs.samples import SamplePage, collections, web_pages
from rag_graphs.settings import Settings

MOST_DOCUMENTS = 300
MOST_BYTES = 300_000


class Counted(Protocol):
    """Describe a source with the number of its chunks under some settings; 0 where it is not indexed under them."""

    @property
    def id(self) -> str: ...
    @property
    def chunks(self) -> int: ...


class Shelf(Protocol):
    """Describe what the export asks of a library."""

    def sources(self, ids: Sequence[str], settings: Settings, /) -> Sequence[Counted]: ...
    def chunks(self, source_id: str, settings: Settings, /) -> list[Document]: ...
    def describe(self, source_ids: Sequence[str], /) -> str: ...


@dataclass(frozen=True, kw_only=True)
class Carried:
    """Hold what a script carries: its documents by page, how many of how many, and what they are about. `sample`: nothing
    was loaded, so these are pages of the sample library. `missing`: pages that are not indexed under these settings."""

    pages: list[dict[str, Any]] = field(default_factory=list)
    count: int = 0
    of: int = 0
    description: str = ""
    sample: bool = False
    missing: int = 0


def of_library(library: Shelf, source_ids: Sequence[str], settings: Settings, strategy: Strategy) -> Carried:
    """Take the chunks of these sources in their order, as many as the bounds let through. Nothing is indexed for it: that
    could take minutes, and cost something."""
    sources = library.sources(source_ids, settings)
    indexed = [source for source in sources if source.chunks]
    documents: list[Document] = []
    for source in indexed:
        if len(documents) < MOST_DOCUMENTS:
            documents += library.chunks(source.id, settings)
    if not documents:
        return of_samples(strategy)
    about, total = library.describe([s.id for s in indexed]), sum(source.chunks for source in indexed)
    return of_documents(documents, about, of=total, missing=len(sources) - len(indexed))


def of_documents(documents: Sequence[Document], description: str, *, of: int = 0, missing: int = 0) -> Carried:
    """Take these documents, as many as the bounds let through. `of`: how many there are, where that is more."""
    kept = _bounded(documents)
    total = max(of, len(documents))
    return Carried(pages=_by_page(kept), count=len(kept), of=total, description=description, missing=missing)


def of_samples(strategy: Strategy) -> Carried:
    """Take the sample pages that the strategy's first question is made for, for a visitor who has loaded nothing."""
    key = strategy.examples[0].collections[0] if strategy.examples else next(iter(collections()))
    collection = collections()[key]
    return replace(of_documents(list(_passages(collection.pages)), collection.summary), sample=True)


def carried_web() -> list[dict[str, Any]]:
    """Return the pages of the sample web."""
    return _by_page(list(_passages(web_pages())))


def _passages(pages: Sequence[SamplePage]) -> Iterator[Document]:
    for page in pages:
        for n, passage in enumerate(passages(page.text)):
            yield Document(
                id=f"{page.key}-{n}",
                text=passage.text,
                source=page.address,
                title=page.title,
                heading="" if passage.heading == page.title else passage.heading,
            )


def _bounded(documents: Sequence[Document]) -> list[Document]:
    kept, size = list[Document](), 0
    for document in documents[:MOST_DOCUMENTS]:
        texts = (document.id, document.title, document.heading, document.source, document.text)
        size += sum(len(text.encode("utf-8", "replace")) for text in texts)
        if size > MOST_BYTES:
            break
        kept.append(document)
    return kept


def _by_page(documents: Sequence[Document]) -> list[dict[str, Any]]:
    """Group documents that follow one another from one page."""
    return [
        {"title": title, "source": source, "passages": [(document.heading, document.text) for document in group]}
        for (title, source), group in groupby(documents, key=lambda document: (document.title, document.source))
    ]
