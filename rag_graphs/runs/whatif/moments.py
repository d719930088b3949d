"""A moment between two nodes of a run: what the state is there, and what the node before it changed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from rag_graphs.errors import SettingsError
from rag_graphs.graphs.outline import outline_of
from rag_graphs.graphs.state import Document, RagState
from rag_graphs.graphs.strategies import get_strategy
from rag_graphs.graphs.strategy import START
from rag_graphs.runs.trace import Trace
from rag_graphs.settings import load_settings

GRADERS = frozenset({"grade_documents", "evaluate_retrieval", "draft_answers"})
"""Nodes that take what was retrieved and settle anew which documents are kept."""


@dataclass(frozen=True, kw_only=True)
class Moment:
    """`node`: the one that has just finished, or START. `changed`: the fields of the state that it changed. `outcomes`: those
    of the conditional edge that follows, none for a plain edge; `targets`: the nodes that may follow. `keep_unclear`: the
    run's setting of that name."""

    node: str
    state: RagState
    changed: frozenset[str]
    outcomes: tuple[str, ...]
    targets: frozenset[str]
    keep_unclear: bool

    def document(self, ref: int | str) -> Document:
        """A document seen so far, by its number or its id. Raises SettingsError."""
        seen = [s.document for s in self.state.seen]
        found = [d for n, d in enumerate(seen, 1) if ref in (n, d.id)]
        if not found:
            raise SettingsError(f"This run had seen {len(seen)} documents by then; {ref!r} is none of them.")
        return found[0]

    def number(self, document: Document) -> int:
        """A document's number among those seen so far."""
        return next(n for n, s in enumerate(self.state.seen, 1) if s.document.id == document.id)


def moment_at(trace: Trace, visit: int) -> Moment:
    """The moment after the visit of that index, or at the start for -1. Raises SettingsError where nothing can go on: there
    is no such visit, or the strategy's graph has no such node any more."""
    visits = trace.visits
    if not -1 <= visit < len(visits) or (visit >= 0 and visits[visit].after is None):
        raise SettingsError(f"This run has {len(visits)} nodes to go on from; {visit} is none of them.")
    state = visits[visit + 1].before if visit + 1 < len(visits) else trace.state
    return _moment(
        trace, visits[visit].node if visit >= 0 else START, state, _updates(trace)[visit] if visit >= 0 else {}
    )


def moment_now(trace: Trace) -> Moment:
    """The moment in which a run in step mode waits."""
    return moment_at(trace, len(trace.visits) - 1)


def _updates(trace: Trace) -> Sequence[Mapping[str, Any]]:
    return [e.update for e in trace.events if e.kind == "node_finished"]


def _moment(trace: Trace, node: str, state: RagState, update: Mapping[str, Any]) -> Moment:
    settings = load_settings().as_recorded(trace.head.settings)
    strategy = get_strategy(trace.head.strategy)
    graph = outline_of(strategy, settings)
    if node not in (START, *graph.nodes):
        raise SettingsError(f"{strategy.title} has no node {node} any more, so this run cannot go on from there.")
    edges = graph.edges
    return Moment(
        node=node,
        state=state,
        changed=frozenset(update),
        outcomes=tuple(e.outcome for e in edges if e.source == node and e.outcome),
        targets=frozenset(e.target for e in edges if e.source == node),
        keep_unclear=settings.keep_unclear,
    )
