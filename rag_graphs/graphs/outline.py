"""Building a strategy's graph, and its outline: the nodes and edges for drawing and for reading.

In a conversation, a follow-up question is first put into words that stand alone. The node that does so is added here in
front of every strategy's graph, so that no strategy has to care about conversations.
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
    """Build the strategy's graph, not compiled; in a conversation with `condense_question` in front. Raises SettingsError if
    the strategy cannot build it with these settings."""
    try:
        graph = strategy.build(components, settings)
    except Exception as error:
        raise SettingsError(
            f"The strategy {strategy.key} cannot build its graph with these settings ({type(error).__name__})."
        ) from error
    return condensing(graph, components.condense) if settings.conversing else graph


def condensing(graph: StateGraph[RagState], condense: Condense) -> StateGraph[RagState]:
    """Put `condense_question` in front of the graph's first node, and return the graph."""
    (first,) = [target for source, target in graph.edges if source == FIRST]
    graph.edges.discard((FIRST, first))
    graph.add_node(CONDENSE, nodes.condense_question(condense))
    graph.add_edge(FIRST, CONDENSE)
    graph.add_edge(CONDENSE, first)
    return graph


def outline(graph: StateGraph[RagState]) -> Outline:
    """Return the nodes and edges of a graph that is not compiled; the edges in the order of their source nodes."""
    # the compiled graph would merge outcomes that share a target, and `StateGraph.edges` is a set without an order
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
    """Return a strategy's nodes and edges; no component is needed for that."""
    return outline(graph_of(strategy, NOTHING, settings))
