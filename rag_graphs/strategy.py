"""What a strategy is: a description and a function that builds its graph."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, NoReturn

from rag_graphs.component_types import Components
from rag_graphs.settings import Settings
from rag_graphs.state import RagState

if TYPE_CHECKING:
    from langgraph.graph import StateGraph

START, END = "START", "END"

Family = Literal["Naive RAG", "Self-RAG", "Corrective RAG", "Adaptive RAG"]


@dataclass(frozen=True, kw_only=True)
class Edge:
    """From `source` (a node or START) to `target` (a node or END); `outcome` is empty for a plain edge."""

    source: str
    outcome: str
    target: str


@dataclass(frozen=True, kw_only=True)
class Loop:
    """An edge that closes a loop, the state's counter of it and the setting that bounds the counter."""

    source: str
    target: str
    counter: Literal["rewrites", "regenerations", "searches"]
    budget: Literal["max_rewrites", "max_regenerations", "max_searches"]


@dataclass(frozen=True, kw_only=True)
class Example:
    """A question that shows something on the sample library. `collections` must be loaded; `settings` differ from the
    defaults; `path` is the list of nodes that the run takes on the built-in engine."""

    question: str
    collections: tuple[str, ...]
    shows: str
    path: tuple[str, ...]
    stop_reason: str
    settings: tuple[tuple[str, object], ...] = ()


@dataclass(frozen=True, kw_only=True)
class Source:
    """The paper or article that a strategy comes from."""

    title: str
    url: str


@dataclass(frozen=True, kw_only=True)
class Strategy:
    """A named way to answer. `build` returns a graph that is not compiled: the runner compiles it."""

    key: str
    family: Family
    title: str
    short_title: str
    summary: str
    build: Callable[[Components, Settings], StateGraph[RagState]]
    source: Source
    strengths: tuple[str, ...]
    limits: tuple[str, ...]
    simplifies: str
    examples: tuple[Example, ...] = ()
    happy_path: tuple[str, ...] = ()
    beside: tuple[tuple[str, str], ...] = ()
    loops: tuple[Loop, ...] = ()
    order: int = 0


@dataclass(frozen=True, kw_only=True)
class Outline:
    """A graph's nodes, in the order in which its code adds them, and its edges in the order of their sources."""

    nodes: tuple[str, ...]
    edges: tuple[Edge, ...]


def outline(graph: StateGraph[RagState]) -> Outline:
    """Nodes and edges of a graph, from the builder's own tables: the compiled graph merges outcomes that share a target.
    `StateGraph.edges` is a set, so edges are put into the order of the nodes."""
    nodes = tuple(graph.nodes)
    names = {"__start__": START, "__end__": END}
    order = {name: i for i, name in enumerate(("__start__", *nodes, "__end__"))}
    edges: list[Edge] = []
    for source in order:
        for branch in graph.branches.get(source, {}).values():
            for outcome, target in (branch.ends or {}).items():
                edges.append(
                    Edge(source=names.get(source, source), outcome=str(outcome), target=names.get(target, target))
                )
        for target in sorted((t for s, t in graph.edges if s == source), key=order.__getitem__):
            edges.append(Edge(source=names.get(source, source), outcome="", target=names.get(target, target)))
    return Outline(nodes=nodes, edges=tuple(edges))


def outline_of(strategy: Strategy, settings: Settings) -> Outline:
    """A strategy's nodes and edges, without any component."""
    return outline(strategy.build(NOTHING, settings))


def _nothing(*_: object) -> NoReturn:
    raise RuntimeError("This graph was built to be drawn, not to be run.")


NOTHING = Components(
    retrieve=_nothing,
    search_web=_nothing,
    rewrite=_nothing,
    generate=_nothing,
    route=_nothing,
    grade_relevance=_nothing,
    grade_answer=_nothing,
    conclude=_nothing,
)
"""Components for drawing a graph: none of them may be called."""
