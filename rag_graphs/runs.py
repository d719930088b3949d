"""Runs in the background: start one, follow it, stop it. The worker threads of runs live here."""

from __future__ import annotations

import logging
import secrets
import time
from collections.abc import Callable, Iterator
from threading import Condition, Lock, Thread
from typing import Protocol

from rag_graphs.errors import LibraryError, TooManyRuns, UnknownRun
from rag_graphs.events import ENDS, RunEvent, RunStarted, RunStopped
from rag_graphs.trace import Trace

Clock = Callable[[], float]
WITHIN_NODE = {"graded": 1 / 6, "token": 1 / 80}
"""Shares of the pace between two events of a kind inside a node, so that grades land one after the other."""


class Recorder(Protocol):
    """Where events of a run are kept."""

    def begin(self, head: RunStarted, owner: str) -> None: ...

    def append(self, run_id: str, first: int, events: list[RunEvent]) -> None: ...

    def trace(self, run_id: str) -> Trace | None: ...


class Run:
    """One run as its followers see it: a log of events, each with the moment from which it is shown.

    `pace` is the time in seconds for which each node is shown at least. A node that was faster holds the run back before
    the next one starts, so that Stop really stops it; the time held does not count in the events' times.
    """

    def __init__(self, run_id: str, strategy: str, question: str, *, owner: str = "", pace: float = 0.0) -> None:
        self.id, self.strategy, self.question, self.owner, self.pace = run_id, strategy, question, owner, pace
        self._log: list[tuple[float, RunEvent]] = []
        self._changed = Condition()
        self._held = 0.0
        self._node_shown = 0.0
        self._began = 0.0

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
            if self._log and not self._finished():
                self._log.append((0.0, RunStopped(at=self.clock() - self._began)))
            self._changed.notify_all()

    def clock(self) -> float:
        """Seconds, without the time for which the pace held the run back."""
        return time.perf_counter() - self._held

    def feed(self, events: Iterator[RunEvent], on_events: Callable[[int, list[RunEvent]], None]) -> None:
        """Take the events in, at the run's pace, until they end or the run is stopped. `on_events(first, events)` receives
        them in batches, for keeping."""
        self._began = self.clock()
        kept = 0
        for event in events:
            if event.kind == "node_finished":
                self._hold()
            stopped = not self._append(event)
            if stopped or event.kind in ("node_finished", "run_started", *ENDS):
                kept = self._hand_over(kept, on_events)
            if stopped:
                break
        close = getattr(events, "close", None)
        if close:
            close()

    def replay(self, trace: Trace) -> None:
        """Take in a recorded run: when each event is to be shown is known at once."""
        due = shown = time.monotonic()
        with self._changed:
            for event in trace.events:
                due += self.pace * WITHIN_NODE.get(event.kind, 0.0)
                if event.kind == "node_started":
                    shown = due
                elif event.kind == "node_finished":
                    due = max(due, shown + self.pace)
                self._log.append((due, event))
            self._changed.notify_all()

    def _hand_over(self, kept: int, on_events: Callable[[int, list[RunEvent]], None]) -> int:
        with self._changed:
            batch = [e for _, e in self._log[kept:]]
        on_events(kept, batch)
        return kept + len(batch)

    def _append(self, event: RunEvent) -> bool:
        """Log an event; False when the run was stopped meanwhile."""
        with self._changed:
            if self._finished():
                return False
            last = self._log[-1][0] if self._log else 0.0
            due = max(time.monotonic(), last + self.pace * WITHIN_NODE.get(event.kind, 0.0))
            self._log.append((due, event))
            if event.kind == "node_started":
                self._node_shown = due
            self._changed.notify_all()
            return True

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


class Runs:
    """The runs of this process. Ids cannot be guessed; running ones are bounded; old ones are left to the recorder."""

    def __init__(
        self, recorder: Recorder, *, most_running: int = 60, most_for_one: int = 4, most_kept: int = 200
    ) -> None:
        self._recorder = recorder
        self._runs: dict[str, Run] = {}
        self._threads: dict[str, Thread] = {}
        self._lock = Lock()
        self._most_running, self._most_for_one, self._most_kept = most_running, most_for_one, most_kept

    def start(
        self,
        strategy: str,
        question: str,
        events: Callable[[str, Clock], Iterator[RunEvent]],
        *,
        owner: str = "",
        pace: float = 0.0,
    ) -> Run:
        """Start a run; `events(run_id, clock)` makes its generator. Raises TooManyRuns."""
        with self._lock:
            self._make_room(owner)
            run = Run(secrets.token_urlsafe(12), strategy, question, owner=owner, pace=pace)
            thread = Thread(target=self._work, args=(run, events), name=f"run-{run.id[:4]}", daemon=True)
            self._runs[run.id], self._threads[run.id] = run, thread
        thread.start()
        return run

    def get(self, run_id: str) -> Run | None:
        """A run of this process that is still in memory."""
        return self._runs.get(run_id)

    def trace(self, run_id: str) -> Trace:
        """What is known of a run, live or kept. Raises UnknownRun."""
        run = self.get(run_id)
        if run and (events := run.events()):
            return Trace(events)
        if kept := self._recorder.trace(run_id):
            return kept
        raise UnknownRun("There is no run with this address. It may have been deleted, or the address is incomplete.")

    def _work(self, run: Run, events: Callable[[str, Clock], Iterator[RunEvent]]) -> None:
        def keep(first: int, batch: list[RunEvent]) -> None:
            try:
                if first == 0 and batch and batch[0].kind == "run_started":
                    self._recorder.begin(batch[0], run.owner)
                self._recorder.append(run.id, first, batch)
            except LibraryError as error:
                # the run itself goes on: it can be watched, only not reopened later
                logging.getLogger(__name__).warning("A run is not kept. %s", error)

        try:
            run.feed(events(run.id, run.clock), keep)
        finally:
            with self._lock:
                self._threads.pop(run.id, None)

    def _make_room(self, owner: str) -> None:
        running = [self._runs[i] for i in self._threads if i in self._runs]
        if len(running) >= self._most_running:
            raise TooManyRuns("The server is running as many graphs as it can. Try again in a few seconds.")
        if owner and sum(r.owner == owner for r in running) >= self._most_for_one:
            raise TooManyRuns("Your earlier runs are still going. Stop one of them, or wait until one ends.")
        spare = [i for i in self._runs if i not in self._threads]
        for run_id in spare[: max(0, len(self._runs) - self._most_kept + 1)]:
            del self._runs[run_id]
