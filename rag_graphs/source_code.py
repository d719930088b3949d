"""The source code of a strategy, for reading: how its graph is put together, and what each of its nodes does."""

from __future__ import annotations

import inspect
from dataclasses import dataclass
from typing import Any

from rag_graphs.graphs import graph_of
from rag_graphs.settings import Settings
from rag_graphs.strategy import NOTHING, Strategy


@dataclass(frozen=True, kw_only=True)
class NodeCode:
    """A node's code with the first sentence of its docstring; both empty where the code cannot be had."""

    node: str
    says: str
    code: str


def graph_code(strategy: Strategy) -> str:
    """The function that builds the strategy's graph."""
    return _source(strategy.build)


def node_codes(strategy: Strategy, settings: Settings) -> list[NodeCode]:
    """The factories of the strategy's nodes, in the order in which the graph's code adds them."""
    graph: Any = graph_of(strategy, NOTHING, settings)
    return [_node_code(name, graph.nodes[name].runnable.func) for name in graph.nodes]


def _node_code(name: str, function: Any) -> NodeCode:
    """A node is a function inside its factory: the factory is what a reader wants to see."""
    module = inspect.getmodule(function)
    factory = getattr(module, function.__qualname__.split(".")[0], function)
    says = (inspect.getdoc(factory) or "").partition("\n\n")[0].replace("\n", " ")
    return NodeCode(node=name, says=says, code=_source(factory))


def _source(function: Any) -> str:
    try:
        return inspect.getsource(function)
    except (OSError, TypeError):  # code without a file, for example in a notebook
        return ""
