"""The documents that a script carries along: bounded, and said where it is cut."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

from rag_graphs.sample_web import passages
from rag_graphs.samples import SamplePage, collections, web_pages
from rag_graphs.state import Document
from rag_graphs.strategy import Strategy

MOST_DOCUMENTS = 300
MOST_BYTES = 300_000


@dataclass(frozen=True, kw_only=True)
class Carried:
    """What a script carries: its documents as records, how many there were, and what they are about."""

    records: list[dict[str, Any]] = field(default_factory=list)
    of: int = 0
    description: str = ""
    sample: bool = False
    """The visitor had loaded nothing, so these are pages of the sample library."""


def carried(documents: Sequence[Document], description: str, strategy: Strategy) -> Carried:
    """The visitor's documents, in their order and as many as the bounds let through; where there are none, the sample pages
    that the strategy's questions are made for."""
    if documents:
        return Carried(records=_bounded(documents), of=len(documents), description=description)
    key = strategy.examples[0].collections[0] if strategy.examples else next(iter(collections()))
    collection = collections()[key]
    sample = list(sample_documents(collection.pages))
    return Carried(records=_bounded(sample), of=len(sample), description=collection.summary, sample=True)


def web_records() -> list[dict[str, Any]]:
    """The pages of the sample web, in passages."""
    return [{**_record(d), "origin": "web"} for d in sample_documents(web_pages())]


def sample_documents(pages: Iterable[SamplePage]) -> Iterable[Document]:
    """Sample pages in passages."""
    for page in pages:
        for n, passage in enumerate(passages(page.text)):
            yield Document(
                id=f"{page.key}-{n}",
                text=passage.text,
                source=page.address,
                title=page.title,
                heading="" if passage.heading == page.title else passage.heading,
            )


def _bounded(documents: Sequence[Document]) -> list[dict[str, Any]]:
    kept, size = list[dict[str, Any]](), 0
    for document in documents[:MOST_DOCUMENTS]:
        record = _record(document)
        size += sum(len(text.encode("utf-8", "replace")) for text in record.values())
        if size > MOST_BYTES:
            break
        kept.append(record)
    return kept


def _record(document: Document) -> dict[str, Any]:
    return {name: getattr(document, name) for name in ("id", "title", "heading", "source", "text")}
