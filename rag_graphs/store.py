"""What is kept between starts: runs with their events, and each visitor's library and choices. A database, by SQLAlchemy."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from sqlalchemy import (
    JSON,
    Column,
    Connection,
    Engine,
    Float,
    Integer,
    MetaData,
    String,
    Table,
    Text,
    create_engine,
    event,
    select,
)
from sqlalchemy.exc import SQLAlchemyError

from rag_graphs.errors import LibraryError, TraceError
from rag_graphs.events import ENDS, VERSION, RunEvent, RunStarted, dump_events
from rag_graphs.trace import Trace

_tables = MetaData()
_runs = Table(
    "runs",
    _tables,
    Column("id", String(64), primary_key=True),
    Column("owner", String(64), index=True, nullable=False),
    Column("strategy", String(64), nullable=False),
    Column("question", Text, nullable=False),
    Column("started", String(32), nullable=False),
    Column("ended", String(32), nullable=False, default=""),
    Column("seconds", Float),
)
_events = Table(
    "events",
    _tables,
    Column("run_id", String(64), primary_key=True),
    Column("number", Integer, primary_key=True),
    Column("event", JSON, nullable=False),
)
_visitors = Table(
    "visitors",
    _tables,
    Column("id", String(64), primary_key=True),
    Column("sources", JSON, nullable=False),
    Column("choices", JSON, nullable=False),
)


class Store:
    """Keeps runs and visitors in `folder/rag_graphs.sqlite`. Safe to use from several threads."""

    def __init__(self, folder: Path) -> None:
        try:
            folder.mkdir(parents=True, exist_ok=True)
            self._engine = create_engine(f"sqlite:///{folder / 'rag_graphs.sqlite'}", connect_args={"timeout": 15})
            event.listen(self._engine, "connect", _write_ahead)
            _tables.create_all(self._engine)
        except (OSError, SQLAlchemyError) as error:
            raise LibraryError(
                f"The data folder {folder} cannot be used ({type(error).__name__}). Choose another one with RAG_DATA_DIR."
            ) from None

    @property
    def engine(self) -> Engine:
        return self._engine

    def close(self) -> None:
        """Let go of the database's file."""
        self._engine.dispose()

    @contextmanager
    def _database(self) -> Iterator[Connection]:
        """A transaction. A full disk or a folder that went away is told in words."""
        try:
            with self._engine.begin() as connection:
                yield connection
        except SQLAlchemyError as error:
            reason = type(error).__name__
            raise LibraryError(f"The data folder could not be read or written ({reason}). Is the disk full?") from None

    def begin(self, head: RunStarted, owner: str) -> None:
        """A run started."""
        row = {"id": head.run_id, "owner": owner, "strategy": head.strategy, "question": head.question}
        with self._database() as db:
            db.execute(_runs.insert().values(**row, started=head.started, ended=""))

    def append(self, run_id: str, first: int, events: list[RunEvent]) -> None:
        """The next events of a run; `first` is the number of the first of them."""
        if not events:
            return
        last = events[-1]
        rows = [{"run_id": run_id, "number": first + i, "event": e} for i, e in enumerate(dump_events(events))]
        with self._database() as db:
            db.execute(_events.insert(), rows)
            if last.kind in ENDS:
                reason = last.stop_reason if last.kind == "run_finished" else last.kind.removeprefix("run_")
                db.execute(_runs.update().where(_runs.c.id == run_id).values(ended=reason, seconds=last.at))

    def trace(self, run_id: str) -> Trace | None:
        """A kept run, or None. One that cannot be read any more counts as none."""
        query = select(_events.c.event).where(_events.c.run_id == run_id).order_by(_events.c.number)
        with self._database() as db:
            events = list(db.execute(query).scalars())
        try:
            return Trace.from_json({"version": VERSION, "events": events}) if events else None
        except TraceError:
            return None

    def shelf(self, visitor: str) -> list[str]:
        """The source ids of a visitor's library."""
        return [str(s) for s in self._visitor(visitor)[0]]

    def save_shelf(self, visitor: str, sources: list[str]) -> None:
        self._save(visitor, sources=sources)

    def choices(self, visitor: str) -> dict[str, Any]:
        """What a visitor chose on the page, as plain JSON. Never a key: those stay in the visitor's session."""
        return dict(self._visitor(visitor)[1])

    def save_choices(self, visitor: str, choices: dict[str, Any]) -> None:
        self._save(visitor, choices=json.loads(json.dumps(choices)))

    def _visitor(self, visitor: str) -> tuple[list[Any], dict[str, Any]]:
        with self._database() as db:
            row = db.execute(select(_visitors.c.sources, _visitors.c.choices).where(_visitors.c.id == visitor)).first()
        return (row[0], row[1]) if row else ([], {})

    def _save(self, visitor: str, **values: Any) -> None:
        with self._database() as db:
            changed = db.execute(_visitors.update().where(_visitors.c.id == visitor).values(**values))
            if not changed.rowcount:
                db.execute(_visitors.insert().values(**{"id": visitor, "sources": [], "choices": {}, **values}))


def _write_ahead(connection: Any, _: Any) -> None:
    # readers must not wait for the writer of a run
    connection.execute("PRAGMA journal_mode=WAL")
    connection.execute("PRAGMA synchronous=NORMAL")
