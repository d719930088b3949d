"""Play a recorded run: when each event is due, and which are visible by now. Nothing is run and no model is asked."""

from __future__ import annotations

import time
from bisect import bisect_right
from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

from rag_graphs.runs.pacing import node_by_node
from rag_graphs.runs.trace import Trace

Speed = Literal["nodes", "1", "2", "4"]
"""Node by node at the page's pace, or as recorded: at its own speed, twice or four times that."""
FRAME, BREATH = 0.05, 0.25
"""Seconds between two frames at least and at most: a click is noticed only when something is drawn."""
NODE_BY_NODE = 0.9


def schedule(trace: Trace, speed: Speed, pace: float) -> list[float]:
    """Return after how many seconds from the run's start each event is shown. They never go back, whatever a file says."""
    if speed != "nodes":
        dues, last = [], 0.0
        for event in trace.events:
            last = max(last, event.at)
            dues.append(last / int(speed))
        return dues
    return node_by_node(trace.events, pace or NODE_BY_NODE)


@dataclass(frozen=True)
class Player:
    """Play a run from its `first`-th event on, beginning at `began` (monotonic seconds)."""

    trace: Trace
    dues: list[float]
    first: int
    began: float

    @staticmethod
    def start(trace: Trace, first: int, speed: Speed, pace: float) -> Player:
        """Play from the moment at which `first` events were visible."""
        return Player(trace, schedule(trace, speed, pace), max(1, min(first, len(trace))), time.monotonic())

    def count(self, now: float | None = None) -> int:
        """Return how many events are visible by now."""
        played = (time.monotonic() if now is None else now) - self.began
        return max(self.first, bisect_right(self.dues, self.dues[self.first - 1] + played))

    def watch(self, draw: Callable[[Trace], None], *, rest: Callable[[float], None] = time.sleep) -> None:
        """Draw until the end. A click on the page breaks off at the next frame."""
        trace = self.trace.upto(self.first)
        while (count := self.count()) < len(self.trace):
            trace = trace if len(trace) == count else self.trace.upto(count)
            draw(trace)
            due = self.began + self.dues[count] - self.dues[self.first - 1] - time.monotonic()
            rest(min(BREATH, max(FRAME, due)))
