"""Run `strategies` and `diagram`: show what there is, without running anything."""

from __future__ import annotations

from argparse import Namespace
from typing import Any

from rag_graphs import (
    Settings,
    SettingsError,
    Strategy,
    all_strategies,
    broken_strategies,
    export_diagram,
    get_strategy,
    outline_of,
)
from rag_graphs.cli.console import Console
from rag_graphs.cli.options import chosen_settings


def strategies(args: Namespace, console: Console) -> int:
    """List every strategy with its nodes and edges, or only the named one; with --script write that one as a script."""
    if args.script is not None:
        if not args.key:
            raise SettingsError("--script needs a strategy: write strategies KEY --script FILE.")
        from rag_graphs.cli.script import script

        return script(args, console)
    settings = chosen_settings(args)
    chosen = [get_strategy(args.key)] if args.key else list(all_strategies().values())
    rows = [_as_json(strategy, settings) for strategy in chosen]
    for broken in broken_strategies():
        console.problem(f"The strategy {broken.name} from outside is left out. {broken.problem} ({broken.place})")
    if args.json:
        console.document(rows)
        return 0
    for strategy in rows:
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
    console.line(export_diagram(strategy, chosen_settings(args)).rstrip())
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
