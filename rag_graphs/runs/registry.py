"""Runs in the background: start one, follow it, stop it. The worker threads of runs live here."""

from __future__ import annotations

import logging
import secrets
from collections.abc import Callable, Iterator
from threading import Lock, Thread

from rag_graphs.errors import TooManyRuns, UnknownRun, in_words
from rag_graphs.runs.events import RunEvent
from rag_graphs.runs.live import Run
from rag_graphs.runs.record_writer import Recorder
from rag_graphs.runs.trace import Trace

_FULL = "The server is running as many graphs as it can. Try again in a few seconds."


class Runs:
    """The runs of this process. Ids cannot be guessed; running ones are bounded; old ones are left to the recorder."""

    def __init__(
        self, recorder: Recorder, *, most_running: int = 60, most_for_one: int = 4, most_kept: int = 200
    ) -> None:
        self._recorder = recorder
        self._runs: dict[str, Run] = {}
        self._working: dict[str, Run] = {}
        self._lock = Lock()
        self._most_running, self._most_for_one, self._most_kept = most_running, most_for_one, most_kept

    def start(
        self,
        strategy: str,
        question: str,
        events: Callable[[Run], Iterator[RunEvent]],
        *,
        owner: str = "",
        pace: float = 0.0,
        stepping: bool = False,
    ) -> Run:
        """Start a run; `events(run)` makes its generator, with the run's id, clock and gate. Raises TooManyRuns."""
        with self._lock:
            self._make_room(owner)
            run = Run(
                secrets.token_urlsafe(12),
                strategy,
                question,
                owner=owner,
                pace=pace,
                stepping=stepping,
                recorder=self._recorder,
            )
            thread = Thread(target=self._work, args=(run, events), name=f"run-{run.id[:4]}", daemon=True)
            self._runs[run.id] = self._working[run.id] = run
        try:
            thread.start()
        except RuntimeError:  # the machine has no thread left
            with self._lock:
                del self._runs[run.id], self._working[run.id]
            raise TooManyRuns(_FULL) from None
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

    def settle(self, owner: str) -> None:
        """Have kept what a visitor's runs have told by now, before the next one is told of them."""
        with self._lock:
            theirs = [run for run in self._working.values() if run.owner == owner]
        for run in theirs:
            run.settle()

    def forget(self, run_id: str) -> None:
        """Stop a run and drop it from memory."""
        if run := self.get(run_id):
            run.stop()
            with self._lock:
                self._runs.pop(run_id, None)

    def _work(self, run: Run, events: Callable[[Run], Iterator[RunEvent]]) -> None:
        try:
            run.feed(events(run))
        except Exception as error:
            logging.getLogger(__name__).error("A run's thread broke.", exc_info=error)
            run.fail(in_words(error), type(error).__name__)
        finally:
            with self._lock:
                self._working.pop(run.id, None)

    def _make_room(self, owner: str) -> None:
        running = self._working.values()  # those that were stopped or forgotten, too, until their last call is back
        if len(running) >= self._most_running:
            raise TooManyRuns(_FULL)
        if owner and sum(r.owner == owner for r in running) >= self._most_for_one:
            raise TooManyRuns("Your earlier runs are still going. Stop one of them, or wait until one ends.")
        spare = [i for i in self._runs if i not in self._working]
        for run_id in spare[: max(0, len(self._runs) - self._most_kept + 1)]:
            del self._runs[run_id]
