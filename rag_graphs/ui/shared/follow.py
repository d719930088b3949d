"""Follow a run: wake when something happened, draw what changed, and rest so that several changes share a frame."""

from __future__ import annotations

import time
from collections.abc import Callable

from rag_graphs import Run, Trace

LONGEST_WAIT = 0.25
"""Seconds without news after which the page is drawn anyway: a click is noticed only when something is drawn."""

REST = 0.05
SETTLE = 0.012
BETWEEN_NODES = ("run_started", "node_finished", "edge_taken")


def follow(
    run: Run,
    draw: Callable[[Trace], None],
    *,
    until: Callable[[Trace], bool] = lambda _: False,
    known: Trace | None = None,
    rest: Callable[[float], None] = time.sleep,
) -> None:
    """Draw the run until it has ended, or until something is true of what was drawn. Each `draw` receives everything that is
    visible by then. `known`: the trace that was drawn before."""
    seen = len(known) if known is not None else 0
    while True:
        run.wait(seen, LONGEST_WAIT)
        ended = run.ended
        events = run.events()
        if not ended and events and events[-1].kind in BETWEEN_NODES:
            # the next node starts within a few milliseconds: show it in this frame, not in the next
            run.wait(len(events) + (events[-1].kind != "edge_taken"), SETTLE)
            ended, events = run.ended, run.events()
        if events:
            # without news the same trace is drawn: what it has worked out is not worked out again
            known = known if known is not None and len(known) == len(events) else Trace(events)
            draw(known)
        seen = len(events)
        if ended or (known is not None and until(known)):
            return
        rest(REST)
