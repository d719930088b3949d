"""Writes the events of one run to the store while the run goes on."""

from __future__ import annotations

import logging
import time
from threading import Lock
from typing import Protocol

from rag_graphs.errors import LibraryError
from rag_graphs.runs.event_log import EventLog
from rag_graphs.runs.events import RunEvent, RunStarted
from rag_graphs.runs.trace import Trace

TOKENS_WAIT = 0.2
"""Seconds for which tokens may wait to be written: every other event is written at once, with the tokens before it."""


class Recorder(Protocol):
    """Where the events of runs are kept."""

    def begin(self, head: RunStarted, owner: str) -> None: ...

    def append(self, run_id: str, first: int, events: list[RunEvent]) -> None: ...

    def trace(self, run_id: str) -> Trace | None: ...


class RecordWriter:
    """Write one run's log to a recorder. When the recorder fails the run goes on: it can be watched, and what was not
    written is written with the next event."""

    def __init__(self, recorder: Recorder, run_id: str, owner: str, log: EventLog) -> None:
        self._recorder, self._run_id, self._owner, self._log = recorder, run_id, owner, log
        self._written = 0
        self._wrote_at = 0.0
        self._begun = self._failing = False
        self._writing = Lock()

    def write_after(self, event: RunEvent) -> None:
        """Write what the log holds after this event was added; after a token only if the last time is long ago."""
        if event.kind != "token" or time.monotonic() - self._wrote_at > TOKENS_WAIT:
            self.write()
            self._wrote_at = time.monotonic()

    def write(self) -> None:
        """Write everything in the log that is not written yet. Any thread may ask for it."""
        with self._writing:
            events = self._log.since(self._written)
            if events and self._write(events):
                self._written += len(events)

    def _write(self, events: list[RunEvent]) -> bool:
        try:
            head = events[0]
            if not self._begun and head.kind == "run_started":
                self._recorder.begin(head, self._owner)
                self._begun = True
            self._recorder.append(self._run_id, self._written, events)
        except LibraryError as error:
            if not self._failing:
                logging.getLogger(__name__).warning("A run is not kept. %s", error)
            self._failing = True
            return False
        self._failing = False
        return True
