"""Loading strategies from outside: files of the operator's own, and installed packages.

A strategy that is broken is reported and left out; it harms no other.
"""

from __future__ import annotations

import re
import sys
import traceback
from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass, fields
from functools import cache, partial
from hashlib import sha256
from importlib.metadata import entry_points
from importlib.util import module_from_spec, spec_from_file_location
from os import pathsep
from pathlib import Path
from types import ModuleType
from typing import Any, get_type_hints

from langgraph.graph import StateGraph
from pydantic import ConfigDict, ValidationError, create_model

from rag_graphs.errors import SettingsError
from rag_graphs.graphs.outline import graph_of, outline
from rag_graphs.graphs.state import RagState
from rag_graphs.graphs.strategy import END, NOTHING, START, Outline, Strategy
from rag_graphs.settings import Settings

GROUP = "rag_graphs.strategies"
KEY = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*")
LONGEST_KEY = 40
PREFIX = "rag_graphs_outside_"


@dataclass(frozen=True, kw_only=True)
class BrokenStrategy:
    """A strategy from outside that cannot be used. `name` and `problem` may be shown to anyone. `place` holds its path on this
    machine and Python's error message, and may be shown to the operator alone."""

    name: str
    problem: str
    place: str


@dataclass(frozen=True, kw_only=True)
class _Candidate:
    """A file or entry point that should hold a strategy. `file`: the file whose line numbers a report may name."""

    name: str
    place: str
    load: Callable[[], object]
    file: Path | None = None


class _Unusable(Exception):
    """A strategy cannot be used. The message says what is wrong with it and what to do about it."""


def outside_strategies(settings: Settings, taken: Collection[str]) -> tuple[list[Strategy], list[BrokenStrategy]]:
    """Load the strategies that the settings and the installed packages name. `taken`: the keys that are in use already."""
    strategies: list[Strategy] = []
    broken: list[BrokenStrategy] = []
    for candidate in _candidates(settings.strategies):
        try:
            strategies.append(_load(candidate, settings, {*taken, *(s.key for s in strategies)}))
        except _Unusable as error:
            reason = error.__cause__
            details = f" {type(reason).__name__}: {reason}" if reason else ""
            broken.append(BrokenStrategy(name=candidate.name, problem=str(error), place=f"{candidate.place}{details}"))
    return strategies, broken


def mistakes(strategy: Strategy, settings: Settings) -> Iterator[str]:
    """Yield what is wrong with a strategy, in sentences. Its graph is built but not run."""
    wrong = [*_wrong_fields(strategy)]
    yield from wrong
    if not wrong:
        graph: Any = graph_of(strategy, NOTHING, settings)
        wrong = [*_wrong_graph(graph)]
        yield from wrong
    if not wrong:
        yield from _wrong_ways(outline(graph))
    if not wrong and not settings.conversing:  # a conversation puts a node in front that no description names
        yield from _wrong_description(strategy, outline(graph))


def _candidates(named: str) -> Iterator[_Candidate]:
    files = dict.fromkeys(f for part in re.split(f"[,{pathsep}]", named) if part.strip() for f in _files(part.strip()))
    for path in files:
        yield _Candidate(name=path.name, place=str(path), load=partial(_module, path), file=path)
    for point in sorted(entry_points(group=GROUP), key=lambda p: (p.name, p.value)):
        package = point.dist.name if point.dist else "a package"
        yield _Candidate(name=f"{point.name} ({package})", place=f"{package}: {point.value}", load=point.load)


def _files(named: str) -> list[Path]:
    """Return the named file, or the Python files of the named folder except those whose names begin with _ or a dot."""
    try:
        path = Path(named).expanduser().resolve()
        if path.is_dir():
            return sorted(p for p in path.glob("*.py") if not p.name.startswith(("_", "."))) or [path]
    except (OSError, RuntimeError, ValueError):
        return [Path(named)]
    return [path]


def _module(path: Path) -> ModuleType:
    """Import a file as a module under a name of its own. Raises _Unusable."""
    if path.suffix != ".py":
        raise _Unusable("It is not a Python file. RAG_STRATEGIES takes files that end in .py, and folders of them.")
    try:
        exists = path.is_file()
    except (OSError, ValueError):  # a name that is too long, or no name at all
        exists = False
    if not exists:
        raise _Unusable("There is no such file. Correct the path in RAG_STRATEGIES.")
    name = f"{PREFIX}{sha256(str(path).encode()).hexdigest()[:12]}"
    spec = spec_from_file_location(name, path)
    assert spec is not None
    assert spec.loader is not None
    # `inspect` and the dataclasses of the file look the module up by its name
    module = sys.modules[name] = module_from_spec(spec)
    try:
        spec.loader.exec_module(module)
    except BaseException:
        del sys.modules[name]
        raise
    return module


def _load(candidate: _Candidate, settings: Settings, taken: Collection[str]) -> Strategy:
    """Load the strategy of a candidate and check it. Raises _Unusable."""
    try:
        loaded = candidate.load()  # code from outside may raise anything, SystemExit included
    except _Unusable:
        raise
    except (Exception, SystemExit) as error:
        raise _Unusable(f"{_where(error, candidate.file)} stopped it from loading. Correct the code.") from error
    strategy = getattr(loaded, "STRATEGY", None) if isinstance(loaded, ModuleType) else loaded
    if strategy is None:
        raise _Unusable("It has no STRATEGY. Add STRATEGY = Strategy(…) at the end of the file.")
    if not isinstance(strategy, Strategy):
        kind = type(strategy).__name__
        raise _Unusable(
            f"Its STRATEGY is of type {kind}. Write STRATEGY = Strategy(…), from rag_graphs.graphs.strategy."
        )
    try:
        both = (settings, settings.change(conversing=True))
        wrong = next((mistake for checked in both for mistake in mistakes(strategy, checked)), "")
    except (Exception, SystemExit) as error:  # noqa: BLE001
        reason = error.__cause__ if isinstance(error, SettingsError) and error.__cause__ else error
        raise _Unusable(f"{_where(reason, candidate.file)} stopped build(). Correct the code.") from reason
    if wrong:
        raise _Unusable(wrong)
    if strategy.key in taken:
        raise _Unusable(f"Its key {strategy.key!r} is in use already. Choose another key.")
    return strategy


def _where(error: BaseException, file: Path | None) -> str:
    """Return the type of an error and its line in the file, without its message: that may hold secrets of the server."""
    lines = [f.lineno for f in traceback.extract_tb(error.__traceback__) if file and f.filename == str(file)]
    if isinstance(error, SyntaxError) and file and error.filename == str(file):
        lines.append(error.lineno)
    return f"{type(error).__name__} in line {lines[-1]}" if lines else type(error).__name__


@cache
def _described() -> Any:
    """Return a pydantic model that checks the types of a strategy's fields."""
    hints = get_type_hints(Strategy, localns={"StateGraph": StateGraph})
    config = ConfigDict(strict=True, revalidate_instances="always", arbitrary_types_allowed=True)
    named: dict[str, Any] = {f.name: (hints[f.name], ...) for f in fields(Strategy)}
    return create_model("Fields", __config__=config, **named)


def _wrong_fields(strategy: Strategy) -> Iterator[str]:
    values = {f.name: getattr(strategy, f.name) for f in fields(Strategy)}
    try:
        _described().model_validate(values)
    except ValidationError as error:
        for e in error.errors():
            yield f"Its {'.'.join(str(p) for p in e['loc'])} cannot be used: {e['msg']}."
        return
    if not KEY.fullmatch(strategy.key) or len(strategy.key) > LONGEST_KEY:
        yield (
            f"Its key {strategy.key[:LONGEST_KEY]!r} is not a valid one. "
            f"Use small letters, digits and single hyphens, {LONGEST_KEY} at most."
        )
    for name in ("family", "title", "short_title", "summary"):
        if not values[name].strip():
            yield f"Its {name} is empty. Write one."


def _wrong_graph(graph: Any) -> Iterator[str]:
    """Yield what keeps the app from running a graph: it needs RagState, and one edge at a time."""
    if not isinstance(graph, StateGraph):
        yield f"Its build() returned a {type(graph).__name__}. Return the StateGraph, not compiled."
        return
    if graph.state_schema is not RagState:
        yield "Its graph has another state. Write StateGraph(RagState)."
    try:
        graph.validate()
    except ValueError as error:
        yield f"Its graph does not hold together: {error}."
        return
    plain = [source for source, _ in graph.edges]
    if plain.count("__start__") != 1 or graph.branches.get("__start__"):
        yield "Its graph must have one plain edge from START."
    if graph.waiting_edges:
        yield "Its graph has branches that run side by side. Put that work inside one node."
    for name, node in graph.nodes.items():
        branches = graph.branches.get(name, {})
        if plain.count(name) + len(branches) != 1:
            yield f"Its node {name!r} must have one edge that leaves it, plain or conditional."
        ends = [branch.ends or {None: ""} for branch in branches.values()]
        if not all(isinstance(outcome, str) for end in ends for outcome in end):
            yield f"The conditional edge after {name!r} needs a path map: a dict from each outcome, a text, to a node."
        functions = [node.runnable, *(branch.path for branch in branches.values())]
        if not all(callable(getattr(f, "func", None)) for f in functions):
            yield f"Its node {name!r}, or the edge after it, is not a plain function. Write it with def."


def _wrong_ways(drawn: Outline) -> Iterator[str]:
    """Yield the nodes that no edge leads to, and whether the graph never ends."""
    reached, queue = {START}, [START]
    while queue:
        source = queue.pop()
        new = {e.target for e in drawn.edges if e.source == source} - reached
        reached |= new
        queue += new
    for node in drawn.nodes:
        if node not in reached:
            yield f"No edge leads to its node {node!r}. Add one, or take the node out."
    if END not in reached:
        yield "No edge of its graph leads to END. Add one."


def _wrong_description(strategy: Strategy, drawn: Outline) -> Iterator[str]:
    """Yield the nodes and edges that the strategy's description names and its graph does not have."""
    edges = {(e.source, e.target) for e in drawn.edges}
    steps = zip(strategy.happy_path, strategy.happy_path[1:], strict=False)
    pairs = [("happy_path", pair) for pair in steps] + [("loops", (o.source, o.target)) for o in strategy.loops]
    for name, (source, target) in pairs:
        if (source, target) not in edges:
            yield f"Its {name} names an edge from {source} to {target}, which its graph does not have."
    nodes = [("beside", node) for pair in strategy.beside for node in pair]
    for name, node in [*nodes, *(("step_names", node) for node, _ in strategy.step_names)]:
        if node not in (*drawn.nodes, START):
            yield f"Its {name} names {node}, which is no node of its graph."
