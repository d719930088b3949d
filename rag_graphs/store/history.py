"""Queries for the list of a visitor's runs, and its rows."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, TypedDict

from sqlalchemy import ColumnElement, Row, Select, false, func, select

from rag_graphs.store.tables import runs


class Filters(TypedDict, total=False):
    """The filters of the list; one that is empty or missing filters nothing. `text`: words that must all occur in the question
    or the answer."""

    text: str
    strategy: str
    stop_reason: str
    starred: bool | None


@dataclass(frozen=True, kw_only=True)
class RunRow:
    """A stored run as the list shows it. `stop_reason` is empty while it runs, and "interrupted" if its server ended before
    it did; `seconds` and `llm_calls` are those so far; `parent` is the id of the run that it was forked from, or empty."""

    id: str
    strategy: str
    question: str
    stop_reason: str
    seconds: float
    llm_calls: int
    started: datetime
    starred: bool
    parent: str


COLUMNS = (
    runs.c.id,
    runs.c.strategy,
    runs.c.question,
    runs.c.ended,
    runs.c.seconds,
    runs.c.llm_calls,
    runs.c.started,
    runs.c.starred,
    runs.c.parent,
    runs.c.kept,
)


def page(owner: str, filters: Filters, limit: int, offset: int) -> Select[Any]:
    """Select one page of the list, the newest run first."""
    newest = (runs.c.kept.desc(), runs.c.id)
    return select(*COLUMNS).where(*_conditions(owner, filters)).order_by(*newest).limit(limit).offset(offset)


def how_many(owner: str, filters: Filters) -> Select[int]:
    """Select the length of the whole list."""
    return select(func.count()).select_from(runs).where(*_conditions(owner, filters))


def as_row(found: Row[Any]) -> RunRow:
    """Convert a row of the table into a row of the list."""
    row = found._mapping
    return RunRow(
        id=row["id"],
        strategy=row["strategy"],
        question=row["question"],
        stop_reason=row["ended"],
        seconds=row["seconds"] or 0.0,
        llm_calls=row["llm_calls"],
        started=_moment(row["started"], row["kept"]),
        starred=row["starred"],
        parent=row["parent"],
    )


def _conditions(owner: str, filters: Filters) -> list[ColumnElement[bool]]:
    if not owner:
        return [false()]  # runs without an owner belong to no visitor's list
    conditions: list[ColumnElement[bool]] = [runs.c.owner == owner]
    conditions += [runs.c.words.contains(word, autoescape=True) for word in filters.get("text", "").casefold().split()]
    if strategy := filters.get("strategy"):
        conditions.append(runs.c.strategy == strategy)
    if stop_reason := filters.get("stop_reason"):
        conditions.append(runs.c.ended == stop_reason)
    if (starred := filters.get("starred")) is not None:
        conditions.append(runs.c.starred.is_(starred))
    return conditions


def _moment(started: str, kept: float) -> datetime:
    """Return when a run started by its own account, or when it was stored if that is no valid date."""
    try:
        moment = datetime.fromisoformat(started)
    except ValueError:
        moment = datetime.fromtimestamp(kept, UTC)
    return moment if moment.tzinfo else moment.replace(tzinfo=UTC)
