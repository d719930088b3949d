"""Runs a strategy's graph and tells what happens as run events; forks a recorded run."""

from __future__ import annotations

import logging
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any
from uuid import uuid4

from rag_graphs.errors import RagGraphsError, SettingsError, SpendingCapReached, in_words
from rag_graphs.graphs.components import Components
from rag_graphs.graphs.outline import graph_of
from rag_graphs.graphs.state import RagState, Turn, Update, apply, start
from rag_graphs.graphs.strategy import START, Strategy
from rag_graphs.runs.edits import regraded
from rag_graphs.runs.events import Edited, NodeFinished, RunEvent, RunFailed, RunStarted, plain
from rag_graphs.runs.langgraph_stream import Follower, recursion_limit
from rag_graphs.runs.trace import Trace
from rag_graphs.settings import Settings

Clock = Callable[[], float]

__all__ = ["ForkRequest", "failure", "fork", "recursion_limit", "resume", "run"]


def run(
    strategy: Strategy,
    question: str,
    components: Components,
    settings: Settings,
    *,
    history: Sequence[Turn] = (),
    conversation: str = "",
    run_id: str = "",
    sources: Sequence[str] = (),
    stepping: bool = False,
    clock: Clock = time.perf_counter,
) -> Iterator[RunEvent]:
    """Run a strategy on a question, event by event; with `stepping` up to the pause before its first node (`resume`
    goes on from there).

    The last event is RunFinished, or RunFailed when something broke: every exception becomes that event, with its own
    message when it is one of the project's and a general one when it is a bug. Closing the generator ends the run; nothing
    can be yielded then, so whoever closes it records RunStopped.
    """
    begun = clock()
    told = {"history": list(history), "conversation": conversation, "sources": list(sources)}
    yield _head(strategy, question, components, settings, run_id=run_id, **told)
    state = start(question, list(history))
    yield from _guarded(
        lambda now: Follower(graph_of(strategy, components, settings), state, settings, now, stepping=stepping),
        Follower.follow,
        clock,
        begun,
    )


def resume(
    record: Trace,
    change: Update,
    strategy: Strategy,
    components: Components,
    settings: Settings,
    *,
    stepping: bool = True,
    clock: Clock = time.perf_counter,
) -> Iterator[RunEvent]:
    """Go on with a run that waits, from its record, with something in its state changed: the same run's next events.

    With `stepping` they end with the next pause, without it with the run's end. The time that has passed since the pause
    does not count, and what the run has spent before it does.
    """
    node = record.visits[-1].node if record.visits else START
    calls = [e for e in record.events if e.kind == "model_called"]
    yield from _guarded(
        lambda now: Follower(
            graph_of(strategy, components, settings), record.state, settings, now, stepping=stepping, calls=calls
        ),
        lambda follower: follower.follow_from(node, Counter(record.path), change),
        clock,
        clock() - record.seconds,
    )


@dataclass(frozen=True, kw_only=True)
class ForkRequest:
    """Say where to go on in a recorded run, what to change there, and what to run the rest with.

    `at` is the index of one of `parent.visits`, or -1 for the start; `change` is an update of the state after that visit, and
    after what was edited there (`whatif.py` makes them). `sources`: those that are searched, by default the parent's.
    """

    parent: Trace
    at: int
    strategy: Strategy
    components: Components
    settings: Settings
    change: Update = field(default_factory=dict)
    run_id: str = ""
    sources: Sequence[str] | None = None


def fork(request: ForkRequest, *, clock: Clock = time.perf_counter) -> Iterator[RunEvent]:
    """Run on from a recorded run, with something changed: a new run that knows its parent.

    The parent's events up to there are repeated without its model calls, so that the child costs only what comes after.
    Raises SettingsError when there is no such visit, or when the strategy's graph has no such node.
    """
    parent, at, change, settings = request.parent, request.at, request.change, request.settings
    visits = parent.visits
    if not -1 <= at < len(visits) or (at >= 0 and visits[at].after is None):
        raise SettingsError(f"This run has {len(visits)} nodes to go on from; {at} is none of them.")
    node = visits[at].node if at >= 0 else START
    graph = graph_of(request.strategy, request.components, settings)
    if node not in (START, *graph.nodes):
        raise SettingsError(
            f"{request.strategy.title} has no node {node} any more, so this run cannot go on from there."
        )
    state = apply(visits[at + 1].before if at + 1 < len(visits) else parent.state, change)
    prefix = _prefix(parent, at, change, state)
    head = _head(
        request.strategy,
        parent.head.question,
        request.components,
        settings,
        history=parent.head.history,
        run_id=request.run_id,
        sources=list(parent.head.sources if request.sources is None else request.sources),
        parent=parent.head.run_id,
        forked_at=len(prefix),
    )
    attempts = Counter(parent.path[: at + 1])

    # a generator of its own, so that what cannot be forked is refused here and not in the thread that runs it
    def events() -> Iterator[RunEvent]:
        begun = clock() - (prefix[-1].at if prefix else 0.0)
        yield head
        yield from prefix
        yield from _guarded(
            lambda now: Follower(graph, state, settings, now),
            lambda follower: follower.follow_from(node, attempts),
            clock,
            begun,
        )

    return events()


def _prefix(trace: Trace, at: int, change: Update, state: RagState) -> list[RunEvent]:
    """The parent's events after the first, up to the end of visit `at`, which gets what was edited after it and the change
    into its update, and the grades that they set. At the start, where no node has finished yet, they are an edit of their
    own. `state`: the one that the child goes on from."""
    end = [i for i, e in enumerate(trace.events) if e.kind == "node_finished"][at] if at >= 0 else 0
    edited: Update = {}
    for event in trace.events[end + 1 :]:
        if event.kind == "node_started":
            break
        if event.kind == "edited":
            edited |= event.update
    edited |= plain(change)
    last = trace.events[end]
    if last.kind != "node_finished":
        return [Edited(update=edited)] if edited else []
    kept = [e for e in trace.events[1:end] if e.kind != "model_called"]
    after = trace.visits[at].after
    assert after is not None
    grades = regraded(after, state, at=last.at, node=last.node, attempt=last.attempt)
    return [*kept, *grades, NodeFinished(**{**dict(last), "update": {**last.update, **edited}})]


def _head(
    strategy: Strategy, question: str, components: Components, settings: Settings, *, run_id: str, **others: Any
) -> RunStarted:
    return RunStarted(
        run_id=run_id or uuid4().hex,
        strategy=strategy.key,
        question=question,
        settings=settings.public(),
        engine=components.description,
        started=datetime.now(UTC).isoformat(timespec="seconds"),
        **others,
    )


def _guarded(
    make: Callable[[Clock], Follower],
    follow: Callable[[Follower], Iterator[RunEvent]],
    clock: Clock,
    begun: float,
) -> Iterator[RunEvent]:
    """Follow, and turn whatever breaks into the run's last event."""
    try:
        follower = make(lambda: clock() - begun)
        try:
            yield from follow(follower)
        except SpendingCapReached as cap:
            yield from follower.capped(str(cap))
    except Exception as error:
        if not isinstance(error, RagGraphsError):
            logging.getLogger(__name__).error("A run broke.", exc_info=error)
        yield failure(error, clock() - begun)


def failure(error: Exception, at: float) -> RunFailed:
    """The event for a run that broke."""
    return RunFailed(at=at, message=in_words(error), error=type(error).__name__)
