"""At which pace a run is shown: how long each node stays, and how its grades and tokens follow one another."""

from __future__ import annotations

import time
from collections.abc import Sequence

from rag_graphs.runs.event_log import EventLog
from rag_graphs.runs.events import RunEvent

WITHIN_NODE = {"graded": 1 / 6, "token": 1 / 80}
"""Shares of the pace between two events of a kind inside a node, so that grades land one after the other."""


class Pace:
    """Decide when each event of a run is shown. A node that was faster than `seconds` holds the run back; the time for
    which it is held back does not count on the run's clock. What a fork repeats of its parent is shown at once."""

    def __init__(self, seconds: float = 0.0) -> None:
        self.seconds = seconds
        self._held = 0.0
        self._node_shown = 0.0
        self._repeated = 0

    def clock(self) -> float:
        """Seconds, without the time for which the pace held the run back."""
        return time.perf_counter() - self._held

    def add(self, log: EventLog, event: RunEvent) -> bool:
        """Add an event to the log, to be shown when its turn comes; False when the run is over already."""
        with log.changed:
            seconds = 0.0 if self.is_repeating(log) else self.seconds
            due = max(time.monotonic(), log.last_due + seconds * WITHIN_NODE.get(event.kind, 0.0))
            if event.kind == "run_started":
                self._repeated = event.forked_at
            if event.kind == "node_started":
                self._node_shown = due
            return log.append(event, due)

    def hold(self, log: EventLog) -> None:
        """Wait until the running node has been shown for as long as the pace says, or the run is over."""
        with log.changed:
            begun = time.perf_counter()
            while not (log.is_finished or self.is_repeating(log)):
                left = max(self._node_shown + self.seconds, log.last_due) - time.monotonic()
                if left <= 0:
                    break
                log.changed.wait(min(left, 0.1))
            self._held += time.perf_counter() - begun

    def is_repeating(self, log: EventLog) -> bool:
        """Whether the next event is one that a fork repeats of its parent."""
        return 0 < len(log) <= self._repeated


def node_by_node(events: Sequence[RunEvent], pace: float) -> list[float]:
    """Seconds after which each recorded event is shown: every node for one pace, its grades and tokens one by one."""
    dues, due, began = [], 0.0, 0.0
    for event in events:
        due += pace * WITHIN_NODE.get(event.kind, 0.0)
        if event.kind == "node_started":
            began = due
        elif event.kind == "node_finished":
            due = max(due, began + pace)
        dues.append(due)
    return dues
