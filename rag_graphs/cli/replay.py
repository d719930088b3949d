"""Run `replay`: show a recorded run once more, at its own pace or another. No model is asked."""

from __future__ import annotations

import time
from argparse import Namespace
from collections.abc import Iterator
from typing import TYPE_CHECKING

from rag_graphs.cli.codes import DONE
from rag_graphs.cli.console import Console
from rag_graphs.cli.follow_run import RunCommand
from rag_graphs.cli.trace_file import named_trace

if TYPE_CHECKING:
    from rag_graphs import RunEvent, Trace


def replay(args: Namespace, console: Console) -> int:
    """Print a recorded run as `ask` printed it. The command succeeds even if the recorded run failed."""
    return Replay(args, console).execute()


class Replay(RunCommand):
    recorded: Trace | None = None

    def run(self) -> int:
        from rag_graphs import all_strategies

        self.recorded = named_trace(self.args)
        key = self.recorded.head.strategy
        strategy = all_strategies().get(key)
        speed = 0.0 if self.args.json else self.args.speed
        self.follow(_at_pace(self.recorded, speed), strategy.title if strategy else key)
        return DONE

    def trace(self) -> Trace:
        """Return the recorded run itself once it is over, which knows whether it was interrupted."""
        whole = self.recorded is not None and len(self.events) == len(self.recorded)
        return self.recorded if whole and self.recorded else super().trace()


def _at_pace(trace: Trace, speed: float) -> Iterator[RunEvent]:
    begun = time.monotonic()
    for event in trace.events:
        if speed:
            time.sleep(max(0.0, min(begun + event.at / speed - time.monotonic(), 3600.0)))
        yield event
