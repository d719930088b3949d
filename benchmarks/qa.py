"""A folder of question-answering data as this project reads it: passages in a library, questions in two halves, a web.

The folder holds corpus.jsonl (`id, lang, title, text`), questions.dev.jsonl (`id, lang, question, answers, gold_ids, kind`)
and web.jsonl (`id, lang, title, text, url`). Nothing of it is kept but the index, in a folder of the caller's choice.
"""

from __future__ import annotations

import hashlib
import json
import sys
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from rag_graphs import Library, Settings
from rag_graphs.engines.sample_web import SampleWeb
from rag_graphs.engines.web import hit
from rag_graphs.graphs.components import SearchWeb
from rag_graphs.graphs.state import Document
from rag_graphs.samples import SamplePage

KINDS = ("single", "natural", "multi_hop", "unanswerable", "web_only")


@dataclass(frozen=True)
class Question:
    """A question with its reference answers and the ids of the passages that hold them."""

    id: str
    language: str
    text: str
    kind: str
    answers: tuple[str, ...]
    gold: frozenset[str]

    @property
    def half(self) -> int:
        """0 (for choosing) or 1 (for reporting), by a hash of the id."""
        return int(hashlib.sha256(self.id.encode()).hexdigest(), 16) % 2


def questions(data: Path) -> list[Question]:
    """All questions, in the file's order."""
    return [
        Question(
            id=row["id"],
            language=row["lang"],
            text=row["question"],
            kind=row["kind"],
            answers=tuple(row["answers"]),
            gold=frozenset(row["gold_ids"]),
        )
        for row in _rows(data / "questions.dev.jsonl")
    ]


@dataclass(frozen=True)
class Corpus:
    """The passages, loaded and indexed. `passage`: the id of the passage that a source is."""

    library: Library
    passage: dict[str, str]
    settings: Settings

    @property
    def sources(self) -> list[str]:
        """The ids of all sources."""
        return list(self.passage)

    @cached_property
    def passage_of(self) -> dict[str, str]:
        """Passage ids by document id."""
        return {
            document.id: passage
            for source, passage in self.passage.items()
            for document in self.library.chunks(source, self.settings)
        }

    def gold(self, question: Question, documents: list[Document]) -> list[bool]:
        """Which of the documents are of a gold passage; passages of the web are known by their text's id."""
        return [self.passage_of.get(d.id) in question.gold for d in documents]


def load(data: Path, folder: Path | None, settings: Settings) -> Corpus:
    """The corpus in a library in `folder` (a temporary one without): indexed at the first time, found there afterwards."""
    library, passage = Library(folder), dict[str, str]()
    rows = _rows(data / "corpus.jsonl")
    for n, row in enumerate(rows):
        report = library.load_text(row["text"], row["title"].replace("_", " "), settings)
        if report.source is None:
            raise SystemExit(f"{row['id']} did not load: {report.message}")
        passage.setdefault(report.source.id, row["id"])
        if n % 100 == 99:
            print(f"{n + 1} of {len(rows)} passages", file=sys.stderr)
    return Corpus(library, passage, settings)


def web(data: Path, most: int) -> SearchWeb:
    """A search of web.jsonl, by the sample web's own search."""
    pages = [
        SamplePage(
            key=row["id"],
            title=row["title"].replace("_", " "),
            text=row["text"],
            language=row["lang"],
            address=f"{row['url']}#{row['id']}",
        )
        for row in _rows(data / "web.jsonl")
    ]
    search = SampleWeb(pages).search
    return lambda query: [
        hit(h.address, h.title, h.text, heading=h.heading, score=h.score) for h in search(query, most)
    ]


def _rows(path: Path) -> list[dict[str, Any]]:
    with path.open(encoding="utf-8") as lines:
        return [json.loads(line) for line in lines]
