"""The vector index in Chroma: one client for each folder, one collection for each embedding model."""

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
    """Vectors by chunk id. All vectors are made elsewhere, so Chroma never embeds and never downloads a model."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder.resolve()

    def put(
        self, embedder: str, content: str, split: str, ids: Sequence[str], vectors: Sequence[Sequence[float]]
    ) -> None:
        """Store the vectors of a content's chunks. Vectors of the same ids are replaced."""
        metadata = {"content": content, "split": split}
        with self._collection(embedder) as collection:
            for at in range(0, len(ids), _BATCH):
                part = list(ids[at : at + _BATCH])
                embeddings: Any = [list(v) for v in vectors[at : at + _BATCH]]
                collection.upsert(ids=part, embeddings=embeddings, metadatas=[metadata] * len(part))

    def nearest(
        self, embedder: str, vector: Sequence[float], contents: Sequence[str], split: str, most: int
    ) -> list[tuple[str, float]]:
        """Return (chunk id, cosine) of the nearest chunks of these contents, best first, equal ones by id."""
        where: Any = {"$and": [{"content": {"$in": list(contents)}}, {"split": split}]}
        queries: Any = [list(vector)]
        with self._collection(embedder) as collection:
            result = collection.query(query_embeddings=queries, n_results=most, where=where, include=["distances"])
        distances = (result["distances"] or [[]])[0]
        pairs = [(i, 1.0 - float(d)) for i, d in zip(result["ids"][0], distances, strict=True)]
        return sorted(pairs, key=lambda pair: (-round(pair[1], 6), pair[0]))

    def get(self, embedder: str, ids: Sequence[str]) -> dict[str, list[float]]:
        """Return the stored vectors of these chunks, without chunks that have none."""
        if not ids:
            return {}
        with self._collection(embedder) as collection:
            result = collection.get(ids=list(dict.fromkeys(ids)), include=["embeddings"])
        vectors: Any = result["embeddings"]
        return {i: [float(x) for x in vector] for i, vector in zip(result["ids"], vectors, strict=True)}

    def close(self) -> None:
        """Close the client of the folder, before the folder is deleted."""
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
    """Return a name for a model's collection that Chroma accepts, different for different models."""
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
