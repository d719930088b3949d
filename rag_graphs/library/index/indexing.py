"""From a text to chunks with vectors, once for each embedding model and way of splitting."""

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
_READS = {"minilm": 254}  # tokens that a model reads of a text; the others read all of it

BUILT_IN = ("minilm", "e5")
PLACE = " at "
"""Stands between a model and its server in the name of an index; no model's name holds a space."""

FindEmbedder = Callable[[str, Settings], Embedder]
FindServer = Callable[[str, Settings], str]
"""The address of the server that a model name, such as `ollama:NAME`, stands for; empty where it is none."""


@dataclass(frozen=True, kw_only=True)
class Plan:
    """How a content is to be indexed. `split` names it: the same name means the same chunks. The name of an embedder at a
    server holds a mark of the server's address."""

    embedder: str
    size: int
    overlap: int

    @property
    def split(self) -> str:
        return f"{self.embedder}/{self.size}/{self.overlap}"


def built_in_embedder(name: str, settings: Settings) -> Embedder:
    """Return the built-in embedder of this name. Raises SetupError for any other: servers are called by other rooms."""
    if name not in BUILT_IN:
        raise SetupError(f"{name!r} is no built-in embedding model. Built in are {' and '.join(BUILT_IN)}.")
    return get_embedder(name)


def no_server(name: str, settings: Settings) -> str:
    """Know of no server, as a library with built-in embeddings alone does."""
    return ""


def index_name(name: str, address: str) -> str:
    """Return `openai:NAME` or `ollama:NAME` with a mark of the server's address: two servers may offer different models
    under one name, and vectors of one must not be compared with those of the other."""
    return f"{name}{PLACE}{hashlib.sha256(address.encode()).hexdigest()[:12]}"


def model_name(indexed: str) -> str:
    """Return the model's name without the mark that `index_name` put behind it."""
    return indexed.partition(PLACE)[0]


class Indexer:
    """Thirty visitors who load the same page at once wait for one of them to embed it."""

    def __init__(self, catalogue: Catalogue, vectors: VectorStore, find: FindEmbedder, server_of: FindServer) -> None:
        self._catalogue = catalogue
        self._vectors = vectors
        self._find = find
        self._server_of = server_of
        self._locks: defaultdict[tuple[str, str], threading.Lock] = defaultdict(threading.Lock)
        self._locks_lock = threading.Lock()

    def plan_for(self, language: str, settings: Settings) -> Plan:
        """Return how a text in this language is indexed: MiniLM reads English only, so everything else goes to E5, unless a
        setting names one model for all."""
        chosen = settings.embeddings
        if chosen == "auto":
            chosen = "minilm" if language in ("en", "") else "e5"
        if chosen not in BUILT_IN:
            chosen = index_name(chosen, self._server_of(chosen, settings))
        return Plan(embedder=chosen, size=settings.chunk_size, overlap=settings.chunk_overlap)

    def embedder(self, name: str, settings: Settings) -> Embedder:
        """Return the embedder of a plan's name. One that needs a key is made anew each time, so that no visitor uses
        another's."""
        return self._find(model_name(name), settings)

    def index(self, content_id: str, plan: Plan, settings: Settings) -> Iterator[Progress]:
        """Index a content unless it is indexed in this way; yields after each batch."""
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
    """A page's first heading is mostly its title, which is shown anyway."""
    return "" if heading == title else heading.removeprefix(title + SEPARATOR)


def read_text(title: str, heading: str, text: str) -> str:
    """What the embedding model reads of a chunk: the text, and where it stands unless the text says so itself."""
    start = text[:300]
    above = [name for name in (title, heading.rpartition(SEPARATOR)[2]) if name and name not in start]
    return "\n".join([*above, text])


def embed(embedder: Embedder, texts: list[str]) -> list[list[float]]:
    """One vector a text. A text longer than the model reads gets the mean of its parts' vectors, at length 1."""
    bound = _READS.get(embedder.name)
    if bound is None or all(len(t) <= bound for t in texts):
        return embedder.embed_documents(texts)
    parts = [_windows(embedder, text, bound) for text in texts]
    vectors = iter(embedder.embed_documents([p for window in parts for p in window]))
    return [_mean([next(vectors) for _ in window]) for window in parts]


def _windows(embedder: Embedder, text: str, bound: int) -> list[str]:
    """The text itself, if the model reads all of it but a little at the end."""
    if embedder.count_tokens(text) <= 1.15 * bound:
        return [text]
    return Cutter(embedder.count_tokens, bound).cut(text)


def _mean(vectors: list[list[float]]) -> list[float]:
    if len(vectors) == 1:
        return vectors[0]
    import numpy as np

    mean = np.asarray(vectors, dtype=np.float32).mean(axis=0)
    return [float(x) for x in mean / max(float(np.linalg.norm(mean)), 1e-9)]
