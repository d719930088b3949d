"""A run while it is followed: its events are logged, shown at a pace, written to the store; it can be stopped and stepped."""

from __future__ import annotations

import time
from collections.abc import Iterator

from rag_graphs.graphs.state import RagState, Update
from rag_graphs.runs.event_log import EventLog
from rag_graphs.runs.events import RunEvent, RunFailed, RunStarted, RunStopped
from rag_graphs.runs.pacing import Pace, node_by_node
from rag_graphs.runs.record_writer import Recorder, RecordWriter
from rag_graphs.runs.trace import Trace

LONGEST_PAUSE = 3600.0
"""Seconds for which a run in step mode waits for its visitor: a page that was closed may not hold a thread for ever."""


class Run:
    """One run as its followers see it. A fast node is shown for `pace` seconds at least before the next one starts, so that
    Stop really stops it. Without a recorder nothing of the run is kept."""

    def __init__(
        self,
        run_id: str,
        strategy: str,
        question: str,
        *,
        owner: str = "",
        pace: float = 0.0,
        stepping: bool = False,
        recorder: Recorder | None = None,
    ) -> None:
        self.id, self.strategy, self.question, self.owner = run_id, strategy, question, owner
        self.stepping = stepping
        self._log = EventLog()
        self._pace = Pace(pace)
        self._writer = RecordWriter(recorder, run_id, owner, self._log) if recorder else None
        self._began = 0.0
        self._stopping = False
        self._next: Update | None = None
        self._answered = 0

    @property
    def pace(self) -> float:
        """Seconds for which each node is shown at least; it may be changed while the run goes on."""
        return self._pace.seconds

    @pace.setter
    def pace(self, seconds: float) -> None:
        self._pace.seconds = seconds

    def events(self) -> list[RunEvent]:
        """Return the events that are visible now."""
        return self._log.snapshot()

    @property
    def ended(self) -> bool:
        """True once its last event is visible: nothing more will come."""
        return self._log.has_ended

    def wait(self, seen: int, timeout: float) -> bool:
        """Block until more than `seen` events are visible or the run has ended, for `timeout` seconds at most."""
        return self._log.wait(seen, timeout)

    def clock(self) -> float:
        """Seconds, without the time for which the run was held back."""
        return self._pace.clock()

    def feed(self, events: Iterator[RunEvent]) -> None:
        """Log, show and write the events as they come, until they end or the run is stopped."""
        for event in events:
            if event.kind == "node_finished":
                self._pace.hold(self._log)
            if not self._add(event):
                self.settle()
                break
            if self._writer:
                self._writer.write_after(event)
        close = getattr(events, "close", None)
        if close:
            close()

    def replay(self, trace: Trace) -> None:
        """Take in a recorded run: when each event is to be shown is known at once."""
        begun = time.monotonic()
        dues = node_by_node(trace.events, self.pace)
        self._log.extend((begun + due, event) for due, event in zip(dues, trace.events, strict=True))

    def settle(self) -> None:
        """Write everything to the store that is known by now: a run's end is seen a moment before it is written."""
        if self._writer:
            self._writer.write()

    def stop(self) -> None:
        """End the run now. A call in flight still finishes, but nothing after it is started or shown. A run that is over
        already is shown to its end at once."""
        with self._log.changed:
            self._log.show_all()
            self._stopping = True  # for a run that has not even begun
            self._end_stopped()
        self.settle()  # by whoever stops: the worker may wait for a call

    def fail(self, message: str, error: str) -> None:
        """End a run whose worker broke: nothing more will come, and nobody may wait for it."""
        with self._log.changed:
            if self._log.last is None:
                self._log.append(RunStarted(run_id=self.id, strategy=self.strategy, question=self.question))
            at = self._log.last.at if self._log.last else 0.0
            self._log.append(RunFailed(at=at, message=message, error=error), self._log.last_due)

    def next(self, change: Update | None = None) -> None:
        """Let a run in step mode that waits go on to its next node, with something in its state changed. Each pause takes
        one answer: a second click, made before the page has changed, would skip the next pause."""
        with self._log.changed:
            if self._log.last and self._log.last.kind == "paused" and self._answered < len(self._log):
                self._next, self._answered = change or {}, len(self._log)
                self._log.changed.notify_all()

    def gate(self, state: RagState, node: str) -> Update:
        """Where a run in step mode waits before each node, until `next`, `stop`, or the end of step mode. It is stopped when
        nobody has come back for an hour."""
        with self._log.changed:
            told = self._pace.leave_out(
                lambda: self._log.changed.wait_for(
                    lambda: self._next is not None or self._log.is_finished or not self.stepping, LONGEST_PAUSE
                )
            )
            change, self._next = self._next or {}, None
        if not told:
            self.stop()
        return change

    def run_on(self) -> None:
        """Leave step mode: the run goes on by itself."""
        with self._log.changed:
            self.stepping = False
            self._log.changed.notify_all()

    def _add(self, event: RunEvent) -> bool:
        """Log an event; False when the run was stopped meanwhile."""
        with self._log.changed:
            added = self._pace.add(self._log, event)
            if added:
                self._began = self.clock() - event.at
            if self._stopping:
                self._end_stopped()
            return added and not self._stopping

    def _end_stopped(self) -> None:
        if self._log.last:
            self._log.append(RunStopped(at=max(self._log.last.at, self.clock() - self._began)))


def play(trace: Trace, pace: float, *, owner: str = "") -> Run:
    """A recorded run shown again at a pace: nothing is asked of any model. Stop shows its end at once."""
    head = trace.head
    shown = Run(head.run_id, head.strategy, head.question, owner=owner, pace=pace)
    shown.replay(trace)
    return shown
