"""Work out what a drawing has to show, before any position: edges merged by their ends, which of them lead back, and how
wide their labels may grow during a run."""

from __future__ import annotations

from dataclasses import dataclass

from rag_graphs.graphs.outline import outline_of
from rag_graphs.graphs.strategy import END, START, Loop, Outline, Strategy
from rag_graphs.settings import Settings
from rag_graphs.views.node_words import node_name


@dataclass(frozen=True, kw_only=True)
class Shape:
    """Hold everything that positions depend on; budgets and runs are not part of it."""

    outline: Outline
    happy_path: tuple[str, ...] = ()
    beside: tuple[tuple[str, str], ...] = ()
    loops: tuple[Loop, ...] = ()
    names: tuple[str, ...] = ()
    """What each node is called on the drawing, in the order of the outline's nodes."""


@dataclass(frozen=True, kw_only=True)
class Link:
    """Describe one drawn edge: all outcomes that lead from `source` to `target`, and the loop that it closes, if that loop
    has a budget."""

    source: str
    target: str
    outcomes: tuple[str, ...]
    loop: Loop | None
    back: bool
    level: bool

    def lines(self, count: str) -> tuple[str, ...]:
        """Return the label's lines, with `count` ("1/3") at a loop."""
        if not self.loop:
            return self.outcomes
        if not self.outcomes:
            return (f"{count} {self.loop.counter}",)
        return (*self.outcomes[:-1], f"{self.outcomes[-1]} {count}")


def shape_of(strategy: Strategy, settings: Settings) -> Shape:
    """Return a strategy's graph with its hints. Hints about nodes and edges that these settings leave out are ignored."""
    outline = outline_of(strategy, settings)
    nodes = {START, END, *outline.nodes}
    edges = {(e.source, e.target) for e in outline.edges}
    return Shape(
        outline=outline,
        happy_path=_led_in(tuple(n for n in strategy.happy_path if n in nodes), outline),
        beside=tuple(pair for pair in strategy.beside if nodes.issuperset(pair)),
        loops=tuple(loop for loop in strategy.loops if (loop.source, loop.target) in edges),
        names=tuple(node_name(node) for node in outline.nodes),
    )


def _led_in(happy: tuple[str, ...], outline: Outline) -> tuple[str, ...]:
    """Return the happy path together with the nodes that some settings put before all others: they stand on the same
    line."""
    ways: list[tuple[str, ...]] = [(START,)] if len(happy) > 1 else []
    reached = {START}
    while ways:
        way = ways.pop(0)
        if way[-1] == happy[1]:
            return (*way, *happy[2:])
        onward = [e.target for e in outline.edges if e.source == way[-1] and e.target not in reached]
        reached |= set(onward)
        ways += [(*way, target) for target in onward]
    return happy


def links(shape: Shape, beside: tuple[tuple[str, str], ...]) -> list[Link]:
    """Return the edges to draw when these pairs stand beside one another."""
    outcomes: dict[tuple[str, str], list[str]] = {}
    for edge in shape.outline.edges:
        outcomes.setdefault((edge.source, edge.target), []).append(edge.outcome)
    loops = {(loop.source, loop.target): loop for loop in shape.loops}
    group = _groups(shape.outline, beside)
    back = _leading_back(shape, group)
    return [
        Link(
            source=source,
            target=target,
            outcomes=tuple(o for o in names if o),
            loop=loops.get((source, target)),
            back=(group[source], group[target]) in back,
            level=group[source] == group[target] and source != target,
        )
        for (source, target), names in outcomes.items()
    ]


def _groups(outline: Outline, beside: tuple[tuple[str, str], ...]) -> dict[str, str]:
    """Return each node's group; nodes beside one another belong to one group."""
    group = {name: name for name in (START, *outline.nodes, END)}
    for one, other in beside:
        old, new = group[other], group[one]
        group = {name: new if g == old else g for name, g in group.items()}
    return group


def _leading_back(shape: Shape, group: dict[str, str]) -> set[tuple[str, str]]:
    """Return the edges between groups that close a cycle when the graph is walked from START, the happy path first."""
    happy = set(zip(shape.happy_path, shape.happy_path[1:], strict=False))
    ways: dict[str, list[str]] = {}
    for edge in sorted(shape.outline.edges, key=lambda e: (e.source, e.target) not in happy):
        ways.setdefault(group[edge.source], []).append(group[edge.target])
    back: set[tuple[str, str]] = set()
    open_, closed = [START], set[str]()
    left = {START: list(ways.get(START, []))}
    while open_:
        here = open_[-1]
        if not left[here]:
            closed.add(open_.pop())
            continue
        there = left[here].pop(0)
        if there in left and there not in closed:
            back.add((here, there))
        elif there not in left:
            left[there] = list(ways.get(there, []))
            open_.append(there)
    return back
