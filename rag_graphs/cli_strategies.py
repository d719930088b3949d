"""`strategies` and `diagram`: what there is, without running anything."""

from __future__ import annotations

from argparse import Namespace
from typing import Any

from rag_graphs import Settings, Strategy, all_strategies, get_strategy, outline_of, standalone
from rag_graphs.cli_console import Console
from rag_graphs.cli_options import chosen_settings


def strategies(args: Namespace, console: Console) -> int:
    """List every strategy with its nodes and edges."""
    settings = chosen_settings(args)
    found = [_as_json(s, settings) for s in all_strategies().values()]
    if args.json:
        console.document(found)
        return 0
    for strategy in found:
        console.line((strategy["key"], "bold"), f"  {strategy['title']}  ", (strategy["family"], "dim"))
        console.paragraph(strategy["summary"], margin=2)
        for edge in strategy["edges"]:
            outcome = f"  ({edge['outcome']})" if edge["outcome"] else ""
            console.line(f"    {edge['from']} → {edge['to']}", (outcome, "dim"))
        console.line()
    return 0


def diagram(args: Namespace, console: Console) -> int:
    """Print a strategy's diagram: an SVG with its own colours, for a file or a page."""
    strategy = get_strategy(args.key)
    console.line(standalone(strategy, chosen_settings(args)).rstrip())
    return 0


def _as_json(strategy: Strategy, settings: Settings) -> dict[str, Any]:
    outline = outline_of(strategy, settings)
    return {
        "key": strategy.key,
        "family": strategy.family,
        "title": strategy.title,
        "summary": strategy.summary,
        "nodes": list(outline.nodes),
        "edges": [{"from": e.source, "outcome": e.outcome, "to": e.target} for e in outline.edges],
    }
