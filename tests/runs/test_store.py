"""The store: runs survive a restart, visitors keep their library, a damaged folder is told in words."""

import sqlite3
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import event, text

from rag_graphs.errors import LibraryError
from rag_graphs.graphs.strategies import get_strategy
from rag_graphs.runs.events import RunEvent
from rag_graphs.runs.runner import run
from rag_graphs.settings import Settings
from rag_graphs.store import Store
from rag_graphs.store.database import FILE
from tests.fakes import fake


def events(run_id: str = "r1") -> list[RunEvent]:
    return list(run(get_strategy("crag"), "Why?", fake(), Settings(), run_id=run_id))


def keep(store: Store, kept: list[RunEvent], batch: int = 5) -> None:
    head = kept[0]
    assert head.kind == "run_started"
    store.begin(head, "me")
    for first in range(0, len(kept), batch):
        store.append(head.run_id, first, kept[first : first + batch])


def test_a_run_survives_a_restart(tmp_path: Path) -> None:
    written = events()
    first = Store(tmp_path)
    keep(first, written)
    first.close()
    again = Store(tmp_path)
    trace = again.trace("r1")
    assert trace is not None
    assert list(trace.events) == written
    again.close()


def test_a_killed_server_leaves_what_was_written(store: Store) -> None:
    written = events()
    keep(store, written[:10])
    trace = store.trace("r1")
    assert trace is not None
    assert list(trace.events) == written[:10]
    assert trace.interrupted
    assert (trace.ended, trace.stop_reason) == (True, "interrupted")
    assert not trace.upto(9).ended, "at that moment it still ran"


def test_a_run_that_cannot_be_read_counts_as_none(store: Store) -> None:
    keep(store, events())
    with store.engine.begin() as db:
        db.execute(text('UPDATE events SET event = \'{"kind": "nonsense"}\' WHERE number = 3'))
    assert store.trace("r1") is None
    assert store.trace("never") is None


def test_visitors_keep_their_own_library_and_choices(store: Store) -> None:
    store.save_shelf("a", ["s1", "s2"])
    store.save_choices("a", {"pace": 0.9})
    store.save_shelf("b", ["s3"])
    assert store.shelf("a") == ["s1", "s2"]
    assert store.choices("a") == {"pace": 0.9}
    assert store.shelf("b") == ["s3"]
    assert store.choices("b") == {}
    assert store.shelf("new") == []
    store.save_shelf("a", [])
    assert store.shelf("a") == []
    assert store.choices("a") == {"pace": 0.9}


def test_two_first_writes_at_once_are_both_kept(store: Store, tmp_path: Path) -> None:
    other, left = Store(tmp_path / "data"), [{"pace": 0.9}]

    def write_first(*statement: Any) -> None:
        if statement[2].startswith("INSERT INTO visitors") and left:
            other.save_choices("a", left.pop())

    event.listen(store.engine, "before_cursor_execute", write_first)
    store.save_shelf("a", ["s1"])
    assert (store.shelf("a"), store.choices("a"), left) == (["s1"], {"pace": 0.9}, [])
    other.close()


def test_a_shelf_is_changed_in_place(store: Store) -> None:
    assert store.change_shelf("a", add=["s2", "s1"]) == ["s2", "s1"]
    assert store.change_shelf("a", add=["s1", "s3"], remove=["s2"]) == ["s1", "s3"]
    assert store.shelf("a") == ["s1", "s3"]


def test_nobody_else_writes_between_the_reading_of_a_shelf_and_its_change(store: Store, tmp_path: Path) -> None:
    told: list[str] = []

    def write_meanwhile(*statement: Any) -> None:
        if statement[2].startswith("SELECT visitors.sources"):
            other = sqlite3.connect(tmp_path / "data" / FILE, timeout=0)
            try:
                other.execute("BEGIN IMMEDIATE")
            except sqlite3.OperationalError as error:
                told.append(str(error))
            other.close()

    event.listen(store.engine, "before_cursor_execute", write_meanwhile)
    store.change_shelf("a", add=["s1"])
    assert told == ["database is locked"]


def test_what_fails_half_way_in_a_new_store_leaves_nothing(store: Store) -> None:
    keep(store, events())

    def fail_half_way() -> None:
        with store._database.transaction() as db:
            db.execute(text("DELETE FROM events"))
            db.execute(text("DELETE FROM nothing"))

    with pytest.raises(LibraryError):
        fail_half_way()
    assert store.trace("r1") is not None


def test_a_folder_that_cannot_be_used_is_told_in_words(tmp_path: Path) -> None:
    in_the_way = tmp_path / "file"
    in_the_way.write_text("not a folder")
    with pytest.raises(LibraryError, match="RAG_DATA_DIR"):
        Store(in_the_way)
    damaged = tmp_path / "damaged"
    damaged.mkdir()
    (damaged / "rag_graphs.sqlite").write_bytes(b"this is no database at all" * 100)
    with pytest.raises(LibraryError, match="cannot be used"):
        Store(damaged)
