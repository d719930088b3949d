"""Migrating a database of any earlier version to the current tables, with its contents.

The revisions are in `migrations/versions` and are run by Alembic. Alembic is imported for an older database only: most starts
find the tables up to date, and a new database gets the current ones at once.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from sqlalchemy import Connection, Engine, inspect, text

from rag_graphs.errors import LibraryError
from rag_graphs.store.tables import metadata

if TYPE_CHECKING:
    from alembic.config import Config

FIRST, LATEST = "0001", "0003"
"""FIRST is the revision of databases that were made before revisions were counted."""
LOCK = 7_265_200_705  # any number that no other program on the same PostgreSQL server uses


def bring_up_to_date(engine: Engine) -> None:
    """Create or migrate the tables if needed. Raises LibraryError for a database that a newer version wrote, SQLAlchemyError
    for one that cannot be read."""
    with engine.connect() as connection:
        if revision_of(connection) == LATEST:
            return
    with engine.connect() as connection:
        connection.detach()  # `_lock_tables` changes its mode for good, so it must not go back to the pool
        _lock_tables(connection)
        # another process may have migrated it meanwhile
        revision = revision_of(connection)
        if not revision:
            _create(connection)
        elif revision != LATEST:
            _upgrade(connection, revision)
        connection.commit()


def revision_of(connection: Connection) -> str:
    """Return the revision of a database; empty for a new one."""
    tables = inspect(connection).get_table_names()
    if "alembic_version" in tables:
        return str(connection.execute(text("SELECT version_num FROM alembic_version")).scalar() or "")
    return FIRST if "runs" in tables else ""


def _lock_tables(connection: Connection) -> None:
    """Begin a transaction that keeps other processes from changing the tables."""
    if connection.dialect.name == "sqlite":
        driver = connection.connection.dbapi_connection
        assert driver is not None
        driver.isolation_level = None  # else it would commit before each change of a table
        connection.exec_driver_sql("BEGIN IMMEDIATE")
    elif connection.dialect.name == "postgresql":
        connection.execute(text("SELECT pg_advisory_xact_lock(:lock)"), {"lock": LOCK})


def _create(connection: Connection) -> None:
    metadata.create_all(connection)
    connection.execute(text("CREATE TABLE alembic_version (version_num VARCHAR(32) NOT NULL PRIMARY KEY)"))
    connection.execute(text("INSERT INTO alembic_version VALUES (:revision)"), {"revision": LATEST})


def _upgrade(connection: Connection, revision: str) -> None:
    from alembic import command
    from alembic.script import ScriptDirectory

    config = _config(connection)
    revisions = {s.revision for s in ScriptDirectory.from_config(config).walk_revisions()}
    if revision not in revisions:
        raise LibraryError(
            f"A newer version of RAG Graphs wrote this database (revision {revision}). Use that version, or choose another "
            "folder with RAG_DATA_DIR. Nothing was changed."
        )
    if revision == FIRST and "alembic_version" not in inspect(connection).get_table_names():
        command.stamp(config, FIRST)
    command.upgrade(config, "head")


def _config(connection: Connection) -> Config:
    from alembic.config import Config

    config = Config(attributes={"connection": connection})
    config.set_main_option("script_location", str(Path(__file__).parent / "migrations").replace("%", "%%"))
    return config
