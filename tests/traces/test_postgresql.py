"""The store on PostgreSQL, where this machine has its server and psycopg: `pip install 'psycopg[binary]'`."""

from __future__ import annotations

import os
import pwd
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from alembic import command
from sqlalchemy import create_engine

from rag_graphs.store import Store, migrate
from tests.traces.conftest import ME, keep, recorded

BINARIES = next(iter(sorted(Path("/usr/lib/postgresql").glob("*/bin"), reverse=True)), None)


def run_as_user(*command: str) -> None:
    """PostgreSQL refuses to run as root."""
    user = "postgres" if os.geteuid() == 0 else None
    subprocess.run(command, check=True, capture_output=True, user=user, cwd="/tmp")


@pytest.fixture(scope="module")
def server() -> Iterator[str]:
    """The URL of a database server that listens on a socket in a folder of its own."""
    pytest.importorskip("psycopg", reason="psycopg is not installed")
    if BINARIES is None or not (BINARIES / "initdb").exists():
        pytest.skip("PostgreSQL is not installed")
    folder = Path(tempfile.mkdtemp(prefix="rag-pg-", dir="/tmp"))
    if os.geteuid() == 0:
        os.chown(folder, pwd.getpwnam("postgres").pw_uid, -1)
    control = (str(BINARIES / "pg_ctl"), "-D", str(folder / "data"), "-w", "-t", "60")
    run_as_user(str(BINARIES / "initdb"), "-D", str(folder / "data"), "-U", "rag", "-A", "trust", "-E", "UTF8", "-N")
    run_as_user(*control, "-l", str(folder / "log"), "-o", f"-k {folder} -c listen_addresses= -c fsync=off", "start")
    yield f"postgresql+psycopg://rag@/postgres?host={folder}"
    run_as_user(*control, "-m", "immediate", "stop")
    shutil.rmtree(folder, ignore_errors=True)


def test_conversations(server: str, tmp_path: Path) -> None:
    store = Store(tmp_path, server)
    for run_id, question in (("c1", "What is it?"), ("c2", "And then?")):
        keep(store, recorded("naive", question, run_id=run_id))
        assert store.begin_with(ME, run_id, "talk")
    (row,) = store.conversations(ME)
    assert (row.id, row.question, row.runs) == ("talk", "What is it?", 2)
    assert [(t.question, t.answer) for t in store.turns(ME, "talk")] == [
        ("What is it?", "An answer. [1]"),
        ("And then?", "An answer. [1]"),
    ]
    for run_id in ("c1", "c2"):
        assert store.delete(ME, run_id)
    store.close()


def test_runs_are_kept_listed_and_searched(server: str, tmp_path: Path) -> None:
    store = Store(tmp_path, server)
    trace = recorded("self-rag", "Wo ist die Stra\0ße?", run_id="r1")
    keep(store, trace)
    store.import_trace(trace, ME)
    assert [r.stop_reason for r in store.history(ME, text="STRASSE answer")] == ["useful", "useful"]
    kept = store.trace("r1")
    assert kept is not None
    assert kept.events == trace.events
    assert store.star(ME, "r1", True)
    assert store.history(ME, starred=True)[0].id == "r1"
    assert store.delete(ME, "r1")
    store.save_choices("a", {"pace": 0.9})
    assert store.choices("a") == {"pace": 0.9}
    store.close()
    again = Store(tmp_path, server)
    assert again.count(ME) == 1
    again.close()


def test_the_revisions_lead_to_today(server: str) -> None:
    maker = create_engine(server, isolation_level="AUTOCOMMIT")
    with maker.connect() as connection:
        connection.exec_driver_sql("CREATE DATABASE older")
    maker.dispose()
    engine = create_engine(server.replace("/postgres?", "/older?"))
    with engine.connect() as connection:
        command.upgrade(migrate._config(connection), "0001")
        connection.commit()
    migrate.bring_up_to_date(engine)
    with engine.connect() as connection:
        assert migrate.revision_of(connection) == migrate.LATEST
    engine.dispose()
