"""The library: it loads sources, stores each once, and searches those of one visitor."""

from __future__ import annotations

import shutil
import tempfile
import weakref
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from functools import cache
from pathlib import Path

from rag_graphs.errors import LibraryError, RagGraphsError, SourceError
from rag_graphs.graphs.state import Document
from rag_graphs.library import loading
from rag_graphs.library.index.catalogue import Catalogue
from rag_graphs.library.index.corpus import Corpora, Corpus
from rag_graphs.library.index.describe import describe
from rag_graphs.library.index.indexing import (
    FindEmbedder,
    FindServer,
    Indexer,
    Plan,
    built_in_embedder,
    model_name,
    no_server,
)
from rag_graphs.library.index.ownership import release
from rag_graphs.library.index.search import search
from rag_graphs.library.index.vectors import VectorStore
from rag_graphs.library.loading import Loaded
from rag_graphs.library.read.read import from_text
from rag_graphs.library.types import GivenPage, Hit, LoadedSource, LoadReport, OnProgress, Progress, Statistics
from rag_graphs.settings import Settings


class Library:
    """Sources in a folder, or in a temporary one that is deleted with this object. Any thread may use it; it holds no key.

    All visitors share it. A visitor's own library is a list of source ids, and only the sources on that list are searched.
    """

    def __init__(
        self,
        folder: Path | None,
        *,
        allowed_hosts: frozenset[str] = frozenset(),
        find_embedder: FindEmbedder = built_in_embedder,
        server_of: FindServer = no_server,
    ) -> None:
        """Open the library in a folder. `allowed_hosts`: host:port names that may be loaded from although private.
        `find_embedder` and `server_of`: functions that find embedding models on servers. Raises LibraryError if the folder
        cannot be used."""
        place = Path(tempfile.mkdtemp(prefix="rag-graphs-")) if folder is None else folder
        try:
            place.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise LibraryError(
                f"The folder {place} cannot be made ({error.strerror}). Choose another with RAG_DATA_DIR."
            ) from error
        self._allowed = allowed_hosts
        self._catalogue = Catalogue(place)
        self._vectors = VectorStore(place / "vectors")
        self._indexer = Indexer(self._catalogue, self._vectors, find_embedder, server_of)
        self._corpora = Corpora()
        if folder is None:
            weakref.finalize(self, _remove, place, self._vectors)

    def load_url(self, url: str, settings: Settings, on_progress: OnProgress | None = None) -> LoadReport:
        """Load a web page. What is wrong with the page is told in the report and not raised."""
        return self._load(url, lambda: loading.from_url(url, self._allowed), settings, on_progress)

    def load_file(self, path: Path | str, settings: Settings, on_progress: OnProgress | None = None) -> LoadReport:
        """Load a file of this machine. Call it for the machine's owner only, never for visitors of a server."""
        return self._load(str(path), lambda: loading.from_file(str(path)), settings, on_progress)

    def load_upload(
        self, name: str, body: bytes, settings: Settings, on_progress: OnProgress | None = None
    ) -> LoadReport:
        """Load the bytes of a file that a visitor uploaded; its name is only shown."""
        return self._load(loading.file_name(name), lambda: loading.from_upload(name, body), settings, on_progress)

    def load_text(self, text: str, title: str, settings: Settings, on_progress: OnProgress | None = None) -> LoadReport:
        """Load pasted text, read as Markdown. Without a title, the first heading or line becomes the title."""
        name = f"pasted text: {title.strip()}" if title.strip() else "pasted text"
        return self._load(name, lambda: loading.from_pasted(text, title), settings, on_progress)

    def load_many(
        self,
        addresses: Iterable[str],
        settings: Settings,
        on_progress: OnProgress | None = None,
        *,
        files: bool = False,
    ) -> Iterator[LoadReport]:
        """Load addresses one after the other and yield a report for each; empty ones are skipped. With `files`, an address
        that is no URL is read as a file of this machine."""
        for address in dict.fromkeys(a.strip() for a in addresses):
            if files and address and not loading.is_url(address):
                yield self.load_file(address, settings, on_progress)
            elif address:
                yield self.load_url(address, settings, on_progress)

    def load_collection(
        self, key: str, pages: Iterable[GivenPage], settings: Settings, on_progress: OnProgress | None = None
    ) -> Iterator[LoadReport]:
        """Load the given pages as the collection of this key, and yield a report for each page."""
        for page in pages:
            read = replace(from_text(page.text, page.title), kind="sample", language=page.language)
            loaded = Loaded(page=read, address=page.address, size=len(page.text.encode()), collection=key)
            yield self._load(page.address, lambda loaded=loaded: loaded, settings, on_progress)  # type: ignore[misc]

    def sources(self, ids: Sequence[str], settings: Settings | None = None) -> list[LoadedSource]:
        """Return the sources with these ids, in the given order and without unknown ones. With settings, their chunks are
        counted."""
        sources = self._catalogue.sources(ids)
        return [self._counted(s, settings) for s in sources] if settings else sources

    def chunks(self, source_id: str, settings: Settings) -> list[Document]:
        """Return all chunks of a source, in order, as it is split under these settings. It is indexed first if needed."""
        self._ensure([source_id], settings)
        return [d for s in self._catalogue.sources([source_id]) for d in self._documents(s, settings)]

    def search(self, query: str, source_ids: Sequence[str], settings: Settings, k: int | None = None) -> list[Hit]:
        """Return the best `k` chunks of these sources, best first; `k` defaults to the settings'. Sources are indexed first if
        needed; call `prepare` before to show the progress of that."""
        self._ensure(source_ids, settings)
        sources = self._catalogue.sources(source_ids)
        plans = {s.content: self._plan(s, settings) for s in sources}
        embed_query = cache(lambda name, asked: self._indexer.embedder(name, settings).embed_query(asked))
        corpus = self._corpus(sources, settings)
        return search(query, plans, corpus, self._vectors, embed_query, k or settings.k)

    def prepare(self, source_ids: Sequence[str], settings: Settings) -> Iterator[Progress]:
        """Index what is not indexed yet under these settings, for example after another embedding model was chosen, and yield
        the progress. Yields nothing if the index is complete."""
        for source in self._catalogue.sources(source_ids):
            yield from self._indexer.index(source.content, self._plan(source, settings), settings)

    def vectors(self, document_ids: Sequence[str], embedder_name: str) -> dict[str, list[float]]:
        """Return the stored vectors of chunks, without those that this embedding model has not indexed."""
        return self._vectors.get(embedder_name, document_ids)

    def statistics(self, source_ids: Sequence[str], settings: Settings) -> Statistics:
        """Return word statistics over the chunks of these sources."""
        self._ensure(source_ids, settings)
        return self._corpus(self._catalogue.sources(source_ids), settings).statistics

    def describe(self, source_ids: Sequence[str]) -> str:
        """Describe these sources by titles, headings and key terms, in at most 700 characters."""
        contents = dict.fromkeys(s.content for s in self._catalogue.sources(source_ids))
        return describe([self._catalogue.content(c) for c in contents])

    def embedder_for(self, source: LoadedSource, settings: Settings) -> str:
        """Return the name of the embedding model that a source is searched with."""
        return model_name(self._plan(source, settings).embedder)

    def _load(
        self, address: str, load: Callable[[], Loaded], settings: Settings, on_progress: OnProgress | None
    ) -> LoadReport:
        try:
            source, content = loading.as_records(load())
            new = self._catalogue.add(source, content)
            progress = list(self._index(source, settings, on_progress))
        except LibraryError:
            raise
        except SourceError as error:
            return LoadReport(address=address, status=error.kind, ok=False, message=str(error))
        except RagGraphsError as error:
            return LoadReport(address=address, status="not indexed", ok=False, message=str(error))
        stored = self._counted(self._catalogue.sources([source.id])[0], settings)
        again = (
            f"It was there; it is now indexed with {self.embedder_for(stored, settings)} as well." if progress else ""
        )
        return LoadReport(
            address=address,
            status="loaded" if new or progress else "already there",
            ok=True,
            source=stored,
            message="" if new else again or "It was there already; nothing was done again.",
            warnings=stored.warnings,
        )

    def _index(self, source: LoadedSource, settings: Settings, on_progress: OnProgress | None) -> Iterator[Progress]:
        for progress in self._indexer.index(source.content, self._plan(source, settings), settings):
            if on_progress:
                on_progress(progress)
            yield progress

    def _plan(self, source: LoadedSource, settings: Settings) -> Plan:
        return self._indexer.plan_for(source.language, settings)

    def _ensure(self, source_ids: Sequence[str], settings: Settings) -> None:
        for _ in self.prepare(source_ids, settings):
            pass

    def _counted(self, source: LoadedSource, settings: Settings) -> LoadedSource:
        return replace(source, chunks=self._catalogue.indexed(source.content, self._plan(source, settings).split))

    def _corpus(self, sources: Sequence[LoadedSource], settings: Settings) -> Corpus:
        first = {s.content: s for s in reversed(sources)}  # the same content under two addresses is searched once
        plans = {s.id: self._plan(s, settings) for s in first.values()}

        def make() -> Corpus:
            pairs = [(d, plans[s.id].embedder) for s in first.values() for d in self._documents(s, settings)]
            return Corpus([d for d, _ in pairs], [embedder for _, embedder in pairs])

        return self._corpora.get(tuple(sorted((i, plan.split) for i, plan in plans.items())), make)

    def _documents(self, source: LoadedSource, settings: Settings) -> Iterator[Document]:
        for chunk in self._catalogue.chunks(source.content, self._plan(source, settings).split):
            yield Document(
                id=chunk.id,
                text=chunk.text,
                source=source.address,
                title=source.title,
                heading=chunk.heading,
                position=chunk.position,
                language=source.language,
            )


def _remove(folder: Path, vectors: VectorStore) -> None:
    vectors.close()
    release((folder / "vectors").resolve())
    shutil.rmtree(folder, ignore_errors=True)
