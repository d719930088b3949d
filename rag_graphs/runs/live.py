"""A run while it is followed: its events are logged, shown at a pace, written to the store; it can be stopped and stepped."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator

from rag_graphs.errors import TooManyRuns
from rag_graphs.graphs.state import Update
from rag_graphs.runs.event_log import EventLog
from rag_graphs.runs.events import RunEvent, RunFailed, RunStarted, RunStopped
from rag_graphs.runs.pacing import Pace, node_by_node
from rag_graphs.runs.record_writer import Recorder, RecordWriter
from rag_graphs.runs.trace import Trace


class Run:
    """One run as its followers see it. A fast node is shown for `pace` seconds at least before the next one starts, so that
    Stop really stops it. Without a recorder nothing of the run is kept.

    `begin(run)` makes its events. With `resume` the run is in step mode: the events end with a pause before each node, its
    worker with them, and `resume(run, record, change)` makes the next ones.
    """

    def __init__(
        self,
        run_id: str,
        strategy: str,
        question: str,
        *,
        owner: str = "",
        pace: float = 0.0,
        recorder: Recorder | None = None,
        begin: Begin | None = None,
        resume: Resume | None = None,
        start_worker: Callable[[Run], None] = lambda run: run.work(),
    ) -> None:
        self.id, self.strategy, self.question, self.owner = run_id, strategy, question, owner
        self.stepping = resume is not None
        self._begin, self._resume, self._start_worker = begin, resume, start_worker
        self._log = EventLog()
        self._pace = Pace(pace)
        self._writer = RecordWriter(recorder, run_id, owner, self._log) if recorder else None
        self._began = 0.0
        self._stopping = self._working = False
        self._change: Update = {}
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

    def start(self) -> None:
        """Have a worker run it to its end, or in step mode to its first pause. Raises TooManyRuns."""
        self._working = True
        self._start_worker(self)

    def work(self) -> None:
        """Run on until the run ends or waits: what a worker does."""
        begin, self._begin = self._begin, None
        if begin and self._log.last is None:
            self._take_in(begin(self))
        while (resume := self._resume) and (change := self._take_change()) is not None:
            self._take_in(resume(self, Trace(self._log.since(0)), change))
        self._release()

    def _take_in(self, events: Iterator[RunEvent]) -> None:
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

    def _release(self) -> None:
        """Let go of what makes the events once the run is over: it holds the visitor's keys, and runs are kept for long."""
        if self._log.is_finished:
            self._begin = self._resume = None

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
        self._release()
        self.settle()  # by whoever stops: the worker may wait for a call

    def fail(self, message: str, error: str) -> None:
        """End a run whose worker broke: nothing more will come, and nobody may wait for it."""
        with self._log.changed:
            if self._log.last is None:
                self._log.append(RunStarted(run_id=self.id, strategy=self.strategy, question=self.question))
            at = self._log.last.at if self._log.last else 0.0
            self._log.append(RunFailed(at=at, message=message, error=error), self._log.last_due)
        self._release()

    def next(self, change: Update | None = None) -> None:
        """Let a run in step mode that waits go on to its next node, with something in its state changed. Each pause takes
        one answer: a second click, made before the page has changed, would skip the next pause. Raises TooManyRuns; the run
        then still waits."""
        with self._log.changed:
            if self.waiting_since is None:
                return
            self._change, self._answered = change or {}, len(self._log)
        self._go_on()

    def run_on(self) -> None:
        """Leave step mode: the run goes on by itself. Raises TooManyRuns; the run then still waits."""
        with self._log.changed:
            self.stepping = False
            if self.waiting_since is None:
                return
            self._change, self._answered = {}, len(self._log)
        self._go_on()

    @property
    def waiting_since(self) -> float | None:
        """The moment, on the clock `time.monotonic`, since which the run waits for `next`; None when it does not wait."""
        with self._log.changed:
            last = self._log.last
            waits = last is not None and last.kind == "paused" and self._answered < len(self._log)
            return self._log.last_due if waits else None

    def _go_on(self) -> None:
        """Start a worker, unless the one that came to the pause is still there and goes on itself."""
        with self._log.changed:
            if self._working:
                return
            self._working = True
        try:
            self._start_worker(self)
        except TooManyRuns:
            with self._log.changed:
                self._working, self._answered, self.stepping = False, 0, True
            raise

    def _take_change(self) -> Update | None:
        """Return what was changed at the pause that was answered; None when the run waits or is over, so that its worker is
        not needed any more."""
        with self._log.changed:
            last = self._log.last
            if last is not None and last.kind == "paused":
                if not self.stepping and self._answered < len(self._log):
                    self._change, self._answered = {}, len(self._log)
                if self._answered == len(self._log):
                    return self._change
            self._working = False
            return None

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
        if last := self._log.last:
            # the time for which a run has waited is no part of it
            at = last.at if last.kind == "paused" else max(last.at, self.clock() - self._began)
            self._log.append(RunStopped(at=at))


Begin = Callable[[Run], Iterator[RunEvent]]
Resume = Callable[[Run, Trace, Update], Iterator[RunEvent]]


def play(trace: Trace, pace: float, *, owner: str = "") -> Run:
    """A recorded run shown again at a pace: nothing is asked of any model. Stop shows its end at once."""
    head = trace.head
    shown = Run(head.run_id, head.strategy, head.question, owner=owner, pace=pace)
    shown.replay(trace)
    return shown
