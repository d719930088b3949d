"""Run `strategies KEY --script`: write a strategy as one LangGraph script to take home."""

from __future__ import annotations

from argparse import Namespace

from rag_graphs import (
    LoadReport,
    RagGraphsError,
    Settings,
    Workspace,
    collections,
    export_script,
    get_strategy,
    load_samples,
    script_name,
)
from rag_graphs.cli.codes import DONE
from rag_graphs.cli.console import Console
from rag_graphs.cli.export import write
from rag_graphs.cli.options import chosen_settings, opened


def script(args: Namespace, console: Console) -> int:
    """Write the script to the file that --script names, or to standard output. It carries what --source or --collection
    name, else pages of the sample library."""
    strategy = get_strategy(args.key)
    if args.source or args.collection:
        with opened(args) as (settings, workspace, _):
            sources = _loaded(args, workspace, settings, console)
            data = export_script(strategy, settings, workspace.library, sources)
    else:
        data = export_script(strategy, chosen_settings(args), None)
    write(data, args.script, script_name(strategy), console)
    return DONE


def _loaded(args: Namespace, workspace: Workspace, settings: Settings, console: Console) -> list[str]:
    """Load what the options name and return the ids of what could be loaded. Raises where nothing could."""
    library, reports = workspace.library, list[LoadReport]()
    if args.source:
        reports += library.load_many(args.source, settings, files=True)
    if args.collection:
        if wrong := [key for key in args.collection if key not in collections()]:
            raise RagGraphsError(f"There is no collection {wrong[0]!r}. Collections: {', '.join(collections())}.")
        reports += load_samples(library, args.collection, settings)
    for report in reports:
        if not report.ok:
            console.problem(f"Warning: {report.address} was not loaded: {report.message}")
    ids = [report.source.id for report in reports if report.source is not None]
    if not ids:
        raise RagGraphsError("None of the sources could be loaded, so no script was made.")
    return ids
