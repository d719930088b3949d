"""A database of any earlier version opens with all that was in it; one of a later version is refused in words."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from alembic import command
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import create_engine, text

from rag_graphs.errors import LibraryError
from rag_graphs.store import Store, migrate, tables

FIRST_VERSION = Path(__file__).parent / "first_version.sql"
VISITOR = "visitor-of-the-first-version"


@pytest.fixture
def old(tmp_path: Path) -> Path:
    with closing(sqlite3.connect(tmp_path / "rag_graphs.sqlite")) as db:
        db.executescript(FIRST_VERSION.read_text(encoding="utf-8"))
    return tmp_path


@pytest.fixture
def opened(old: Path) -> Iterator[Store]:
    store = Store(old)
    yield store
    store.close()


def test_what_the_first_version_kept_is_there(opened: Store) -> None:
    cut, whole = opened.history(VISITOR)
    assert (whole.id, whole.question, whole.stop_reason, whole.llm_calls) == ("first-run-of-all", "Why?", "answered", 1)
    assert (whole.started.isoformat(), whole.starred, whole.parent) == ("2026-11-30T03:00:00+00:00", False, "")
    assert (cut.id, cut.stop_reason, cut.parent) == ("second-run-cut-off", "", "first-run-of-all")
    assert [r.id for r in opened.history(VISITOR, text="because STRASSE")] == ["first-run-of-all"]
    trace = opened.trace("first-run-of-all")
    assert trace is not None
    assert (trace.path, trace.text) == (["retrieve", "generate"], "Because of Strasse.")
    with opened.engine.connect() as db:
        answers = db.execute(text("SELECT id, answer, condensed, conversation FROM runs ORDER BY id")).all()
    assert answers == [("first-run-of-all", "Because of Strasse.", "", ""), ("second-run-cut-off", "", "", "")]
    assert opened.conversations(VISITOR) == []
    assert opened.shelf(VISITOR) == ["source-1"]
    assert opened.choices(VISITOR) == {"pace": 0.9}


def test_an_upgraded_database_is_one_of_today_and_can_be_opened_again(old: Path) -> None:
    Store(old).close()
    again = Store(old)
    assert again.count(VISITOR) == 2
    again.close()


@pytest.mark.parametrize("made", ["new", "upgraded", "revision by revision"])
def test_every_way_leads_to_the_tables_of_today(made: str, tmp_path: Path, request: pytest.FixtureRequest) -> None:
    folder = request.getfixturevalue("old") if made == "upgraded" else tmp_path
    if made == "revision by revision":
        engine = create_engine(f"sqlite:///{folder / 'rag_graphs.sqlite'}")
        with engine.connect() as connection:
            command.upgrade(migrate._config(connection), "head")
            connection.commit()
        engine.dispose()
    store = Store(folder)
    with store.engine.connect() as connection:
        context = MigrationContext.configure(connection, opts={"compare_type": True})
        differences = [d for d in compare_metadata(context, tables.metadata) if d[0] != "remove_table"]
    store.close()
    assert differences == []


def test_the_named_revisions_are_the_first_and_the_last() -> None:
    script = ScriptDirectory(str(Path(migrate.__file__).parent / "migrations"))
    assert (script.get_base(), script.get_current_head()) == (migrate.FIRST, migrate.LATEST)


def test_a_later_version_is_refused_and_nothing_is_changed(tmp_path: Path) -> None:
    store = Store(tmp_path)
    with store.engine.begin() as db:
        db.execute(text("UPDATE alembic_version SET version_num = '9999'"))
    store.close()
    before = (tmp_path / "rag_graphs.sqlite").read_bytes()
    with pytest.raises(LibraryError, match=r"newer version of RAG Graphs.*9999"):
        Store(tmp_path)
    assert (tmp_path / "rag_graphs.sqlite").read_bytes() == before


def test_an_upgrade_that_breaks_leaves_the_old_database(old: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(connection: object, revision: str) -> None:
        command_upgrade(connection, revision)
        raise OSError("the machine went down")

    command_upgrade = migrate._upgrade
    monkeypatch.setattr(migrate, "_upgrade", broken)
    with pytest.raises(LibraryError):
        Store(old)
    with closing(sqlite3.connect(old / "rag_graphs.sqlite")) as db:
        names = {row[0] for row in db.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}
        columns = {row[1] for row in db.execute("PRAGMA table_info(runs)")}
    assert names == {"runs", "events", "visitors"}
    assert "starred" not in columns


@pytest.mark.parametrize(
    ("url", "says"),
    [
        ("nonsense", "no address of a database"),
        ("nosuch://host/name", "no address of a database"),
        ("mysql+pymysql://me:secret@host/name", "needs the package pymysql"),
        ("sqlite:////no/such/folder/at/all.sqlite", "RAG_DATABASE_URL cannot be used"),
    ],
)
def test_a_database_that_cannot_be_used_is_told_in_words(url: str, says: str, tmp_path: Path) -> None:
    with pytest.raises(LibraryError, match=says) as failure:
        Store(tmp_path, url)
    assert "secret" not in str(failure.value)


def test_another_database_by_url(tmp_path: Path) -> None:
    store = Store(tmp_path / "folder", f"sqlite:///{tmp_path / 'elsewhere.sqlite'}")
    store.save_shelf("a", ["s1"])
    store.close()
    assert (tmp_path / "elsewhere.sqlite").exists()
    assert not (tmp_path / "folder").exists()
