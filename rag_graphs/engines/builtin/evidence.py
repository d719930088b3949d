"""What speaks for a document: the measurements on which every built-in grade rests."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Literal

from rag_graphs.graphs.state import Document
from rag_graphs.language.lexical import Idf, coverage, terms, vocabulary
from rag_graphs.language.markdown import plain_sentences
from rag_graphs.language.text import detect_language
from rag_graphs.library.index.vector_cache import Vectors

SENTENCES = 24
"""Sentences of a document that are compared with the question; a chunk rarely has more."""

Scale = Literal["minilm", "e5", "across"]
"""Which coefficients apply: those of an embedder, or those for a document in another language than the question."""


@dataclass(frozen=True)
class Scored:
    """A sentence of a document with its cosine to the question and its share of the question's content words (0-1)."""

    text: str
    position: int
    cosine: float
    coverage: float


@dataclass(frozen=True)
class Evidence:
    """A document measured against a question. Shares in 0-1, cosines in -1 to 1; `shared` are the question's own words."""

    scale: Scale
    coverage: float
    cosine: float
    sentence_cosine: float
    shared: tuple[str, ...]
    sentences: tuple[Scored, ...]


Measure = Callable[[str, list[Document]], list[Evidence]]
"""(question, documents) -> each document measured, in their order."""


def embedder_for(embeddings: str, question: str, document: Document) -> str:
    """The built-in embedder that compares these two: as set, or by language where the setting names no built-in one."""
    if embeddings in ("minilm", "e5"):
        return embeddings
    english = detect_language(question) in ("en", "") and language_of(document) in ("en", "")
    return "minilm" if english else "e5"


def language_of(document: Document) -> str:
    """A document's language as the library noted it, or as its text tells."""
    return document.language or detect_language(document.text)


def scale_of(name: str, asked: str, written: str) -> Scale:
    """The scale of these embeddings between the language of a question and that of a text."""
    if asked and written and asked != written:
        return "across"
    return "minilm" if name == "minilm" else "e5"


def measure(
    question: str, documents: Sequence[Document], *, embeddings: str, vectors: Vectors, idf: Idf
) -> list[Evidence]:
    """Each document measured against the question, in their order; all of an embedder's in one batch."""
    found: dict[int, Evidence] = {}
    names = [embedder_for(embeddings, question, d) for d in documents]
    for name in dict.fromkeys(names):
        members = [i for i, n in enumerate(names) if n == name]
        batch = _measure_with(name, question, [documents[i] for i in members], vectors, idf)
        found.update(zip(members, batch, strict=True))
    return [found[i] for i in range(len(documents))]


def _measure_with(name: str, question: str, documents: list[Document], vectors: Vectors, idf: Idf) -> list[Evidence]:
    asked = vectors.query(name, question)
    split = [plain_sentences(d.text)[:SENTENCES] for d in documents]
    flat = iter(vectors.sentences(name, [s for part in split for s in part]))
    whole = vectors.documents(name, documents)
    wanted = terms(question)
    measured = []
    for document, part, vector in zip(documents, split, whole, strict=True):
        scored = tuple(
            Scored(s, i, float(next(flat) @ asked), coverage(wanted, vocabulary(s), idf).share)
            for i, s in enumerate(part)
        )
        held = coverage(wanted, vocabulary(f"{document.title}\n{document.heading}\n{document.text}"), idf)
        cosine = float(vector @ asked)
        measured.append(
            Evidence(
                scale=scale_of(name, detect_language(question), language_of(document)),
                coverage=held.share,
                cosine=cosine,
                sentence_cosine=max((s.cosine for s in scored), default=cosine),
                shared=held.shared,
                sentences=scored,
            )
        )
    return measured
