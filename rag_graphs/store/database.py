"""The connection to the database, SQLite or another, with messages for its failures."""

from __future__ import annotations

import weakref
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from sqlalchemy import Connection, Engine, create_engine, event, make_url
from sqlalchemy.engine import URL
from sqlalchemy.exc import ArgumentError, NoSuchModuleError, SQLAlchemyError

from rag_graphs.errors import LibraryError
from rag_graphs.store.migrate import bring_up_to_date

FILE = "rag_graphs.sqlite"


class Database:
    """An open database with up-to-date tables. Safe to use from several threads."""

    def __init__(self, folder: Path, url: str = "") -> None:
        """Open the database of a SQLAlchemy URL, or without one a SQLite file in the folder. Raises LibraryError."""
        self._own = not url
        place = f"The data folder {folder}" if self._own else "The database of RAG_DATABASE_URL"
        remedy = (
            "Choose another one with RAG_DATA_DIR." if self._own else "Is its server running, and is the URL right?"
        )
        try:
            if self._own:
                folder.mkdir(parents=True, exist_ok=True)
            self.engine = _engine(URL.create("sqlite", database=str(folder / FILE)) if self._own else _parsed(url))
            # without this, connections stay open until the garbage collector finds them
            self._close = weakref.finalize(self, self.engine.dispose)
            bring_up_to_date(self.engine)
        except (OSError, SQLAlchemyError) as error:
            # the driver's own message may hold the URL with its password
            raise LibraryError(f"{place} cannot be used ({type(error).__name__}). {remedy}") from None

    @contextmanager
    def transaction(self) -> Iterator[Connection]:
        """Open a transaction. Raises LibraryError, for example if the disk is full or the server does not answer."""
        try:
            with self.engine.begin() as connection:
                yield connection
        except SQLAlchemyError as error:
            what = "The data folder" if self._own else "The database of RAG_DATABASE_URL"
            hint = "Is the disk full?" if self._own else "Is its server running?"
            raise LibraryError(f"{what} could not be read or written ({type(error).__name__}). {hint}") from None

    def close(self) -> None:
        """Close every connection. This also happens when the object is garbage collected."""
        self._close()


def _parsed(url: str) -> URL:
    try:
        parsed = make_url(url)
        parsed.get_dialect().import_dbapi()
    except (ArgumentError, NoSuchModuleError):
        raise LibraryError(
            "RAG_DATABASE_URL is no address of a database. Write one like postgresql+psycopg://user:password@host/name."
        ) from None
    except ImportError as error:
        raise LibraryError(
            f"The database of RAG_DATABASE_URL needs the package {error.name}, which is not installed. "
            "For PostgreSQL: pip install 'psycopg[binary]', and write postgresql+psycopg://…"
        ) from None
    return parsed


def _engine(url: URL) -> Engine:
    if url.get_backend_name() != "sqlite":
        return create_engine(url, pool_pre_ping=True, hide_parameters=True)
    engine = create_engine(url, connect_args={"timeout": 15}, hide_parameters=True)
    event.listen(engine, "connect", _write_ahead)
    return engine


def _write_ahead(connection: Any, _: Any) -> None:
    # readers must not wait for the writer of a run
    try:
        connection.execute("PRAGMA journal_mode=WAL")
        connection.execute("PRAGMA synchronous=NORMAL")
    except Exception:
        connection.close()  # a file that is no database: nobody else knows of this connection yet
        raise
