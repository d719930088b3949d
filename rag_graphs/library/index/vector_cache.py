"""A cache of the vectors of questions, documents and sentences, so that nothing is embedded twice."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from rag_graphs.graphs.state import Document
from rag_graphs.library.index.embeddings import Embedder, get_embedder

Vector = np.ndarray[Any, np.dtype[np.float32]]
StoredVectors = Callable[[list[str], str], Mapping[str, list[float]]]
"""(document ids, embedder) -> the vectors that the library has stored, without ids that it does not have."""

READ = 3000
"""Characters of a document that are embedded if no stored vector exists; about as much as the models read."""


class VectorCache:
    """Vectors by embedder, purpose and text. When it is full, the least recently used are dropped. Safe to share between
    threads."""

    def __init__(self, size: int = 6000) -> None:
        self._size = size
        self._kept: OrderedDict[tuple[str, str, str], Vector] = OrderedDict()
        self._lock = threading.Lock()

    def query(self, embedder: Embedder, text: str) -> Vector:
        """Return the vector of a question."""
        return self._get(embedder, "query", [text], lambda missing: [embedder.embed_query(t) for t in missing])[0]

    def passages(self, embedder: Embedder, texts: list[str]) -> list[Vector]:
        """Return the vectors of texts that are searched, in their order."""
        return self._get(embedder, "passage", texts, embedder.embed_documents)

    def _get(
        self, embedder: Embedder, purpose: str, texts: list[str], embed: Callable[[list[str]], list[list[float]]]
    ) -> list[Vector]:
        keys = [(embedder.name, purpose, text) for text in texts]
        with self._lock:
            vectors = {key: self._kept[key] for key in keys if key in self._kept}
        missing = list(dict.fromkeys(key for key in keys if key not in vectors))
        for key, vector in zip(missing, embed([key[2] for key in missing]) if missing else [], strict=True):
            vectors[key] = np.asarray(vector, dtype=np.float32)
        with self._lock:
            for key in keys:
                self._kept[key] = vectors[key]
                self._kept.move_to_end(key)
            while len(self._kept) > self._size:
                self._kept.popitem(last=False)
        return [vectors[key] for key in keys]


SHARED = VectorCache()
"""One cache for the process: the vector of a text is the same for every visitor."""


class Vectors:
    """Vectors for the graders and the generator, by the embedder's name: the library's where it has them, else the cache's."""

    def __init__(self, stored: StoredVectors | None = None, cache: VectorCache = SHARED) -> None:
        self._stored = stored
        self._cache = cache

    def query(self, name: str, text: str) -> Vector:
        """Return the vector of a question."""
        return self._cache.query(get_embedder(name), text)

    def sentences(self, name: str, texts: list[str]) -> list[Vector]:
        """Return the vectors of sentences, in their order."""
        return self._cache.passages(get_embedder(name), texts)

    def documents(self, name: str, documents: list[Document]) -> list[Vector]:
        """Return the vectors of documents, in their order: the library's own where it has them."""
        ids = [d.id for d in documents if d.origin == "library"]
        stored = self._stored(ids, name) if self._stored and ids else {}
        missing = [d for d in documents if d.id not in stored]
        vectors = self._cache.passages(get_embedder(name), [_as_read(d) for d in missing])
        by_id = {d.id: vector for d, vector in zip(missing, vectors, strict=True)}
        return [by_id[d.id] if d.id in by_id else np.asarray(stored[d.id], dtype=np.float32) for d in documents]


def _as_read(document: Document) -> str:
    """Return a document's text as the index embeds a chunk: after its title and heading, unless it begins with them anyway."""
    above = [name for name in (document.title, document.heading) if name and name not in document.text[:300]]
    return "\n".join([*above, document.text[:READ]])
