"""The source code of a strategy, for reading: the function that builds its graph, its nodes and its conditional edges."""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from rag_graphs.graphs.outline import graph_of
from rag_graphs.graphs.state import RagState
from rag_graphs.graphs.strategy import END, NOTHING, Strategy
from rag_graphs.settings import Settings


@dataclass(frozen=True, kw_only=True)
class NodeCode:
    """A node's code, and in `says` the first sentence of its docstring; the code is empty where no file holds it."""

    node: str
    says: str
    code: str


@dataclass(frozen=True, kw_only=True)
class EdgeCode:
    """The conditional edge after a node: its code, in `says` the first sentence of its docstring, in `ends` the target of each
    outcome, and in `outcome` the edge itself."""

    node: str
    name: str
    says: str
    code: str
    ends: tuple[tuple[str, str], ...]
    outcome: Callable[[RagState], str]


def graph_code(strategy: Strategy) -> str:
    """Return the code of the function that builds the strategy's graph."""
    return _source(strategy.build)


def node_codes(strategy: Strategy, settings: Settings) -> list[NodeCode]:
    """Return the code of the strategy's nodes, in the order in which they are added to the graph."""
    graph: Any = graph_of(strategy, NOTHING, settings)
    return [_node_code(name, graph.nodes[name].runnable.func) for name in graph.nodes]


def edge_codes(strategy: Strategy, settings: Settings) -> list[EdgeCode]:
    """Return the code of the strategy's conditional edges, in the order of the nodes that they follow."""
    graph: Any = graph_of(strategy, NOTHING, settings)
    branches = ((name, branch) for name in graph.nodes for branch in graph.branches.get(name, {}).values())
    return [_edge_code(name, branch) for name, branch in branches]


def _node_code(name: str, function: Any) -> NodeCode:
    """Return the code of a node's factory, after it that of the factory which it calls, if any."""
    factory = _factory(function)
    named = getattr(inspect.getmodule(function), name, factory)
    codes = dict.fromkeys([_source(named), _source(factory)])
    return NodeCode(node=name, says=_says(named), code="\n\n".join(codes))


def _edge_code(node: str, branch: Any) -> EdgeCode:
    edge: Callable[[RagState], str] = branch.path.func
    factory = _factory(edge)
    ends = tuple((str(outcome), END if target == "__end__" else target) for outcome, target in branch.ends.items())
    return EdgeCode(
        node=node,
        name=getattr(factory, "__name__", node),
        says=_says(factory),
        code=_source(factory),
        ends=ends,
        outcome=edge,
    )


def _factory(function: Any) -> Any:
    """Return the factory that made a node or an edge, or the function itself if it was not made inside another."""
    module = inspect.getmodule(function)
    return getattr(module, getattr(function, "__qualname__", "").split(".")[0], function)


def _says(function: Any) -> str:
    """Return the first sentence of a function's docstring, without backticks."""
    text = " ".join((inspect.getdoc(function) or "").split())
    return re.split(r"(?<=[.?]) (?=[A-Z`])", text)[0].replace("`", "")


def _source(function: Any) -> str:
    try:
        return inspect.getsource(function)
    except (OSError, TypeError):  # code without a file, for example in a notebook
        return ""
