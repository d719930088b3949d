"""A run while it is followed: its log of events at a pace, its gate in step mode, its end."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from threading import Condition, Lock

from rag_graphs.graphs.state import RagState, Update
from rag_graphs.runs.events import ENDS, RunEvent, RunFailed, RunStarted, RunStopped
from rag_graphs.runs.pacing import WITHIN_NODE, node_by_node
from rag_graphs.runs.trace import Trace

LONGEST_PAUSE = 3600.0
"""Seconds for which a run in step mode waits for its visitor: a page that was closed may not hold a thread for ever."""
TOKENS_WAIT = 0.2
"""Seconds for which tokens may wait to be kept: every other event is kept at once, together with the tokens before it."""


class Run:
    """One run as its followers see it: a log of events, each with the moment from which it is shown.

    `pace` is the time in seconds for which each node is shown at least. A node that was faster holds the run back before
    the next one starts, so that Stop really stops it; the time held does not count in the events' times.
    """

    def __init__(
        self, run_id: str, strategy: str, question: str, *, owner: str = "", pace: float = 0.0, stepping: bool = False
    ) -> None:
        self.id, self.strategy, self.question, self.owner, self.pace = run_id, strategy, question, owner, pace
        self.stepping = stepping
        self._next: Update | None = None
        self._answered = 0
        self._stopping = False
        self._log: list[tuple[float, RunEvent]] = []
        self._changed = Condition()
        self._held = 0.0
        self._node_shown = 0.0
        self._began = 0.0
        self._repeated = 0
        self._keep: Callable[[int, list[RunEvent]], bool] | None = None
        self._kept = 0
        self._keeping = Lock()

    def events(self) -> list[RunEvent]:
        """The events that are visible now."""
        with self._changed:
            return [e for _, e in self._log[: self._visible()]]

    @property
    def ended(self) -> bool:
        """True once its last event is visible: nothing more will come."""
        with self._changed:
            return self._finished() and self._visible() == len(self._log)

    def wait(self, seen: int, timeout: float) -> bool:
        """Block until more than `seen` events are visible or the run has ended, for `timeout` seconds at most."""
        until = time.monotonic() + timeout
        with self._changed:
            while True:
                visible = self._visible()
                if visible > seen or (self._finished() and visible == len(self._log)):
                    return True
                left = until - time.monotonic()
                if left <= 0:
                    return False
                due = self._log[visible][0] - time.monotonic() if visible < len(self._log) else left
                self._changed.wait(max(0.0, min(left, due)))

    def stop(self) -> None:
        """End the run now. A call in flight still finishes, but nothing after it is started or shown. A run that is over
        already is shown to its end at once."""
        with self._changed:
            self._log = [(0.0, e) for _, e in self._log]
            self._stopping = True  # for a run that has not even begun
            self._end_stopped()
            self._changed.notify_all()
        self._hand_over()

    def _end_stopped(self) -> None:
        if self._log and not self._finished():
            self._log.append((0.0, RunStopped(at=max(self._log[-1][1].at, self.clock() - self._began))))

    def fail(self, message: str, error: str) -> None:
        """End a run whose worker broke: nothing more will come, and nobody may wait for it."""
        with self._changed:
            if not self._log:
                self._log.append((0.0, RunStarted(run_id=self.id, strategy=self.strategy, question=self.question)))
            if not self._finished():
                self._log.append((self._log[-1][0], RunFailed(at=self._log[-1][1].at, message=message, error=error)))
            self._changed.notify_all()

    def next(self, change: Update | None = None) -> None:
        """Let a run in step mode that waits go on to its next node, with something in its state changed. Each pause takes
        one answer: a second click, made before the page has changed, would skip the next pause."""
        with self._changed:
            if self._log and self._log[-1][1].kind == "paused" and self._answered < len(self._log):
                self._next, self._answered = change or {}, len(self._log)
                self._changed.notify_all()

    def gate(self, state: RagState, node: str) -> Update:
        """Where a run in step mode waits before each node, until `next`, `stop`, or the end of step mode. It is stopped when
        nobody has come back for an hour."""
        begun = time.perf_counter()
        with self._changed:
            told = self._changed.wait_for(
                lambda: self._next is not None or self._finished() or not self.stepping, LONGEST_PAUSE
            )
            change, self._next = self._next or {}, None
            self._held += time.perf_counter() - begun
        if not told:
            self.stop()
        return change

    def run_on(self) -> None:
        """Leave step mode: the run goes on by itself."""
        with self._changed:
            self.stepping = False
            self._changed.notify_all()

    def clock(self) -> float:
        """Seconds, without the time for which the pace held the run back."""
        return time.perf_counter() - self._held

    def feed(self, events: Iterator[RunEvent], on_events: Callable[[int, list[RunEvent]], bool]) -> None:
        """Take the events in, at the run's pace, until they end or the run is stopped. `on_events(first, events)` receives
        them for keeping: each at once, only tokens a few together. What it does not keep (False) comes again with the next."""
        self._keep, handed_over = on_events, 0.0
        for event in events:
            if event.kind == "node_finished" and not self._repeats():
                self._hold()
            stopped = not self._append(event)
            if stopped or event.kind != "token" or time.monotonic() - handed_over > TOKENS_WAIT:
                self._hand_over()
                handed_over = time.monotonic()
            if stopped:
                break
        close = getattr(events, "close", None)
        if close:
            close()

    def replay(self, trace: Trace) -> None:
        """Take in a recorded run: when each event is to be shown is known at once."""
        begun = time.monotonic()
        with self._changed:
            dues = node_by_node(trace.events, self.pace)
            self._log += [(begun + due, event) for due, event in zip(dues, trace.events, strict=True)]
            self._changed.notify_all()

    def settle(self) -> None:
        """Have everything kept that is known by now: a run's end is seen a moment before it is kept."""
        self._hand_over()

    def _hand_over(self) -> None:
        """Have everything kept that is not kept yet. A stop is kept by whoever stops: the worker may wait for a call."""
        if self._keep is None:
            return
        with self._keeping:
            with self._changed:
                batch = [e for _, e in self._log[self._kept :]]
            if batch and self._keep(self._kept, batch):
                self._kept += len(batch)

    def _append(self, event: RunEvent) -> bool:
        """Log an event; False when the run was stopped meanwhile."""
        with self._changed:
            if self._finished():
                return False
            last = self._log[-1][0] if self._log else 0.0
            pace = 0.0 if self._repeats() else self.pace
            due = max(time.monotonic(), last + pace * WITHIN_NODE.get(event.kind, 0.0))
            self._log.append((due, event))
            if event.kind == "run_started":
                self._repeated = event.forked_at
            self._began = self.clock() - event.at
            if event.kind == "node_started":
                self._node_shown = due
            if self._stopping:
                self._end_stopped()
            self._changed.notify_all()
            return not self._stopping

    def _repeats(self) -> bool:
        """Whether the next event is its parent's: a fork shows those at once."""
        return bool(self._log) and len(self._log) <= self._repeated

    def _hold(self) -> None:
        """Wait until the running node has been shown for as long as the pace says, or the run is stopped."""
        begun = time.perf_counter()
        with self._changed:
            while not self._finished():
                left = max(self._node_shown + self.pace, self._log[-1][0]) - time.monotonic()
                if left <= 0:
                    break
                self._changed.wait(min(left, 0.1))
            self._held += time.perf_counter() - begun

    def _finished(self) -> bool:
        return bool(self._log) and self._log[-1][1].kind in ENDS

    def _visible(self) -> int:
        now = time.monotonic()
        return next((i for i, (due, _) in enumerate(self._log) if due > now), len(self._log))


def play(trace: Trace, pace: float, *, owner: str = "") -> Run:
    """A recorded run shown again at a pace: nothing is asked of any model. Stop shows its end at once."""
    head = trace.head
    shown = Run(head.run_id, head.strategy, head.question, owner=owner, pace=pace)
    shown.replay(trace)
    return shown
