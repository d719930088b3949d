"""The sample library: pages that ship, handed to the library as if a visitor had loaded them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from rag_graphs.errors import SourceError
from rag_graphs.samples import collections
from rag_graphs.settings import Settings

if TYPE_CHECKING:
    from rag_graphs.library import Library, LoadReport, OnProgress


def load_samples(
    library: Library, keys: Sequence[str], settings: Settings, on_progress: OnProgress | None = None
) -> Iterator[LoadReport]:
    """Load sample collections, a report for each page. Raises SourceError for a key that no collection has."""
    known = collections()
    if wrong := [key for key in keys if key not in known]:
        raise SourceError("not found", f"There is no collection {wrong[0]!r}. Collections: {', '.join(known)}.")
    for key in keys:
        yield from library.load_collection(key, known[key].pages, settings, on_progress)
