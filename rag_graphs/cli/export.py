"""Run `export`: write a run as a file to send to others."""

from __future__ import annotations

from argparse import Namespace
from pathlib import Path

from rag_graphs import RagGraphsError, SettingsError, export_run, file_name
from rag_graphs.cli.codes import DONE
from rag_graphs.cli.console import Console
from rag_graphs.cli.trace_file import named_trace


def export(args: Namespace, console: Console) -> int:
    """Write the run to --output, or to standard output."""
    if args.format == "png" and not args.output and console.is_terminal:
        raise SettingsError("A picture cannot be shown in a terminal. Name a file with --output.")
    trace = named_trace(args)
    write(export_run(trace, args.format), args.output, file_name(trace, args.format), console)
    return DONE


def write(data: bytes, output: str, name: str, console: Console) -> None:
    """Write a file: to `output`, into that folder under its own name, or, without it, to standard output."""
    if not output:
        console.file(data)
        return
    path = Path(output)
    if path.is_dir():
        path /= name
    try:
        path.write_bytes(data)
    except OSError as error:
        raise RagGraphsError(f"{path} cannot be written ({error.strerror}).") from None
    console.line(f"Written: {path}")
