"""Vectors in Chroma: one persistent client for each folder of the process, one collection for each embedding model."""

from __future__ import annotations

import hashlib
import re
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rag_graphs.errors import LibraryError
from rag_graphs.library.index.ownership import own

if TYPE_CHECKING:
    from chromadb.api import ClientAPI
    from chromadb.api.models.Collection import Collection

# Wider than Chroma's defaults: with these, a search filtered to a visitor's sources found all true neighbours.
_CONFIGURATION: Any = {"hnsw": {"space": "cosine", "ef_search": 400, "ef_construction": 200, "max_neighbors": 32}}
_BATCH = 500

_clients: dict[Path, ClientAPI] = {}
_clients_lock = threading.RLock()  # the clean-up of a temporary library may run while its own thread holds it


class VectorStore:
    """Vectors by chunk id. Chroma is given every vector: it never embeds, and never downloads a model to do so."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder.resolve()

    def put(
        self, embedder: str, content: str, split: str, ids: Sequence[str], vectors: Sequence[Sequence[float]]
    ) -> None:
        """Store the vectors of a content's chunks; the same ids again replace them."""
        marks = {"content": content, "split": split}
        with self._collection(embedder) as collection:
            for at in range(0, len(ids), _BATCH):
                part = list(ids[at : at + _BATCH])
                given: Any = [list(v) for v in vectors[at : at + _BATCH]]
                collection.upsert(ids=part, embeddings=given, metadatas=[marks] * len(part))

    def nearest(
        self, embedder: str, vector: Sequence[float], contents: Sequence[str], split: str, most: int
    ) -> list[tuple[str, float]]:
        """(chunk id, cosine) of the nearest chunks of these contents, best first, equals by id."""
        where: Any = {"$and": [{"content": {"$in": list(contents)}}, {"split": split}]}
        given: Any = [list(vector)]
        with self._collection(embedder) as collection:
            found = collection.query(query_embeddings=given, n_results=most, where=where, include=["distances"])
        distances = (found["distances"] or [[]])[0]
        pairs = [(i, 1.0 - float(d)) for i, d in zip(found["ids"][0], distances, strict=True)]
        return sorted(pairs, key=lambda pair: (-round(pair[1], 6), pair[0]))

    def get(self, embedder: str, ids: Sequence[str]) -> dict[str, list[float]]:
        """The stored vectors of these chunks; one that is not there is left out."""
        if not ids:
            return {}
        with self._collection(embedder) as collection:
            found = collection.get(ids=list(dict.fromkeys(ids)), include=["embeddings"])
        vectors: Any = found["embeddings"]
        return {i: [float(x) for x in vector] for i, vector in zip(found["ids"], vectors, strict=True)}

    def close(self) -> None:
        """Release the folder; for folders that are about to be deleted."""
        with _clients_lock:
            client: Any = _clients.pop(self._folder, None)
        if client is not None:
            client.close()

    @contextmanager
    def _collection(self, embedder: str) -> Iterator[Collection]:
        try:
            yield self._client().get_or_create_collection(
                collection_name(embedder),
                embedding_function=None,
                configuration=_CONFIGURATION,
                metadata={"embedder": embedder},
            )
        except LibraryError:
            raise
        except Exception as error:
            raise _in_words(self._folder, error) from error

    def _client(self) -> ClientAPI:
        with _clients_lock:
            if self._folder not in _clients:
                _clients[self._folder] = _open(self._folder)
            return _clients[self._folder]


def collection_name(embedder: str) -> str:
    """A name that Chroma takes; different for different models."""
    plain = re.sub(r"[^a-zA-Z0-9]+", "-", embedder).strip("-")[:60]
    return f"chunks-{plain}-{hashlib.sha256(embedder.encode()).hexdigest()[:8]}"


def _open(folder: Path) -> ClientAPI:
    own(folder)
    import chromadb
    from chromadb.config import Settings

    return chromadb.PersistentClient(str(folder), settings=Settings(anonymized_telemetry=False))


def _in_words(folder: Path, error: Exception) -> LibraryError:
    if "dimension" in str(error).lower():
        return LibraryError(
            "This embedding model now gives vectors of another length than those stored under its name. "
            "Use an empty data folder, or the model that the sources were indexed with."
        )
    return LibraryError(
        f"The vector index in {folder} cannot be used ({type(error).__name__}). Check free space and permissions; if it is "
        "damaged, stop the app, move the data folder away and load the sources again."
    )
