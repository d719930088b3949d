"""Run `fork`: change something in a recorded run, and let a new run go on from there."""

from __future__ import annotations

import time
from argparse import Namespace
from typing import TYPE_CHECKING
from uuid import uuid4

from rag_graphs.cli.codes import DONE
from rag_graphs.cli.console import Console
from rag_graphs.cli.follow_run import RunCommand
from rag_graphs.cli.options import given, opened
from rag_graphs.cli.trace_file import named_trace

if TYPE_CHECKING:
    from rag_graphs import Trace


def fork(args: Namespace, console: Console) -> int:
    """Run on from a recorded run; without --change, list what can be changed there."""
    if args.change is None:
        return _offers(args, console)
    return Fork(args, console).execute()


class Fork(RunCommand):
    def run(self) -> int:
        from rag_graphs import parse_change, prepare_fork, update_at, visit_named

        parent = named_trace(self.args)
        self.args.strategy, self.args.question = parent.head.strategy, parent.head.question
        visit, change = visit_named(parent, self.args.at), parse_change(self.args.change)
        update_at(parent, visit, change)  # what cannot be changed is told before anything is loaded
        with opened(self.args) as (settings, workspace, kept):
            loads = self.args.source or self.args.collection
            sources = self.load(workspace, settings) if loads else None
            ready = prepare_fork(
                parent, visit, change, workspace.library, settings, sources=sources, instead=given(self.args)
            )
            if ready.missing:
                self.warnings.append(f"{ready.missing} of the run's sources are not here. Name them with --source.")
                self.console.problem(f"Warning: {self.warnings[-1]}")
            code = self.follow(ready.events(uuid4().hex, time.perf_counter), ready.strategy.title)
            if kept:
                self.keep(workspace)
        return code


def _offers(args: Namespace, console: Console) -> int:
    from rag_graphs import offers_at, visit_named

    parent: Trace = named_trace(args)
    offers = offers_at(parent, visit_named(parent, args.at))
    if args.json:
        console.document([{"label": o.label, "change": o.change.model_dump(mode="json")} for o in offers])
        return DONE
    for offer in offers:
        console.line((offer.label, "bold"))
        console.line(f"  --change '{offer.change.model_dump_json()}'")
    if not offers:
        console.line(f"Nothing can be changed after {args.at}.")
    return DONE
