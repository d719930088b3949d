"""Follows one execution of a graph and turns LangGraph's stream into run events."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import fields, is_dataclass
from typing import Any, cast

from langchain_core.runnables import RunnableConfig
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.checkpoint.serde.jsonplus import JsonPlusSerializer
from langgraph.graph import StateGraph
from langgraph.graph.state import CompiledStateGraph
from langgraph.types import StreamMode

from rag_graphs.graphs import state as types_of_state
from rag_graphs.graphs.state import RagState, Update, apply, stop_reason
from rag_graphs.graphs.strategy import END, START
from rag_graphs.runs.budget import guard
from rag_graphs.runs.edits import regraded
from rag_graphs.runs.events import (
    Drafted,
    EdgeTaken,
    Edited,
    Graded,
    ModelCalled,
    NodeFinished,
    NodeStarted,
    Paused,
    Retrieved,
    RunEvent,
    RunFinished,
    Token,
    Warned,
    plain,
)
from rag_graphs.runs.usage import CallMeter
from rag_graphs.settings import Settings

LIVE = {
    "retrieved": Retrieved,
    "graded": Graded,
    "drafted": Drafted,
    "token": Token,
    "warned": Warned,
    "model_called": ModelCalled,
}
NAMES = {"__start__": START, "__end__": END}
CALL = {"role", "model", "prompt_tokens", "completion_tokens", "seconds"}
"""The fields of a model call that a call meter counts."""
MODES: list[StreamMode] = ["tasks", "custom"]
PLAIN = [(k.__module__, k.__name__) for k in vars(types_of_state).values() if isinstance(k, type) and is_dataclass(k)]
"""The only classes that a checkpoint of the state may hold."""
Now = Callable[[], float]
Graph = CompiledStateGraph[RagState, None, RagState, RagState]


def recursion_limit(settings: Settings) -> int:
    """LangGraph's own fence, behind our budgets: more node executions than the longest legal path has."""
    rounds = 1 + settings.max_rewrites + settings.max_searches
    return 5 * rounds + 2 * settings.max_regenerations + 2 * settings.max_steps + 10


class Follower:
    """Follows one execution: knows the state, which node runs and how often each node has started. `calls`: the model calls
    that the run has made before, which count towards what it may spend."""

    def __init__(
        self,
        graph: StateGraph[RagState],
        state: RagState,
        settings: Settings,
        now: Now,
        *,
        stepping: bool = False,
        calls: Iterable[ModelCalled] = (),
    ) -> None:
        self.graph, self.state, self.settings, self.now, self.stepping = graph, state, settings, now, stepping
        self.node = ""
        self.attempts: Counter[str] = Counter()
        self.node_began = 0.0
        self.meter = CallMeter(refuse=guard(settings), earlier=[c.model_dump(include=CALL) for c in calls])

    def follow(self) -> Iterator[RunEvent]:
        """Run the graph from its start; in step mode only up to the pause before its first node."""
        edge = self.edge("__start__")
        if self.stepping:
            yield Paused(at=self.now(), node=edge.target)
            return
        yield edge
        yield from self._follow(self.graph.compile().stream(self.state, self._config, stream_mode=MODES))

    def follow_from(self, node: str, attempts: Counter[str], change: Update | None = None) -> Iterator[RunEvent]:
        """Run on from the state that a node (named as its graph names it, or START) left behind, with something changed
        first; in step mode only up to the next pause. `attempts`: how often each node has started before."""
        self.attempts = attempts
        source = "__start__" if node == START else node
        if change:
            yield from self._edited("" if node == START else node, change)
        graph = self._checkpointed()
        values = {f.name: getattr(self.state, f.name) for f in fields(self.state)}
        graph.update_state(self._config, values, as_node=source)
        yield self.edge(source)
        yield from self._follow(graph.stream(None, self._config, stream_mode=MODES))

    @property
    def _config(self) -> RunnableConfig:
        return {
            "recursion_limit": recursion_limit(self.settings),
            "callbacks": [self.meter],
            "configurable": {"thread_id": "run"},
        }

    def _checkpointed(self) -> Graph:
        saver = InMemorySaver(serde=JsonPlusSerializer(allowed_msgpack_modules=PLAIN))
        return self.graph.compile(checkpointer=saver, interrupt_after="*" if self.stepping else None)

    def _follow(self, stream: Iterator[Any]) -> Iterator[RunEvent]:
        following = ""
        for event in self._events(stream):
            yield event
            if event.kind == "node_finished":
                edge = self.edge(self.node)
                following = edge.target
                if not self.stepping or following == END:
                    yield edge
        if self.stepping and following not in ("", END):
            yield Paused(at=self.now(), node=following)
        else:
            yield self._end()

    def _edited(self, node: str, change: Update) -> Iterator[RunEvent]:
        before, self.state = self.state, apply(self.state, change)
        yield Edited(at=self.now(), node=node, update=plain(change))
        yield from regraded(before, self.state, at=self.now(), node=node, attempt=self.attempts[node])

    def _events(self, stream: Iterator[Any]) -> Iterator[RunEvent]:
        for mode, part in stream:
            yield from self.model_calls()
            if mode == "custom":
                yield self.live(part)
            elif "result" in part or part.get("error"):
                yield from self.finished(part)
            else:
                yield self.started(part["name"])

    def _end(self) -> RunFinished:
        return RunFinished(at=self.now(), stop_reason=stop_reason(self.state), answer=self.state.answer)

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
        return EdgeTaken(
            at=self.now(), source=NAMES.get(source, source), target=NAMES.get(target, target), outcome=outcome
        )
