"""A library without files, network or models: pages are scripted by address."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from hashlib import sha256

from rag_graphs import Document, Hit, LoadedSource, LoadReport, Settings
from rag_graphs.library import OnProgress, Progress
from rag_graphs.samples import SamplePage


@dataclass
class FakeLibrary:
    """`pages`: address to text. `broken`: address to (status, message). Every line of a text is a chunk; a query finds the
    chunks that hold one of its words."""

    pages: dict[str, str] = field(default_factory=dict)
    broken: dict[str, tuple[str, str]] = field(default_factory=dict)
    warn: dict[str, str] = field(default_factory=dict)
    kept: dict[str, LoadedSource] = field(default_factory=dict)
    texts: dict[str, str] = field(default_factory=dict)
    sizes: set[int] = field(default_factory=lambda: {250})
    prepared: list[str] = field(default_factory=list)
    asked: list[str] = field(default_factory=list)

    def load_many(self, addresses: Sequence[str], settings: Settings, on_progress: OnProgress) -> Iterator[LoadReport]:
        for address in addresses:
            self.asked.append(address)
            if address in self.pages:
                on_progress(Progress(title=address, embedder="minilm", done=1, total=2))
                yield self._store(address, self.pages[address], kind="html", encoding="utf-8 (header)")
            else:
                status, message = self.broken.get(address, ("not found", "The site has no such page."))
                yield LoadReport(address=address, status=status, ok=False, message=message)

    def load_text(self, text: str, title: str, settings: Settings, on_progress: OnProgress) -> LoadReport:
        return self._store(f"text:{title}", text, title=title, kind="text")

    def load_upload(self, name: str, body: bytes, settings: Settings, on_progress: OnProgress) -> LoadReport:
        self.asked.append(name)
        if name in self.broken:
            status, message = self.broken[name]
            return LoadReport(address=name, status=status, ok=False, message=message)
        return self._store(name, body.decode(), kind="PDF")

    def load_collection(
        self, key: str, pages: Sequence[SamplePage], settings: Settings, on_progress: OnProgress
    ) -> Iterator[LoadReport]:
        for page in pages:
            yield self._store(
                page.address,
                page.text,
                title=page.title,
                kind="markdown",
                collection=key,
                language=page.language,
            )

    def sources(self, ids: Sequence[str], settings: Settings | None = None) -> list[LoadedSource]:
        indexed = settings is None or settings.chunk_size in self.sizes
        return [self.kept[i] if indexed else replace(self.kept[i], chunks=0) for i in ids]

    def prepare(self, ids: Sequence[str], settings: Settings) -> Iterator[Progress]:
        for i in ids if settings.chunk_size not in self.sizes else ():
            self.prepared.append(i)
            yield Progress(title=self.kept[i].title, embedder="minilm", done=1, total=1)
        self.sizes.add(settings.chunk_size)

    def chunks(self, source_id: str, settings: Settings) -> list[Document]:
        source = self.kept[source_id]
        return [
            Document(
                id=f"{source_id}-{n}",
                text=line,
                source=source.address,
                title=source.title,
                heading=f"{source.title} › Part {n}",
                position=n,
                language=source.language,
            )
            for n, line in enumerate(self.texts[source_id].split("\n"))
        ]

    def search(self, query: str, source_ids: Sequence[str], settings: Settings, k: int | None = None) -> list[Hit]:
        words = query.casefold().split()
        found = [c for i in source_ids for c in self.chunks(i, settings) if any(w in c.text.casefold() for w in words)]
        return [
            Hit(document=c, cosine=0.9 - n / 10, lexical=4.0 - n, fused=1 / (60 + n))
            for n, c in enumerate(found[: k or settings.k])
        ]

    def embedder_for(self, source: LoadedSource, settings: Settings) -> str:
        return "minilm" if source.language == "en" else "e5"

    def _store(self, address: str, text: str, title: str = "", **facts: str) -> LoadReport:
        content = sha256(text.encode()).hexdigest()[:16]
        known = content in self.kept
        warnings = (self.warn[address],) if address in self.warn else ()
        source = LoadedSource(
            id=content,
            content=content,
            address=address,
            title=title or text.partition("\n")[0],
            characters=len(text),
            size=len(text.encode()),
            chunks=text.count("\n") + 1,
            warnings=warnings,
            **{"kind": "html", "encoding": "", "language": "en", **facts},
        )
        self.kept[content] = replace(source, loaded=1.0)
        self.texts[content] = text
        status = "already there" if known else "loaded"
        return LoadReport(address=address, status=status, ok=True, source=source, warnings=warnings)
