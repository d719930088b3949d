"""What a strategy is: a description and a function that builds its graph."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, NoReturn

from rag_graphs.graphs.components import Components
from rag_graphs.graphs.state import RagState
from rag_graphs.settings import Settings

if TYPE_CHECKING:
    from langgraph.graph import StateGraph

START, END = "START", "END"


@dataclass(frozen=True, kw_only=True)
class Edge:
    """An edge from `source` (a node or START) to `target` (a node or END). `outcome` is empty for a plain edge."""

    source: str
    outcome: str
    target: str


@dataclass(frozen=True, kw_only=True)
class Loop:
    """An edge that closes a loop, the field of the state that counts its rounds, and the setting that limits them."""

    source: str
    target: str
    counter: Literal["rewrites", "regenerations", "searches", "steps"]
    budget: Literal["max_rewrites", "max_regenerations", "max_searches", "max_steps"]


@dataclass(frozen=True, kw_only=True)
class Example:
    """A question that shows something on the sample library. `collections`: the sample collections to load. `settings`: those
    that differ from the defaults. `path`: the nodes that the run takes on the built-in engine."""

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
    """A named way to answer a question, with its description. `build` returns a graph that is not compiled; the runner
    compiles it. `happy_path`, `beside` and `loops` tell the diagram how to lay the graph out."""

    key: str
    family: str
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
    step_names: tuple[tuple[str, str], ...] = ()
    """(node, the published version's name for this step), for strategies whose published version lists the steps taken."""
    local: bool = False
    """Whether the strategy is made for models on one's own machine; a page then warns if a run would leave it."""
    order: int = 0


@dataclass(frozen=True, kw_only=True)
class Outline:
    """A graph's nodes, in the order in which its code adds them, and its edges in the order of their sources."""

    nodes: tuple[str, ...]
    edges: tuple[Edge, ...]


def _nothing(*_: object) -> NoReturn:
    raise RuntimeError("This graph was built to be drawn, not to be run.")


NOTHING = Components(
    retrieve=_nothing,
    retrieve_many=_nothing,
    search_web=_nothing,
    rewrite=_nothing,
    generate=_nothing,
    generate_directly=_nothing,
    draft=_nothing,
    route=_nothing,
    route_direct=_nothing,
    decide_retrieval=_nothing,
    classify=_nothing,
    grade_relevance=_nothing,
    grade_answer=_nothing,
    evaluate=_nothing,
    decompose=_nothing,
    score_strips=_nothing,
    reason=_nothing,
    condense=_nothing,
    conclude=_nothing,
)
"""Components for a graph that is only drawn; calling one raises RuntimeError."""
