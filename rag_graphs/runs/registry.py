"""Runs in the background: start one, follow it, stop it. The worker threads of runs live here."""

from __future__ import annotations

import logging
import secrets
import time
from threading import Lock, Thread, current_thread

from rag_graphs.errors import TooManyRuns, UnknownRun, in_words
from rag_graphs.runs.live import Begin, Resume, Run
from rag_graphs.runs.record_writer import Recorder
from rag_graphs.runs.trace import Trace

LONGEST_PAUSE = 3600.0
"""Seconds for which a run in step mode may wait for its visitor: a page that was closed may not take memory for ever. The
start of another run stops those that have waited longer."""
_FULL = "The server is running as many graphs as it can. Try again in a few seconds."


class Runs:
    """The runs of this process. Ids cannot be guessed; threads are bounded, and a run that waits has none; old
    runs are left to the recorder."""

    def __init__(
        self,
        recorder: Recorder,
        *,
        most_running: int = 60,
        most_for_one: int = 4,
        most_waiting: int = 20,
        most_kept: int = 200,
    ) -> None:
        self._recorder = recorder
        self._runs: dict[str, Run] = {}
        self._working: dict[Thread, Run] = {}
        self._lock = Lock()
        self._most_running, self._most_for_one = most_running, most_for_one
        self._most_waiting, self._most_kept = most_waiting, most_kept

    def start(
        self,
        strategy: str,
        question: str,
        begin: Begin,
        *,
        owner: str = "",
        pace: float = 0.0,
        resume: Resume | None = None,
    ) -> Run:
        """Start a run; `begin(run)` makes its events, with the run's id and clock. With `resume` it is in step mode, and
        `resume(run, record, change)` makes the events after each pause. Raises TooManyRuns."""
        run = Run(
            secrets.token_urlsafe(12),
            strategy,
            question,
            owner=owner,
            pace=pace,
            recorder=self._recorder,
            begin=begin,
            resume=resume,
            start_worker=self._start_worker,
        )
        run.start()
        self._make_room(owner)
        with self._lock:
            self._runs[run.id] = run
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
            theirs = {run for run in self._working.values() if run.owner == owner}
        for run in theirs:
            run.settle()

    def forget(self, run_id: str) -> None:
        """Stop a run and drop it from memory."""
        if run := self.get(run_id):
            run.stop()
            with self._lock:
                self._runs.pop(run_id, None)

    def _start_worker(self, run: Run) -> None:
        """Start a thread that runs on until the run ends or waits. Raises TooManyRuns."""
        thread = Thread(target=self._work, args=(run,), name=f"run-{run.id[:4]}", daemon=True)
        with self._lock:
            # those that were stopped or forgotten, too, until their last call is back; a run that waits takes no place
            others = [other for other in self._working.values() if other is not run]
            if len(others) >= self._most_running:
                raise TooManyRuns(_FULL)
            if run.owner and sum(other.owner == run.owner for other in others) >= self._most_for_one:
                raise TooManyRuns("Your earlier runs are still going. Stop one of them, or wait until one ends.")
            self._working[thread] = run
        try:
            thread.start()
        except RuntimeError:  # the machine has no thread left
            with self._lock:
                del self._working[thread]
            raise TooManyRuns(_FULL) from None

    def _work(self, run: Run) -> None:
        try:
            run.work()
        except Exception as error:
            logging.getLogger(__name__).error("A run's thread broke.", exc_info=error)
            run.fail(in_words(error), type(error).__name__)
        finally:
            with self._lock:
                self._working.pop(current_thread(), None)

    def _make_room(self, owner: str) -> None:
        """Leave old runs to the recorder. Those that wait go last, and are stopped: also when they have waited for too long,
        or when their visitor has too many that wait."""
        with self._lock:
            working = set(self._working.values())
            spare = [run for run in self._runs.values() if run not in working]
            waiting = {run: since for run in spare if (since := run.waiting_since) is not None}
            spare.sort(key=lambda run: run in waiting)
            dropped = spare[: max(0, len(self._runs) - self._most_kept + 1)]
            for run in dropped:
                del self._runs[run.id]
        abandoned = [run for run, since in waiting.items() if time.monotonic() - since > LONGEST_PAUSE]
        theirs = [run for run in waiting if owner and run.owner == owner]
        for run in {*abandoned, *theirs[: max(0, len(theirs) - self._most_waiting + 1)], *dropped} & waiting.keys():
            run.stop()
