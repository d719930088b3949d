"""Two runs side by side: how far they went together, where they parted, and what each made of it."""

from __future__ import annotations

from dataclasses import dataclass

from rag_graphs.graphs.state import Document, StopReason
from rag_graphs.runs.events import EdgeTaken
from rag_graphs.runs.trace import Trace
from rag_graphs.runs.word_difference import Piece, word_difference


@dataclass(frozen=True, kw_only=True)
class Side:
    """One of two runs. `path` and `edges` are what came after they parted; the figures are of the whole run, `llm_calls`
    without those that a fork did not have to make again."""

    run_id: str
    path: tuple[str, ...]
    edges: tuple[EdgeTaken, ...]
    answer: str
    stop_reason: StopReason | None
    seconds: float
    llm_calls: int
    queries: tuple[str, ...]
    documents: tuple[Document, ...]


@dataclass(frozen=True, kw_only=True)
class Comparison:
    """`path` and `edges`: what both share. They part after the last node of `path`, or at the start where it is empty;
    `changed` names the fields of the state that differ there. `answer`: the child's answer against the parent's."""

    related: bool
    path: tuple[str, ...]
    edges: tuple[EdgeTaken, ...]
    changed: tuple[str, ...]
    parent: Side
    child: Side
    answer: tuple[Piece, ...]

    @property
    def parted_at(self) -> str:
        """The node after which they part, or START."""
        return self.path[-1] if self.path else "START"


def compare(parent: Trace, child: Trace) -> Comparison:
    """Compare a run with its fork, or with any other run."""
    related = child.head.parent == parent.head.run_id
    shared = _visits(child, child.head.forked_at) if related else _together(parent, child)
    edges = _edges(child, shared)
    return Comparison(
        related=related,
        path=tuple(child.path[:shared]),
        edges=tuple(edges),
        changed=_changed(parent, child, shared),
        parent=_side(parent, shared, len(edges)),
        child=_side(child, shared, len(edges)),
        answer=tuple(word_difference(parent.text, child.text)),
    )


def _visits(child: Trace, forked_at: int) -> int:
    """How many nodes a fork has from its parent. The last of them carries the change."""
    return sum(e.kind == "node_finished" for e in child.events[1 : 1 + forked_at])


def _together(one: Trace, other: Trace) -> int:
    """How many nodes two runs had in common, results included."""
    together = 0
    for a, b in zip(one.visits, other.visits, strict=False):
        if (a.node, a.attempt, a.before, a.after) != (b.node, b.attempt, b.before, b.after) or a.after is None:
            break
        together += 1
    return together


def _edges(trace: Trace, shared: int) -> list[EdgeTaken]:
    """The edges up to the last shared node."""
    edges: list[EdgeTaken] = []
    started = 0
    for event in trace.events:
        started += event.kind == "node_started"
        if started > shared:
            break
        if event.kind == "edge_taken":
            edges.append(event)
    # the edge that leads on from there is where they may part
    return edges[:shared]


def _changed(parent: Trace, child: Trace, shared: int) -> tuple[str, ...]:
    before, after = _state(parent, shared), _state(child, shared)
    return tuple(name for name, value in vars(before).items() if value != vars(after)[name])


def _state(trace: Trace, shared: int) -> object:
    return trace.visits[shared].before if shared < len(trace.visits) else trace.state


def _side(trace: Trace, shared: int, edges: int) -> Side:
    last = trace.state.answers[-1] if trace.state.answers else None
    return Side(
        run_id=trace.head.run_id,
        path=tuple(trace.path[shared:]),
        edges=tuple(trace.edges[edges:]),
        answer=trace.text,
        stop_reason=trace.stop_reason,
        seconds=trace.seconds,
        llm_calls=trace.llm_calls,
        queries=tuple(trace.queries),
        documents=tuple(last.documents if last else trace.state.documents),
    )
