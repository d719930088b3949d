"""Draw the panel Code: the source of the node that runs, and of the conditional edge after it with its outcome."""

from __future__ import annotations

from dataclasses import dataclass

from rag_graphs.graphs.outline import outline_of
from rag_graphs.graphs.source_code import EdgeCode, NodeCode, edge_codes, node_codes
from rag_graphs.graphs.strategy import Strategy
from rag_graphs.runs.trace import Trace
from rag_graphs.settings import Settings
from rag_graphs.views.node_words import node_name
from rag_graphs.views.python_code import python_html
from rag_graphs.views.render import text
from rag_graphs.views.translation import _

MOST_KEPT = 64


@dataclass(frozen=True)
class _Pages:
    """Hold what does not change during a run: computed once for a strategy under given settings."""

    nodes: dict[str, NodeCode]
    edges: dict[str, EdgeCode]
    plain: dict[str, str]
    """node -> the node to which its only edge leads"""


_KEPT: dict[tuple[str, str], _Pages] = {}


def code_html(strategy: Strategy, settings: Settings, trace: Trace | None) -> str:
    """Draw the whole panel. Open and lit is the node that runs, else the one that comes next, else the last that ran."""
    pages = _pages(strategy, settings)
    shown = _shown(trace)
    lit = shown if shown in pages.nodes else next(iter(pages.nodes))
    visited = set(trace.path) if trace else set()
    rows = "".join(
        _node(node, pages, trace, lit=node.node == lit, done=node.node in visited) for node in pages.nodes.values()
    )
    return f'<div class="cp">{rows}</div>'


def _pages(strategy: Strategy, settings: Settings) -> _Pages:
    # the settings' JSON holds no secrets
    key = (strategy.key, settings.model_dump_json())
    if key not in _KEPT:
        if len(_KEPT) >= MOST_KEPT:
            _KEPT.clear()
        edges = outline_of(strategy, settings).edges
        _KEPT[key] = _Pages(
            {node.node: node for node in node_codes(strategy, settings)},
            {edge.node: edge for edge in edge_codes(strategy, settings)},
            {edge.source: edge.target for edge in edges if not edge.outcome},
        )
    return _KEPT[key]


def _shown(trace: Trace | None) -> str:
    if trace is None:
        return ""
    return trace.active or trace.waiting_for or (trace.path[-1] if trace.path else "")


def _node(node: NodeCode, pages: _Pages, trace: Trace | None, *, lit: bool, done: bool) -> str:
    """Draw a node's row: its name and what it does, with its code and its edge inside."""
    state = "at" if lit and trace else "done" if done else ""
    head = f"<b>{text(node_name(node.node))}</b> <span>{text(node.says)}</span>"
    if lit and trace and not trace.ended:
        words = _("comes next") if trace.waiting_for == node.node else _("running") if trace.active else ""
        head += f' <span class="chip on">{text(words)}</span>' if words else ""
    edge = _edge(node.node, pages, taken(pages.edges.get(node.node), trace) if lit else "")
    return (
        f'<details class="cn {state}"{" open" if lit else ""}><summary>{head}</summary>'
        f'<div class="src" tabindex="0">{python_html(node.code)}</div>{edge}</details>'
    )


def _edge(node: str, pages: _Pages, outcome: str) -> str:
    """Draw what follows a node: the outcomes of its conditional edge, the taken one marked, and the edge's code."""
    edge = pages.edges.get(node)
    if edge is None:
        target = pages.plain.get(node, "")
        return f'<p class="then">{text(_("Then"))} → {text(_target(target))}</p>' if target else ""
    ends = "".join(
        f'<li class="{"on" if name == outcome else ""}">{"<b>" if name == outcome else ""}{text(_(name))}'
        f"{'</b>' if name == outcome else ''} → {text(_target(target))}</li>"
        for name, target in edge.ends
    )
    return (
        f'<p class="then">{text(_("Then the edge {name} chooses").format(name=edge.name))}</p><ul class="ends">{ends}</ul>'
        f'<div class="src edge" tabindex="0">{python_html(edge.code)}</div>'
    )


def taken(edge: EdgeCode | None, trace: Trace | None) -> str:
    """Return the outcome of an edge after the last visit of its node; "" where the node has not finished. When a past step
    is looked at, its edge may not be recorded yet: the edge is then evaluated again, because it changes nothing."""
    if edge is None or trace is None or not trace.visits:
        return ""
    last = trace.visits[-1]
    if last.node != edge.node or last.after is None:
        return ""
    if trace.edges and trace.edges[-1].source == edge.node:
        return trace.edges[-1].outcome
    return edge.outcome(trace.state)


def _target(target: str) -> str:
    return _("the end") if target == "END" else node_name(target)
