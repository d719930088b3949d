"""The trace: all events of a run. Everything that can be shown of a run was recorded, and every view derives from it."""

from __future__ import annotations

from collections import Counter
from functools import cached_property
from typing import Any

from pydantic import BaseModel, ConfigDict, ValidationError

from rag_graphs.errors import TraceError
from rag_graphs.graphs.state import Document, Grade, RagState, StopReason, start
from rag_graphs.runs import trace_reader
from rag_graphs.runs.events import (
    ENDS,
    TRACE_VERSION,
    EdgeTaken,
    ModelCalled,
    NodeStarted,
    RunEvent,
    RunStarted,
    dump_events,
    restore,
)


class Visit(BaseModel):
    """One execution of a node: when, for how long, what the state was before and after it, what it cost."""

    model_config = ConfigDict(frozen=True, arbitrary_types_allowed=True)
    index: int
    node: str
    attempt: int
    at: float
    seconds: float | None
    before: RagState
    after: RagState | None
    llm_calls: int
    prompt_tokens: int | None
    completion_tokens: int | None


class Trace:
    """A run's events, whole or so far. Immutable: `upto` and `Trace([...])` make others; everything else is derived."""

    def __init__(self, events: list[RunEvent], *, interrupted: bool = False) -> None:
        """`interrupted`: nothing more will come although there is no end, because the process that ran it is gone."""
        if not events or events[0].kind != "run_started":
            raise TraceError("This is no trace: a trace begins with the event run_started.")
        self.events = tuple(events)
        self.interrupted = interrupted

    def __len__(self) -> int:
        return len(self.events)

    @property
    def head(self) -> RunStarted:
        """The first event: which run, strategy, question and settings."""
        first = self.events[0]
        assert first.kind == "run_started"
        return first

    @property
    def ended(self) -> bool:
        return self.interrupted or self.events[-1].kind in ENDS

    @property
    def stop_reason(self) -> StopReason | None:
        """Why it ended; None while it runs."""
        if self.interrupted:
            return "interrupted"
        last = self.events[-1]
        if last.kind == "run_finished":
            return last.stop_reason
        return {"run_failed": "failed", "run_stopped": "stopped"}.get(last.kind)  # type: ignore[return-value]

    @property
    def error(self) -> str:
        """What failed, in words; empty unless the run failed."""
        last = self.events[-1]
        return last.message if last.kind == "run_failed" else ""

    @property
    def seconds(self) -> float:
        return self.events[-1].at

    def upto(self, count: int) -> Trace:
        """What was known after the first `count` events (at least one)."""
        part = list(self.events[: max(1, count)])
        return Trace(part, interrupted=self.interrupted and len(part) == len(self.events))

    def steps(self) -> list[int]:
        """The event counts at which a reader may want to stop: after each node's start and after the end. Each can be
        given to `upto`. The last one is always the whole trace."""
        stops = [i + 1 for i, e in enumerate(self.events) if e.kind == "node_finished"]
        return [*[s for s in stops if s < len(self.events)], len(self.events)]

    @cached_property
    def path(self) -> list[str]:
        """Node names in order of their starts, without START and END."""
        return [e.node for e in self.events if e.kind == "node_started"]

    @cached_property
    def edges(self) -> list[EdgeTaken]:
        return [e for e in self.events if e.kind == "edge_taken"]

    @property
    def active(self) -> str:
        """The node that runs now, or ''."""
        for e in reversed(self.events):
            if e.kind == "node_started":
                return e.node
            if e.kind == "node_finished" or e.kind in ENDS:
                return ""
        return ""

    @cached_property
    def visits(self) -> list[Visit]:
        """Every execution of a node, in order, with the states around it."""
        return self._replayed[0]

    @cached_property
    def state(self) -> RagState:
        """The state after the last finished node, or after the last edit."""
        return self._replayed[1]

    @cached_property
    def _replayed(self) -> tuple[list[Visit], RagState]:
        state = start(self.head.question, self.head.history)
        found: list[Visit] = []
        opened: NodeStarted | None = None
        calls: list[ModelCalled] = []
        for e in self.events:
            if e.kind == "node_started":
                opened, calls = e, []
            elif e.kind == "model_called":
                calls.append(e)
            elif e.kind == "edited":
                state = restore(state, e.update)
            elif e.kind == "node_finished" and opened:
                after = restore(state, e.update)
                found.append(_visit(len(found), opened, e.seconds, state, after, calls))
                state, opened = after, None
        if opened:
            found.append(_visit(len(found), opened, None, state, None, calls))
        return found, state

    @cached_property
    def grades(self) -> list[tuple[Document | None, Grade]]:
        """Every grade in the order in which it landed, with the document it is about (None: the answer)."""
        found: list[tuple[Document | None, Grade]] = []
        current: list[Document] = []
        for e in self.events:
            if e.kind == "retrieved":
                current = e.documents
            elif e.kind == "graded":
                found.append((current[e.index] if e.index is not None else None, e.grade))
        return found

    @cached_property
    def queries(self) -> list[str]:
        """The question and each rewritten query."""
        return self.state.queries

    @property
    def waiting_for(self) -> str:
        """The node before which a run in step mode waits now, or ''."""
        last = self.events[-1]
        return last.node if last.kind == "paused" else ""

    @cached_property
    def text(self) -> str:
        """The answer: the finished one, or what the node that runs (or was cut off) has written so far."""
        if not self.visits or self.visits[-1].after is not None:
            return self.state.answer
        begun = max(i for i, e in enumerate(self.events) if e.kind == "node_started")
        return "".join(e.text for e in self.events[begun:] if e.kind == "token") or self.state.answer

    @cached_property
    def warnings(self) -> list[str]:
        return [e.message for e in self.events if e.kind == "warned"]

    @cached_property
    def llm_calls(self) -> int:
        return sum(e.kind == "model_called" for e in self.events)

    def count(self, node: str) -> int:
        """How often a node has started."""
        return Counter(self.path)[node]

    def to_json(self) -> dict[str, Any]:
        """The trace as JSON data, versioned."""
        return {"version": TRACE_VERSION, "events": dump_events(self.events)}

    @staticmethod
    def from_json(data: Any) -> Trace:
        """A trace from JSON data or text. Raises TraceError with a reason for whatever no run of this version or of an
        earlier one has written. A trace without an end is that of an interrupted run: what was written down runs no more."""
        try:
            events = trace_reader.read(data)
            trace = Trace(events, interrupted=bool(events) and events[-1].kind not in ENDS)
            trace.visits, trace.grades  # noqa: B018 - a trace that cannot be replayed is refused here, not on the page
        except (ValidationError, TypeError, ValueError, IndexError, RecursionError):
            raise TraceError("This trace has events that no run writes. It was not opened.") from None
        return trace


def _visit(
    index: int,
    opened: NodeStarted,
    seconds: float | None,
    before: RagState,
    after: RagState | None,
    calls: list[ModelCalled],
) -> Visit:
    return Visit.model_construct(
        index=index,
        node=opened.node,
        attempt=opened.attempt,
        at=opened.at,
        seconds=seconds,
        before=before,
        after=after,
        llm_calls=len(calls),
        prompt_tokens=_total([c.prompt_tokens for c in calls]),
        completion_tokens=_total([c.completion_tokens for c in calls]),
    )


def _total(counts: list[int | None]) -> int | None:
    """Their sum; None, not 0, where one is unknown."""
    return None if None in counts else sum(c for c in counts if c is not None)
