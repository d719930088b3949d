"""Find the run that a command names."""

from __future__ import annotations

import sys
from argparse import Namespace
from pathlib import Path
from typing import TYPE_CHECKING

from rag_graphs import SettingsError, Trace, read_file
from rag_graphs.cli.options import chosen_settings
from rag_graphs.samples import recorded_runs

if TYPE_CHECKING:
    from rag_graphs import Store


def named_trace(args: Namespace) -> Trace:
    """Return the run of a file, of standard input, of the data folder, or a shipped one. Raises TraceError for a file that
    is no trace, SettingsError where there is no such run."""
    name: str = args.trace
    if name == "-":
        return Trace.from_json(sys.stdin.buffer.read(20_000_001))
    if _is_file(name):
        return Trace.from_json(read_file(Path(name)))
    shipped = {key: r.trace for r in recorded_runs() for key in (r.key, r.trace.head.run_id)}
    if trace := shipped.get(name) or _kept(name, args):
        return trace
    raise SettingsError(
        f"There is no file, no kept run and no shipped run {name!r}. Shipped runs: {', '.join(r.key for r in recorded_runs())}."
    )


def _is_file(name: str) -> bool:
    try:
        return Path(name).is_file()
    except (OSError, ValueError):  # longer than any name, or a null character in it
        return False


def _kept(name: str, args: Namespace) -> Trace | None:
    store = kept_store(args)
    return store.trace(name) if store else None


def kept_store(args: Namespace) -> Store | None:
    """Return the store of the data folder, or None where there is none yet: to look something up makes no folder."""
    from rag_graphs import open_workspace

    settings = chosen_settings(args)
    if settings.database_url is None and not (settings.data_dir / "rag_graphs.sqlite").exists():
        return None
    return open_workspace(settings).store
