"""Run `check`: try what the settings name and say what is wrong with it."""

from __future__ import annotations

from argparse import Namespace
from typing import TYPE_CHECKING

from rag_graphs.cli.codes import DONE, FAILED
from rag_graphs.cli.console import Console
from rag_graphs.cli.options import chosen_settings

if TYPE_CHECKING:
    from rag_graphs import Check


def check(args: Namespace, console: Console) -> int:
    """Print a line for each thing tried. Returns 1 if any of them fails."""
    from rag_graphs import planned, tried

    settings = chosen_settings(args)
    results: list[Check] = []
    with console.quiet_output(args.json):
        for result in tried(planned(settings)):
            results.append(result)
            if not args.json:
                _tell(console, result)
    failed = sum(not r.ok for r in results)
    if args.json:
        console.document({"ok": not failed, "checks": [r.plain() for r in results]})
    else:
        verb = "does" if failed == 1 else "do"
        console.line(f"{failed} of {len(results)} {verb} not work." if failed else "Everything that is set up works.")
    return FAILED if failed else DONE


def _tell(console: Console, result: Check) -> None:
    mark = ("✓", "green") if result.ok else ("✕", "red")
    console.line(mark, f" {result.title}: ", result.message)
