"""Run `conversations`: list those that `ask --conversation` keeps, or the turns of one."""

from __future__ import annotations

from argparse import Namespace
from typing import TYPE_CHECKING, Any

from rag_graphs import SettingsError
from rag_graphs.cli.codes import DONE
from rag_graphs.cli.console import Console
from rag_graphs.cli.trace_file import kept_store

if TYPE_CHECKING:
    from rag_graphs import Store

MOST = 1000


def conversations(args: Namespace, console: Console) -> int:
    """List the conversations, the latest first; with an ID, its turns in order."""
    store = kept_store(args)
    if args.id:
        return _turns(args, store, console)
    rows = store.conversations("", MOST) if store else []
    if args.json:
        listed = [{"id": r.id, "question": r.question, "runs": r.runs, "last": r.last.isoformat()} for r in rows]
        console.document(listed)
        return DONE
    for row in rows:
        runs = "1 question" if row.runs == 1 else f"{row.runs} questions"
        console.line((row.id, "bold"), f"  {row.question}  ", (f"{runs}, last {row.last:%Y-%m-%d %H:%M} UTC", "dim"))
    if not rows:
        console.line("There are no conversations here. Begin one: ask QUESTION --strategy KEY --conversation ID")
    return DONE


def _turns(args: Namespace, store: Store | None, console: Console) -> int:
    rows = store.turns("", args.id, MOST) if store else []
    if not rows:
        raise SettingsError(f"There is no conversation {args.id!r} here. The command conversations lists them.")
    if args.json:
        told: list[dict[str, Any]] = [
            {
                "run_id": r.id,
                "question": r.question,
                "condensed": r.condensed,
                "answer": r.answer,
                "stop_reason": r.stop_reason,
            }
            for r in rows
        ]
        console.document(told)
        return DONE
    for row in rows:
        console.line((row.question, "bold"), (f"  run {row.id}", "dim"))
        if row.condensed:
            console.line("  Understood as: ", (row.condensed, "bold"))
        console.paragraph(row.answer or f"No answer: {row.stop_reason or 'it runs still'}.", margin=2)
    return DONE
