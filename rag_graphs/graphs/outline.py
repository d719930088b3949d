"""A strategy's graph as these settings make it, and its outline: nodes and edges for drawing and for reading.

A question that follows others is made to stand alone before anything else, in whatever strategy: that node is put in front
here, so that no strategy has to know of it.
"""

from __future__ import annotations

from langgraph.graph import START as FIRST
from langgraph.graph import StateGraph

from rag_graphs.errors import SettingsError
from rag_graphs.graphs import nodes
from rag_graphs.graphs.components import Components, Condense
from rag_graphs.graphs.state import RagState
from rag_graphs.graphs.strategy import END, NOTHING, START, Edge, Outline, Strategy
from rag_graphs.settings import Settings

CONDENSE = "condense_question"


def graph_of(strategy: Strategy, components: Components, settings: Settings) -> StateGraph[RagState]:
    """The strategy's graph, not compiled; in a conversation with `condense_question` in front. Raises SettingsError where a
    strategy from outside cannot build it."""
    try:
        graph = strategy.build(components, settings)
    except Exception as error:
        raise SettingsError(
            f"The strategy {strategy.key} cannot build its graph with these settings ({type(error).__name__})."
        ) from error
    return condensing(graph, components.condense) if settings.conversing else graph


def condensing(graph: StateGraph[RagState], condense: Condense) -> StateGraph[RagState]:
    """The graph with `condense_question` in front of its first node."""
    (first,) = [target for source, target in graph.edges if source == FIRST]
    graph.edges.discard((FIRST, first))
    graph.add_node(CONDENSE, nodes.condense_question(condense))
    graph.add_edge(FIRST, CONDENSE)
    graph.add_edge(CONDENSE, first)
    return graph


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
    return outline(graph_of(strategy, NOTHING, settings))
