"""The log of one run's events: each has the moment from which it is shown, and followers wait for what comes next."""

from __future__ import annotations

import time
from collections.abc import Iterable
from threading import Condition

from rag_graphs.runs.events import ENDS, RunEvent


class EventLog:
    """Hold a run's events in order. Whoever does several things at once with the log holds `changed` meanwhile; the lock
    inside it may be taken again by the thread that has it."""

    def __init__(self) -> None:
        self.changed = Condition()
        self._entries: list[tuple[float, RunEvent]] = []

    def append(self, event: RunEvent, due: float = 0.0) -> bool:
        """Add an event that is shown from `due` on, on the clock `time.monotonic`; False when the run is over already."""
        with self.changed:
            if self.is_finished:
                return False
            self._entries.append((due, event))
            self.changed.notify_all()
            return True

    def extend(self, entries: Iterable[tuple[float, RunEvent]]) -> None:
        """Add a recorded run's events, each with the moment from which it is shown."""
        with self.changed:
            self._entries += entries
            self.changed.notify_all()

    def show_all(self) -> None:
        """Show every event that is known by now at once."""
        with self.changed:
            self._entries = [(0.0, event) for _, event in self._entries]
            self.changed.notify_all()

    def snapshot(self) -> list[RunEvent]:
        """Return the events that are visible now."""
        with self.changed:
            return [event for _, event in self._entries[: self._visible()]]

    def since(self, first: int) -> list[RunEvent]:
        """Return the events from this index on, those that are not visible yet included."""
        with self.changed:
            return [event for _, event in self._entries[first:]]

    def wait(self, seen: int, timeout: float) -> bool:
        """Block until more than `seen` events are visible or the run has ended, for `timeout` seconds at most."""
        until = time.monotonic() + timeout
        with self.changed:
            while True:
                visible = self._visible()
                if visible > seen or self.has_ended:
                    return True
                left = until - time.monotonic()
                if left <= 0:
                    return False
                due = self._entries[visible][0] - time.monotonic() if visible < len(self) else left
                self.changed.wait(max(0.0, min(left, due)))

    def __len__(self) -> int:
        return len(self._entries)

    @property
    def last(self) -> RunEvent | None:
        """The last event, visible or not; None before the first."""
        return self._entries[-1][1] if self._entries else None

    @property
    def last_due(self) -> float:
        """The moment from which the last event is shown; 0 before the first."""
        return self._entries[-1][0] if self._entries else 0.0

    @property
    def is_finished(self) -> bool:
        """True when the last event is the end of the run, visible or not."""
        return self.last is not None and self.last.kind in ENDS

    @property
    def has_ended(self) -> bool:
        """True once the end of the run is visible: nothing more will come."""
        with self.changed:
            return self.is_finished and self._visible() == len(self)

    def _visible(self) -> int:
        now = time.monotonic()
        return next((i for i, (due, _) in enumerate(self._entries) if due > now), len(self))
