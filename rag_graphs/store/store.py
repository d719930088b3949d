"""The store: one object for everything in the database, safe to use from several threads."""

from __future__ import annotations

import json
import secrets
import time
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any, Unpack

from sqlalchemy import Connection, Engine, delete, select
from sqlalchemy.dialects import postgresql, sqlite

from rag_graphs.errors import TraceError
from rag_graphs.runs.events import ENDS, TRACE_VERSION, RunEvent, RunStarted, dump_events
from rag_graphs.runs.trace import Trace
from rag_graphs.store import conversation_rows, history
from rag_graphs.store.conversation_rows import ConversationRow, TurnRow
from rag_graphs.store.database import Database
from rag_graphs.store.history import Filters, RunRow
from rag_graphs.store.tables import events as _events
from rag_graphs.store.tables import runs as _runs
from rag_graphs.store.tables import visitors as _visitors

INTERRUPTED = "interrupted"


class Store:
    """The runs and the visitors in `folder/rag_graphs.sqlite`, or in the database of a URL."""

    def __init__(self, folder: Path, url: str = "") -> None:
        """Open the database; create or migrate it if needed. Raises LibraryError."""
        self._database = Database(folder, url)

    @property
    def engine(self) -> Engine:
        return self._database.engine

    def close(self) -> None:
        """Close the connections to the database."""
        self._database.close()

    def begin(self, head: RunStarted, owner: str) -> None:
        """Store that a run started."""
        with self._database.transaction() as db:
            _begin(db, head, owner)

    def append(self, run_id: str, first: int, events: Sequence[RunEvent]) -> None:
        """Store the next events of a run; `first` is the number of the first of them."""
        if events:
            with self._database.transaction() as db:
                _append(db, run_id, first, events)

    def trace(self, run_id: str) -> Trace | None:
        """Return a stored run, or None if there is none or it cannot be read any more."""
        query = select(_events.c.event).where(_events.c.run_id == run_id).order_by(_events.c.number)
        with self._database.transaction() as db:
            events = list(db.execute(query).scalars())
        try:
            return Trace.from_json({"version": TRACE_VERSION, "events": events}) if events else None
        except TraceError:
            return None

    def history(self, owner: str, *, limit: int = 50, offset: int = 0, **filters: Unpack[Filters]) -> list[RunRow]:
        """Return a visitor's runs, the newest first: at most `limit`, after the first `offset`."""
        with self._database.transaction() as db:
            return [history.as_row(r) for r in db.execute(history.page(owner, filters, limit, offset))]

    def count(self, owner: str, **filters: Unpack[Filters]) -> int:
        """Return the number of a visitor's runs that pass the filters."""
        with self._database.transaction() as db:
            return db.execute(history.how_many(owner, filters)).scalar_one()

    def conversations(self, owner: str, limit: int = 20) -> list[ConversationRow]:
        """Return a visitor's conversations, the latest first."""
        with self._database.transaction() as db:
            return [
                conversation_rows.as_conversation(r) for r in db.execute(conversation_rows.conversations(owner, limit))
            ]

    def turns(self, owner: str, conversation: str, limit: int = 50) -> list[TurnRow]:
        """Return the last runs of a visitor's conversation, the oldest of them first; none if it is not theirs."""
        with self._database.transaction() as db:
            newest_first = [
                conversation_rows.as_turn(r) for r in db.execute(conversation_rows.turns(owner, conversation, limit))
            ]
        return newest_first[::-1]

    def may_begin(self, owner: str, run_id: str) -> bool:
        """Return whether a conversation may begin with this run: it must be the visitor's own, have ended with an answer, be
        no fork, and belong to no other conversation."""
        with self._database.transaction() as db:
            return db.execute(select(_runs.c.id).where(*conversation_rows.free(owner, run_id))).first() is not None

    def begin_with(self, owner: str, run_id: str, conversation: str) -> bool:
        """Begin a conversation with an existing run. Returns False if `may_begin` does not allow it."""
        with self._database.transaction() as db:
            mine = _runs.update().where(*conversation_rows.free(owner, run_id))
            return bool(db.execute(mine.values(conversation=conversation)).rowcount)

    def star(self, owner: str, run_id: str, starred: bool) -> bool:
        """Set or remove the star of a visitor's run. Returns False if the run is not theirs."""
        theirs = (_runs.c.id == run_id, _runs.c.owner == owner)
        with self._database.transaction() as db:
            return bool(db.execute(_runs.update().where(*theirs).values(starred=starred)).rowcount)

    def delete(self, owner: str, run_id: str) -> bool:
        """Delete a visitor's run. Returns False if the run is not theirs."""
        with self._database.transaction() as db:
            gone = db.execute(delete(_runs).where(_runs.c.id == run_id, _runs.c.owner == owner)).rowcount
            if gone:
                db.execute(delete(_events).where(_events.c.run_id == run_id))
            return bool(gone)

    def import_trace(self, trace: Trace, owner: str) -> str:
        """Store a run from a file as one of this visitor's, and return its id. The id is always new, because whoever knows an
        id can open the run, and the writer of the file knows the one in it. It joins no conversation, because nobody else may
        add to a visitor's conversation."""
        head = trace.head.model_copy(update={"run_id": secrets.token_urlsafe(12), "conversation": ""})
        with self._database.transaction() as db:
            _begin(db, head, owner)
            _append(db, head.run_id, 0, [head, *trace.events[1:]])
            if trace.events[-1].kind not in ENDS:
                db.execute(_runs.update().where(_runs.c.id == head.run_id).values(ended=INTERRUPTED))
        return head.run_id

    def mark_interrupted(self) -> None:
        """Mark all runs without an end as interrupted, when the server starts. A run that another process still works on gets
        its real end later."""
        with self._database.transaction() as db:
            db.execute(_runs.update().where(_runs.c.ended == "").values(ended=INTERRUPTED))

    def shelf(self, visitor: str) -> list[str]:
        """Return the source ids of a visitor's library."""
        return [str(s) for s in self._visitor(visitor)[0]]

    def save_shelf(self, visitor: str, sources: list[str]) -> None:
        """Store the source ids of a visitor's library."""
        self._save(visitor, sources=sources)

    def change_shelf(self, visitor: str, *, add: Iterable[str] = (), remove: Iterable[str] = ()) -> list[str]:
        """Add sources at the end of a visitor's shelf, remove others, and return the new shelf. It is done in one transaction,
        because another tab or process may change the same shelf."""
        gone = set(remove)
        with self._database.transaction() as db:
            _claim(db, visitor)
            mine = _visitors.c.id == visitor
            before = db.execute(select(_visitors.c.sources).where(mine)).scalar_one()
            shelf = [str(s) for s in dict.fromkeys([*before, *add]) if s not in gone]
            db.execute(_visitors.update().where(mine).values(sources=shelf))
        return shelf

    def choices(self, visitor: str) -> dict[str, Any]:
        """Return what a visitor chose on the page, as plain JSON. It never holds a key: keys stay in the visitor's session."""
        return dict(self._visitor(visitor)[1])

    def save_choices(self, visitor: str, choices: dict[str, Any]) -> None:
        """Store what a visitor chose on the page."""
        self._save(visitor, choices=json.loads(json.dumps(choices)))

    def _visitor(self, visitor: str) -> tuple[list[Any], dict[str, Any]]:
        with self._database.transaction() as db:
            row = db.execute(select(_visitors.c.sources, _visitors.c.choices).where(_visitors.c.id == visitor)).first()
        return (row[0], row[1]) if row else ([], {})

    def _save(self, visitor: str, **values: Any) -> None:
        with self._database.transaction() as db:
            _claim(db, visitor)
            db.execute(_visitors.update().where(_visitors.c.id == visitor).values(**values))


def _claim(db: Connection, visitor: str) -> None:
    """Create a visitor's row if there is none, and lock it until the transaction ends. It is one statement, because two
    simultaneous first writes would both find no row."""
    new = _insert(db).values(id=visitor, sources=[], choices={})
    db.execute(new.on_conflict_do_update(index_elements=["id"], set_={"id": visitor}))


def _insert(db: Connection) -> sqlite.Insert | postgresql.Insert:
    return postgresql.insert(_visitors) if db.dialect.name == "postgresql" else sqlite.insert(_visitors)


def _begin(db: Connection, head: RunStarted, owner: str) -> None:
    question = head.question.replace("\0", "")  # PostgreSQL's text cannot hold NUL
    row = {"id": head.run_id, "owner": owner, "strategy": head.strategy, "question": question, "ended": ""}
    row |= {"started": head.started, "parent": head.parent, "words": question.casefold()}
    row["conversation"] = head.conversation
    db.execute(_runs.insert().values(**row, kept=time.time()))


def _append(db: Connection, run_id: str, first: int, events: Sequence[RunEvent]) -> None:
    rows = [{"run_id": run_id, "number": first + i, "event": e} for i, e in enumerate(dump_events(events))]
    db.execute(_events.insert(), rows)
    last = events[-1]
    values: dict[str, Any] = {"seconds": last.at}
    if calls := sum(e.kind == "model_called" for e in events):
        values["llm_calls"] = _runs.c.llm_calls + calls
    if last.kind in ENDS:
        values["ended"] = last.stop_reason if last.kind == "run_finished" else last.kind.removeprefix("run_")
    changed = [e.update for e in events if e.kind in ("node_finished", "edited")]
    for name in ("condensed", "answer"):
        if written := [update[name] for update in changed if name in update]:
            values[name] = written[-1].replace("\0", "")
    if last.kind == "run_finished":
        values["words"] = _runs.c.words + "\n" + last.answer.replace("\0", "").casefold()
    db.execute(_runs.update().where(_runs.c.id == run_id).values(**values))
