"""Reading what was recorded, on this machine or another, by this version or an earlier one. It may be damaged or hostile:
whatever no run writes is refused, with a reason, before anything is made of it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from pydantic_core import from_json

from rag_graphs.errors import TraceError
from rag_graphs.runs.events import ENDS, TRACE_VERSION, RunEvent, load_events

MAX_TRACE_BYTES = 20_000_000
MOST_NODES = 2000
"""Far beyond what the budgets of any run let it reach."""
LARGEST = 1e15
"""No number of a run is near it."""

Events = list[dict[str, Any]]
UPGRADES: Mapping[int, Callable[[Events], Events]] = {1: lambda events: events}
"""Version -> what makes the events of the next version of its events. Version 2 only adds: drafts, and fields of the state."""


def read_file(path: Path) -> bytes:
    """A trace's file as it is. Raises TraceError, for one that is too large before it is read."""
    try:
        _check_size(path.stat().st_size)
        with path.open("rb") as file:
            data = file.read(MAX_TRACE_BYTES + 1)
    except OSError as error:
        raise TraceError(f"The file {path} cannot be read ({error.strerror}).") from None
    _check_size(len(data))
    return data


def read(data: Any) -> list[RunEvent]:
    """The events of a trace that is given as JSON text or data. Raises TraceError, or ValidationError for events that are
    none."""
    if isinstance(data, (str, bytes)):
        data = _parsed(data)
    if not isinstance(data, dict) or "events" not in data:
        raise TraceError("This is JSON, but not a trace: it has no events.")
    events = load_events(_of_today(data.get("version"), data["events"]))
    _check_order(events)
    return events


def _parsed(text: str | bytes) -> Any:
    _check_size(len(text))
    try:
        data = from_json(text.lstrip("\ufeff") if isinstance(text, str) else text.removeprefix(b"\xef\xbb\xbf"))
    except ValueError:
        raise TraceError("This file is not JSON, or it is damaged. It was not opened.") from None
    if not _has_plain_numbers(data):
        raise TraceError("This trace has numbers that no run writes. It was not opened.")
    return data


def _check_size(size: int) -> None:
    if size > MAX_TRACE_BYTES:
        raise TraceError("This trace is larger than 20 MB, more than any run writes. It was not opened.")


def _has_plain_numbers(data: Any) -> bool:
    left = [data]
    while left:
        value = left.pop()
        if isinstance(value, dict):
            left += value.values()
        elif isinstance(value, list):
            left += value
        elif isinstance(value, int | float) and not abs(value) <= LARGEST:
            return False
    return True


def _of_today(version: Any, events: Any) -> Any:
    if type(version) is not int or version > TRACE_VERSION or (version < TRACE_VERSION and version not in UPGRADES):
        raise TraceError(
            f"This trace is of version {str(version)[:20]}; this program reads version {TRACE_VERSION} and earlier ones. A newer "
            "version of the program may read it."
        )
    while version < TRACE_VERSION:
        events = UPGRADES[version](events)
        version += 1
    return events


def _check_order(events: Sequence[RunEvent]) -> None:
    """A node ends after it started, with no other in between; a run starts and ends once."""
    running: tuple[str, int] | None = None
    nodes, last = 0, len(events) - 1
    for place, event in enumerate(events):
        fits = (event.kind == "run_started") == (place == 0) and (event.kind not in ENDS or place == last)
        if event.kind == "node_started":
            fits = fits and running is None and nodes < MOST_NODES
            running, nodes = (event.node, event.attempt), nodes + 1
        elif event.kind == "node_finished":
            fits = fits and running == (event.node, event.attempt)
            running = None
        elif event.kind in ("edge_taken", "paused", "edited"):
            fits = fits and running is None
        elif event.kind == "run_started":
            fits = fits and event.forked_at <= last
        if not fits and (place or event.kind == "run_started"):
            raise TraceError("This trace has its events in an order in which no run writes them. It was not opened.")
