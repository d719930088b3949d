"""Indexing: splitting a text into chunks and storing their vectors, once for each embedding model and way of splitting."""

from __future__ import annotations

import hashlib
import threading
from collections import defaultdict
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from rag_graphs.errors import SetupError
from rag_graphs.library.index.catalogue import Catalogue, Chunk, Content
from rag_graphs.library.index.embeddings import Embedder, get_embedder
from rag_graphs.library.index.vectors import VectorStore
from rag_graphs.library.split.cutting import Cutter
from rag_graphs.library.split.split import SEPARATOR, Piece, split
from rag_graphs.library.types import Progress
from rag_graphs.settings import Settings

BATCH = 16  # chunks embedded between two reports of progress
_READS = {"minilm": 254}  # tokens of a text that a model reads; models not listed read all of it

BUILT_IN = ("minilm", "e5")
PLACE = " at "
"""The separator between a model and its server in the name of an index; no model's name holds a space."""

FindEmbedder = Callable[[str, Settings], Embedder]
FindServer = Callable[[str, Settings], str]
"""(model name such as `ollama:NAME`, settings) -> the address of the model's server; empty if it has none."""


@dataclass(frozen=True, kw_only=True)
class Plan:
    """How a content is indexed. `split` names the plan: the same name means the same chunks. For a model on a server,
    `embedder` also holds a hash of the server's address."""

    embedder: str
    size: int
    overlap: int

    @property
    def split(self) -> str:
        return f"{self.embedder}/{self.size}/{self.overlap}"


def built_in_embedder(name: str, settings: Settings) -> Embedder:
    """Return the built-in embedder of this name. Raises SetupError for any other; the library itself calls no server."""
    if name not in BUILT_IN:
        raise SetupError(f"{name!r} is no built-in embedding model. Built in are {' and '.join(BUILT_IN)}.")
    return get_embedder(name)


def no_server(name: str, settings: Settings) -> str:
    """Return the empty address, for a library that has built-in embeddings alone."""
    return ""


def index_name(name: str, address: str) -> str:
    """Return `openai:NAME` or `ollama:NAME` with a hash of the server's address. Two servers may offer different models under
    one name, and vectors of one must not be compared with those of the other."""
    return f"{name}{PLACE}{hashlib.sha256(address.encode()).hexdigest()[:12]}"


def model_name(indexed: str) -> str:
    """Return the model's name without the hash that `index_name` appended."""
    return indexed.partition(PLACE)[0]


class Indexer:
    """Indexes contents. If several visitors load the same page at once, it is embedded once and the others wait."""

    def __init__(self, catalogue: Catalogue, vectors: VectorStore, find: FindEmbedder, server_of: FindServer) -> None:
        self._catalogue = catalogue
        self._vectors = vectors
        self._find = find
        self._server_of = server_of
        self._locks: defaultdict[tuple[str, str], threading.Lock] = defaultdict(threading.Lock)
        self._locks_lock = threading.Lock()

    def plan_for(self, language: str, settings: Settings) -> Plan:
        """Return how a text in this language is indexed: English with MiniLM and all else with E5, unless the settings name
        one model for all."""
        name = settings.embeddings
        if name == "auto":
            name = "minilm" if language in ("en", "") else "e5"
        if name not in BUILT_IN:
            name = index_name(name, self._server_of(name, settings))
        return Plan(embedder=name, size=settings.chunk_size, overlap=settings.chunk_overlap)

    def embedder(self, name: str, settings: Settings) -> Embedder:
        """Return the embedder that a plan names. One that needs a key is made anew each time, so that no visitor uses
        another's key."""
        return self._find(model_name(name), settings)

    def index(self, content_id: str, plan: Plan, settings: Settings) -> Iterator[Progress]:
        """Index a content unless it is indexed under this plan, and yield the progress after each batch."""
        with self._locks_lock:
            lock = self._locks[content_id, plan.split]
        with lock:
            if not self._catalogue.indexed(content_id, plan.split):
                yield from self._index(self._catalogue.content(content_id), plan, settings)

    def _index(self, content: Content, plan: Plan, settings: Settings) -> Iterator[Progress]:
        embedder = self.embedder(plan.embedder, settings)
        chunks = _chunks(content, plan, embedder)
        texts = [read_text(content.title, c.heading, c.text) for c in chunks]
        vectors: list[list[float]] = []
        yield Progress(title=content.title, embedder=model_name(plan.embedder), done=0, total=len(chunks))
        for at in range(0, len(chunks), BATCH):
            vectors += embed(embedder, texts[at : at + BATCH])
            yield Progress(
                title=content.title, embedder=model_name(plan.embedder), done=len(vectors), total=len(chunks)
            )
        self._vectors.put(plan.embedder, content.id, plan.split, [c.id for c in chunks], vectors)
        self._catalogue.put_chunks(plan.split, chunks)


def _chunks(content: Content, plan: Plan, embedder: Embedder) -> list[Chunk]:
    pieces = split(content.text, embedder.count_tokens, plan.size, plan.overlap)
    return [
        Chunk(
            id=_chunk_id(content, plan, piece),
            content=content.id,
            position=piece.position,
            heading=_below_title(piece.heading, content.title),
            text=piece.text,
        )
        for piece in pieces
    ]


def _chunk_id(content: Content, plan: Plan, piece: Piece) -> str:
    return hashlib.sha256(f"{content.id}|{plan.split}|{piece.position}".encode()).hexdigest()[:24]


def _below_title(heading: str, title: str) -> str:
    """Return a chunk's heading without the page's title, which is usually the first heading and is shown anyway."""
    return "" if heading == title else heading.removeprefix(title + SEPARATOR)


def read_text(title: str, heading: str, text: str) -> str:
    """Return the text to embed for a chunk: title and last heading first, unless the chunk begins with them anyway."""
    start = text[:300]
    above = [name for name in (title, heading.rpartition(SEPARATOR)[2]) if name and name not in start]
    return "\n".join([*above, text])


def embed(embedder: Embedder, texts: list[str]) -> list[list[float]]:
    """Return one vector for each text. For a text longer than the model reads, it is the mean of its parts' vectors, scaled to
    length 1."""
    bound = _READS.get(embedder.name)
    if bound is None or all(len(t) <= bound for t in texts):
        return embedder.embed_documents(texts)
    parts = [_windows(embedder, text, bound) for text in texts]
    vectors = iter(embedder.embed_documents([p for window in parts for p in window]))
    return [_mean([next(vectors) for _ in window]) for window in parts]


def _windows(embedder: Embedder, text: str, bound: int) -> list[str]:
    """Cut a text into parts that the model reads whole. A text only a little longer stays in one part."""
    if embedder.count_tokens(text) <= 1.15 * bound:
        return [text]
    return Cutter(embedder.count_tokens, bound).cut(text)


def _mean(vectors: list[list[float]]) -> list[float]:
    if len(vectors) == 1:
        return vectors[0]
    import numpy as np

    mean = np.asarray(vectors, dtype=np.float32).mean(axis=0)
    return [float(x) for x in mean / max(float(np.linalg.norm(mean)), 1e-9)]
