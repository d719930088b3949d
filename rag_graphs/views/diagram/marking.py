"""Read from a trace how a run has marked the graph so far: which nodes ran and with which result, which runs now, which
edges were taken."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Literal

from rag_graphs.graphs.strategy import END, START, Loop
from rag_graphs.runs.events import EdgeTaken
from rag_graphs.runs.trace import Trace
from rag_graphs.settings import Settings
from rag_graphs.views.diagram.plan import Link
from rag_graphs.views.node_run import NodeRun

Mark = Literal["idle", "active", "done", "halted", "skip", "taken", "next", "shared"]
COUNTERS = ("rewrites", "regenerations", "searches", "steps")


@dataclass(frozen=True, kw_only=True)
class Marks:
    """Hold a run's marks. `halted`: the node in which a failed or stopped run broke off. `next`: the node before which a run
    in step mode waits. `runs`: the last run of each node that was visited. `counts`: how often each loop was taken.
    `settings`: those of the run, as its trace recorded them. `shared`: nodes, and edges from source to target, that are
    drawn as shared with another run."""

    begun: bool = False
    ended: bool = False
    active: str = ""
    halted: str = ""
    next: str = ""
    visits: Mapping[str, int] = field(default_factory=dict)
    runs: Mapping[str, NodeRun] = field(default_factory=dict)
    edges: tuple[EdgeTaken, ...] = ()
    counts: Mapping[str, int] = field(default_factory=dict)
    settings: Mapping[str, Any] = field(default_factory=dict)
    shared: frozenset[str | tuple[str, str]] = frozenset()

    def __post_init__(self) -> None:
        object.__setattr__(self, "_taken", {(e.source, e.target) for e in self.edges})
        object.__setattr__(self, "_outcomes", {(e.source, e.outcome) for e in self.edges})

    _taken: set[tuple[str, str]] = field(init=False, repr=False, compare=False)
    _outcomes: set[tuple[str, str]] = field(init=False, repr=False, compare=False)

    def node(self, name: str) -> Mark:
        """Return the mark of a node, of START or of END."""
        places: tuple[tuple[str, Mark], ...] = (
            (self.active, "active"),
            (self.halted, "halted"),
            (self.next, "next"),
        )
        for marked, mark in places:
            if name == marked:
                return mark
        reached = {START: self.begun, END: any(e.target == END for e in self.edges)}
        if reached.get(name, self.visits.get(name, 0) > 0):
            return "shared" if name in self.shared else "done"
        return "skip" if self.ended else "idle"

    def edge(self, link: Link) -> Mark:
        if (pair := (link.source, link.target)) in self._taken:
            return "shared" if pair in self.shared else "taken"
        return "skip" if self.ended else "idle"

    def latest(self, link: Link) -> bool:
        """Did this edge lead to the node that runs now?"""
        return bool(self.active and self.edges) and (self.edges[-1].source, self.edges[-1].target) == (
            link.source,
            link.target,
        )

    def sharing(
        self, path: Sequence[str], edges: Sequence[EdgeTaken], own_path: Sequence[str], own_edges: Sequence[EdgeTaken]
    ) -> Marks:
        """Return the same marks, where nodes and edges that only the part shared with another run passed are marked as
        shared."""
        nodes = {START, *path} - set(own_path)
        pairs = {(e.source, e.target) for e in edges} - {(e.source, e.target) for e in own_edges}
        return replace(self, shared=frozenset(nodes | pairs))

    def hit(self, source: str, outcome: str) -> bool:
        """Did a conditional edge return this outcome?"""
        return (source, outcome) in self._outcomes

    def budget(self, loop: Loop, settings: Settings) -> str:
        """Return how often a loop was taken and how often it may be: "1/3"."""
        most = self.settings.get(loop.budget, getattr(settings, loop.budget))
        return f"{self.counts.get(loop.counter, 0)}/{most}"


IDLE = Marks()
"""Before any run."""


def marks(trace: Trace | None) -> Marks:
    """Return the marks of a run so far, in one pass over the events, without rebuilding any state."""
    if trace is None:
        return IDLE
    visits, edges, counts, open_ = Counter[str](), list[EdgeTaken](), dict[str, int](), ""
    runs, found, strips = dict[str, NodeRun](), 0, 0
    last = trace.events[-1]
    for event in trace.events:
        if event.kind == "node_started":
            visits[event.node] += 1
            open_ = event.node
            runs[open_] = NodeRun(event.attempt, found, strips, trace.head.settings)
        elif event.kind == "edge_taken":
            edges.append(event)
        elif event.kind != "token" and event.node in runs:
            runs[event.node].add(event)
        if event.kind == "retrieved":
            found = len(event.documents)
        elif event.kind == "node_finished":
            open_ = ""
            counts |= {name: event.update[name] for name in COUNTERS if name in event.update}
            strips = len(event.update.get("strips", ())) or strips
    return Marks(
        begun=True,
        ended=trace.ended,
        active="" if trace.ended else open_,
        halted=open_ if trace.ended else "",
        next=last.node if last.kind == "paused" and not trace.ended else "",
        visits=visits,
        runs=runs,
        edges=tuple(edges),
        counts=counts,
        settings=trace.head.settings,
    )
