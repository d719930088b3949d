"""Short forms for a graph that searches once and writes: no grade, no second attempt and no conversation has to be kept."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from langgraph.types import StreamWriter

from rag_graphs.export.script.parts.running import say
from rag_graphs.graphs.state import Document, Draft, Update


@dataclass(frozen=True, kw_only=True)
class RagState:
    """The state of a run."""

    question: str = ""
    query: str = ""
    documents: list[Document] = field(default_factory=list)
    answer: str = ""
    abstained: bool = False


@dataclass(frozen=True, kw_only=True)
class GenerateRequest:
    """What a generator is given."""

    question: str
    documents: list[Document]


def start(question: str) -> RagState:
    """The state at the start of a run."""
    return RagState(question=question, query=question)


def stop_reason(state: RagState) -> str:
    """Why a run ended, from its final state alone."""
    return "no relevant documents" if state.abstained else "answered"


def used_documents(state: RagState) -> list[Document]:
    """The documents that the answer cites."""
    return state.documents


def request_of(state: RagState) -> GenerateRequest:
    """Return what a generator is given."""
    return GenerateRequest(question=state.question, documents=state.documents)


def written(pieces: Iterator[str | Draft], writer: StreamWriter) -> Draft:
    """The draft of a generator."""
    return next(piece for piece in pieces if isinstance(piece, Draft))


def retrieved(state: RagState, documents: list[Document]) -> Update:
    """A search of the library returned these documents."""
    return {"documents": documents}


def attempt(state: RagState, draft: Draft) -> Update:
    """An answer was written."""
    return {"answer": draft.text, "abstained": draft.abstained}


def tell(told: dict[str, Any]) -> None:
    """Print what a node reports while it runs."""
    for document in told["documents"] if "kind" in told and "documents" in told else []:
        say(f"   found: {document.title or document.source}")
