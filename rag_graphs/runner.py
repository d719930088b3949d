"""Runs a strategy's graph and turns LangGraph's output into run events. The only reader of LangGraph's output."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from datetime import UTC, datetime
from typing import Any, cast
from uuid import uuid4

from langgraph.graph import StateGraph

from rag_graphs.component_types import Components
from rag_graphs.errors import RagGraphsError, SpendingCapReached
from rag_graphs.settings import Settings
from rag_graphs.spending import guard
from rag_graphs.state import RagState, Turn, apply, start, stop_reason
from rag_graphs.strategy import END, START, Strategy
from rag_graphs.trace import (
    EdgeTaken,
    Graded,
    ModelCalled,
    NodeFinished,
    NodeStarted,
    Retrieved,
    RunEvent,
    RunFailed,
    RunFinished,
    RunStarted,
    Token,
    Warned,
    plain,
)
from rag_graphs.usage import CallMeter

LIVE = {"retrieved": Retrieved, "graded": Graded, "token": Token, "warned": Warned, "model_called": ModelCalled}


def run(
    strategy: Strategy,
    question: str,
    components: Components,
    settings: Settings,
    *,
    history: Sequence[Turn] = (),
    run_id: str = "",
    sources: Sequence[str] = (),
    clock: Callable[[], float] = time.perf_counter,
) -> Iterator[RunEvent]:
    """Run a strategy on a question, event by event.

    The last event is RunFinished, or RunFailed when something broke: every exception becomes that event, with its own
    message when it is one of the project's and a general one when it is a bug. Closing the generator ends the run; nothing
    can be yielded then, so whoever closes it records RunStopped.
    """
    begun = clock()
    yield RunStarted(
        run_id=run_id or uuid4().hex,
        strategy=strategy.key,
        question=question,
        history=list(history),
        settings=settings.public(),
        engine=components.description,
        started=datetime.now(UTC).isoformat(timespec="seconds"),
        sources=list(sources),
    )
    try:
        graph = strategy.build(components, settings)
        follower = _Follower(graph, start(question, list(history)), settings, lambda: clock() - begun)
        try:
            yield from follower.follow()
        except SpendingCapReached as cap:
            yield from follower.capped(str(cap))
    except Exception as error:  # noqa: BLE001 - one of the two places that catch everything; see docs/decisions.md
        yield failure(error, clock() - begun)


def failure(error: Exception, at: float) -> RunFailed:
    """The event for a run that broke."""
    known = isinstance(error, RagGraphsError)
    message = (
        str(error)
        if known
        else f"Something in the program broke ({type(error).__name__}). This is a bug; please report it."
    )
    return RunFailed(at=at, message=message, error=type(error).__name__)


def recursion_limit(settings: Settings) -> int:
    """LangGraph's own fence, behind our budgets: more node executions than the longest legal path has."""
    rounds = 1 + settings.max_rewrites + settings.max_searches
    return 5 * rounds + 2 * settings.max_regenerations + 10


class _Follower:
    """Follows one execution: knows the state, which node runs and for the how manieth time."""

    def __init__(
        self, graph: StateGraph[RagState], state: RagState, settings: Settings, now: Callable[[], float]
    ) -> None:
        self.graph, self.state, self.settings, self.now = graph, state, settings, now
        self.node = ""
        self.attempts: Counter[str] = Counter()
        self.node_began = 0.0
        self.meter = CallMeter(refuse=guard(settings))

    def follow(self) -> Iterator[RunEvent]:
        stream = self.graph.compile().stream(
            self.state,
            {"recursion_limit": recursion_limit(self.settings), "callbacks": [self.meter]},
            stream_mode=["tasks", "custom"],
        )
        yield self.edge("__start__")
        for mode, part in cast("Iterator[tuple[str, Any]]", stream):
            yield from self.model_calls()
            if mode == "custom":
                yield self.live(part)
            elif "result" in part or part.get("error"):
                yield from self.finished(part)
            else:
                yield self.started(part["name"])
        yield RunFinished(at=self.now(), stop_reason=stop_reason(self.state), answer=self.state.answer)

    def capped(self, reason: str) -> Iterator[RunEvent]:
        """The end of a run that has spent what it may: the last answer stays, and says nothing of being checked."""
        yield from self.model_calls()
        yield Warned(at=self.now(), node=self.node, message=reason)
        yield RunFinished(at=self.now(), stop_reason="spending cap reached", answer=self.state.answer)

    def started(self, node: str) -> RunEvent:
        self.node = node
        self.attempts[node] += 1
        self.node_began = self.now()
        return NodeStarted(at=self.node_began, node=node, attempt=self.attempts[node])

    def finished(self, part: dict[str, Any]) -> Iterator[RunEvent]:
        if part.get("error"):
            return  # the stream raises the exception itself right after
        update = dict(part["result"])
        self.state = apply(self.state, update)
        at = self.now()
        yield NodeFinished(
            at=at, node=self.node, attempt=self.attempts[self.node], seconds=at - self.node_began, update=plain(update)
        )
        yield self.edge(self.node)

    def live(self, part: dict[str, Any]) -> RunEvent:
        data = {k: v for k, v in part.items() if k != "kind"}
        event: Any = LIVE[part["kind"]](at=self.now(), node=self.node, attempt=self.attempts[self.node], **data)
        return cast("RunEvent", event)

    def model_calls(self) -> Iterator[RunEvent]:
        for call in self.meter.drain():
            yield self.live(call)

    def edge(self, source: str) -> EdgeTaken:
        """Which edge is taken from `source` now: no stream mode tells, so the pure edge is evaluated again."""
        outcome, target = "", ""
        for branch in self.graph.branches.get(source, {}).values():
            outcome = str(branch.path.invoke(self.state))
            target = (branch.ends or {})[outcome]
        target = target or next(t for s, t in self.graph.edges if s == source)
        names = {"__start__": START, "__end__": END}
        return EdgeTaken(
            at=self.now(), source=names.get(source, source), target=names.get(target, target), outcome=outcome
        )
