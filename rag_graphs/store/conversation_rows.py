"""Queries for a visitor's conversations, and for the runs of one in order."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from sqlalchemy import ColumnElement, Row, Select, func, select

from rag_graphs.store.tables import runs


@dataclass(frozen=True, kw_only=True)
class ConversationRow:
    """A conversation as the list shows it. `question`: that of its first run still stored. `runs`: their number. `last`: when
    the last one began."""

    id: str
    question: str
    runs: int
    last: datetime


@dataclass(frozen=True, kw_only=True)
class TurnRow:
    """A run of a conversation. `condensed`: its question in words that can be understood without the earlier turns, empty if
    it needed none. `answer`: the latest so far. `stop_reason`: empty while it runs."""

    id: str
    question: str
    condensed: str
    answer: str
    stop_reason: str


def conversations(owner: str, limit: int) -> Select[Any]:
    """Select a visitor's conversations, the one with the latest run first."""
    last = func.max(runs.c.kept).label("last")
    inner = runs.alias("first")
    first = (
        select(inner.c.question)
        .where(inner.c.owner == owner, inner.c.conversation == runs.c.conversation)
        .order_by(inner.c.kept, inner.c.id)
        .limit(1)
        .scalar_subquery()
    )
    return (
        select(runs.c.conversation, first.label("question"), func.count().label("runs"), last)
        .where(runs.c.owner == owner, runs.c.conversation != "")
        .group_by(runs.c.conversation)
        .order_by(last.desc(), runs.c.conversation)
        .limit(limit)
    )


def as_conversation(found: Row[Any]) -> ConversationRow:
    """Convert a row of `conversations`."""
    last = datetime.fromtimestamp(found.last, UTC)
    return ConversationRow(id=found.conversation, question=found.question, runs=found.runs, last=last)


def turns(owner: str, conversation: str, limit: int) -> Select[Any]:
    """Select the last `limit` runs of a visitor's conversation, the newest first. The empty id selects none."""
    return (
        select(runs.c.id, runs.c.question, runs.c.condensed, runs.c.answer, runs.c.ended)
        .where(runs.c.owner == owner, runs.c.conversation == conversation, runs.c.conversation != "")
        .order_by(runs.c.kept.desc(), runs.c.id.desc())
        .limit(limit)
    )


def free(owner: str, run_id: str) -> list[ColumnElement[bool]]:
    """Return the conditions for a run that a conversation may begin with."""
    mine = [runs.c.id == run_id, runs.c.owner == owner]
    return [*mine, runs.c.conversation == "", runs.c.parent == "", runs.c.ended != "", runs.c.answer != ""]


def as_turn(found: Row[Any]) -> TurnRow:
    """Convert a row of `turns`."""
    return TurnRow(
        id=found.id,
        question=found.question,
        condensed=found.condensed,
        answer=found.answer,
        stop_reason=found.ended,
    )
