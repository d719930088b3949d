"""Compute from the events which documents a run has seen, in what order, and how each was graded."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, replace
from typing import Literal

from rag_graphs.graphs.state import Document, Grade
from rag_graphs.runs.from_trace import searched_for
from rag_graphs.runs.trace import Trace
from rag_graphs.runs.whatif.moments import GRADERS

Status = Literal["yes", "no", "unclear", "web", "busy", "waiting", "plain"]


@dataclass(frozen=True, kw_only=True)
class Found:
    """Describe a document that a search returned. `number` counts from 1 over the whole run; `query` is the one that found
    it; `rank` is its place in that search; `again` counts later searches that returned it too."""

    number: int
    document: Document
    query: str
    rank: int
    status: Status
    grade: Grade | None = None
    kept: bool = False
    again: int = 0


def grades_documents(nodes: Collection[str]) -> bool:
    """Does a graph with these nodes grade its documents?"""
    return not GRADERS.isdisjoint(nodes)


def found(trace: Trace, *, grades: bool) -> list[Found]:
    """Return every document seen, the first one first. `grades`: this strategy grades documents, so ungraded ones are
    waiting."""
    entries: dict[str, Found] = {}
    current: list[Document] = []
    for event in trace.events:
        if event.kind == "retrieved":
            current = event.documents
            _add(entries, current, _query_at(trace, event.at), waiting=grades)
        elif event.kind == "graded" and event.index is not None and event.index < len(current):
            entry = entries[current[event.index].id]
            entries[entry.document.id] = replace(entry, grade=event.grade, status=_status(event.grade))
    kept = {d.id for d in trace.state.documents}
    if grades and not trace.state.relevance:
        # this round's documents are on their way to the grader: those that it found relevant are kept so far
        kept -= {d.id for d in trace.state.retrieved if d.id in entries and entries[d.id].status != "yes"}
    now = {d.id for d in current}
    return [_settle(e, trace, kept=e.document.id in kept, now=e.document.id in now) for e in entries.values()]


def _add(entries: dict[str, Found], documents: list[Document], query: str, *, waiting: bool) -> None:
    for rank, document in enumerate(documents, 1):
        if entry := entries.get(document.id):
            entries[document.id] = replace(entry, again=entry.again + 1)
            continue
        status: Status = "web" if document.origin == "web" else "waiting" if waiting else "plain"
        number = len(entries) + 1
        entries[document.id] = Found(number=number, document=document, query=query, rank=rank, status=status)


def _query_at(trace: Trace, at: float) -> str:
    """Return the query of the node that ran at this moment."""
    running = [v for v in trace.visits if v.at <= at]
    return searched_for(running[-1]) if running else trace.head.question


def _status(grade: Grade) -> Status:
    return "unclear" if grade.passed is None else "yes" if grade.passed else "no"


def _settle(entry: Found, trace: Trace, *, kept: bool, now: bool) -> Found:
    """Return the entry with the status that it has at the end of the events: being graded now, kept, or never to be graded
    any more."""
    status = entry.status
    if status == "waiting" and trace.active in GRADERS and now:
        status = "busy"
    elif status == "waiting" and trace.ended:
        status = "plain"
    return replace(entry, status=status, kept=kept)


def numbers(entries: list[Found]) -> dict[str, int]:
    """Return the number on the screen of each document, by its id."""
    return {e.document.id: e.number for e in entries}
