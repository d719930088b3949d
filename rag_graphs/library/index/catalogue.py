"""The catalogue: sources, their texts and their chunks, in SQLite. The vector index can be rebuilt from it."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path

from rag_graphs.errors import LibraryError
from rag_graphs.library.types import LoadedSource

_VERSION = 1
_SCHEMA = """
CREATE TABLE contents (id TEXT PRIMARY KEY, title TEXT NOT NULL, language TEXT NOT NULL, text TEXT NOT NULL);
CREATE TABLE sources (id TEXT PRIMARY KEY, content TEXT NOT NULL REFERENCES contents(id), address TEXT NOT NULL,
    kind TEXT NOT NULL, encoding TEXT NOT NULL, size INTEGER NOT NULL, collection TEXT NOT NULL, loaded REAL NOT NULL,
    warnings TEXT NOT NULL);
CREATE TABLE chunks (id TEXT PRIMARY KEY, content TEXT NOT NULL REFERENCES contents(id), split TEXT NOT NULL,
    position INTEGER NOT NULL, heading TEXT NOT NULL, text TEXT NOT NULL);
CREATE INDEX chunks_of ON chunks (content, split, position);
CREATE TABLE indexed (content TEXT NOT NULL, split TEXT NOT NULL, chunks INTEGER NOT NULL, PRIMARY KEY (content, split));
"""
_SOURCE = """SELECT s.id, s.content, s.address, c.title, s.kind, s.encoding, c.language, length(c.text), s.size, s.collection,
    s.loaded, s.warnings FROM sources s JOIN contents c ON c.id = s.content WHERE s.id = ?"""


@dataclass(frozen=True, kw_only=True)
class Content:
    """The title and text of a page, stored once even if it was loaded from several addresses."""

    id: str
    title: str
    language: str
    text: str


@dataclass(frozen=True, kw_only=True)
class Chunk:
    """A part of a content, as one way of splitting cuts it."""

    id: str
    content: str
    position: int
    heading: str
    text: str


class Catalogue:
    """The catalogue's SQLite file in the library's folder. Each call opens its own connection, so any thread may call."""

    def __init__(self, folder: Path) -> None:
        self._path = folder / "library.sqlite3"
        with self._open() as db:
            db.execute("PRAGMA journal_mode = WAL")
            version = db.execute("PRAGMA user_version").fetchone()[0]
            if version == 0:
                db.executescript(f"BEGIN; {_SCHEMA} PRAGMA user_version = {_VERSION}; COMMIT;")
            elif version != _VERSION:
                raise LibraryError(
                    f"The library in {folder} was written by another version of RAG Graphs. Use an empty data folder."
                )

    def add(self, source: LoadedSource, content: Content) -> bool:
        """Store a source. Returns False if it was stored before; then nothing changes."""
        with self._open() as db:
            db.execute(
                "INSERT OR IGNORE INTO contents VALUES (?, ?, ?, ?)",
                (content.id, content.title, content.language, content.text),
            )
            row = (source.id, content.id, source.address, source.kind, source.encoding, source.size, source.collection)
            cursor = db.execute(
                "INSERT OR IGNORE INTO sources VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
                (*row, source.loaded, json.dumps(source.warnings)),
            )
            return cursor.rowcount > 0

    def sources(self, ids: Sequence[str]) -> list[LoadedSource]:
        """Return the sources with these ids, in the given order and without unknown ones."""
        with self._open() as db:
            rows = [db.execute(_SOURCE, (i,)).fetchone() for i in dict.fromkeys(ids)]
        names = (
            "id",
            "content",
            "address",
            "title",
            "kind",
            "encoding",
            "language",
            "characters",
            "size",
            "collection",
            "loaded",
        )
        return [
            LoadedSource(**dict(zip(names, row, strict=False)), warnings=tuple(json.loads(row[-1])))
            for row in rows
            if row
        ]

    def content(self, content_id: str) -> Content:
        """Return a stored content."""
        with self._open() as db:
            row = db.execute("SELECT id, title, language, text FROM contents WHERE id = ?", (content_id,)).fetchone()
        return Content(**dict(zip(("id", "title", "language", "text"), row, strict=True)))

    def chunks(self, content_id: str, split: str) -> list[Chunk]:
        """Return the chunks of a content, in order."""
        with self._open() as db:
            rows = db.execute(
                "SELECT id, position, heading, text FROM chunks WHERE content = ? AND split = ? ORDER BY position",
                (content_id, split),
            ).fetchall()
        return [Chunk(content=content_id, id=i, position=p, heading=h, text=t) for i, p, h, t in rows]

    def put_chunks(self, split: str, chunks: Sequence[Chunk]) -> None:
        """Store the chunks of a content and mark it as indexed. Call it last, when the vectors are stored."""
        with self._open() as db:
            db.executemany(
                "INSERT OR REPLACE INTO chunks VALUES (?, ?, ?, ?, ?, ?)",
                [(c.id, c.content, split, c.position, c.heading, c.text) for c in chunks],
            )
            for content in {c.content for c in chunks}:
                count = sum(c.content == content for c in chunks)
                db.execute("INSERT OR REPLACE INTO indexed VALUES (?, ?, ?)", (content, split, count))

    def indexed(self, content_id: str, split: str) -> int:
        """Return how many chunks of a content are indexed under this split; 0 if it is not indexed."""
        with self._open() as db:
            row = db.execute(
                "SELECT chunks FROM indexed WHERE content = ? AND split = ?", (content_id, split)
            ).fetchone()
        return int(row[0]) if row else 0

    @contextmanager
    def _open(self) -> Iterator[sqlite3.Connection]:
        try:
            with closing(sqlite3.connect(self._path, timeout=20)) as db, db:
                yield db
        except sqlite3.Error as error:
            raise LibraryError(
                f"The library's file {self._path} cannot be used ({error}). Check free space and permissions; if the file is "
                "damaged, stop the app, move the data folder away and load the sources again."
            ) from error
