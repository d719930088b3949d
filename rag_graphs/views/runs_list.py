"""Write what the list of runs says of each: from a row of the history to a line of HTML."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING, get_args
from zoneinfo import ZoneInfo

from rag_graphs.graphs.state import StopReason
from rag_graphs.graphs.strategies import all_strategies
from rag_graphs.views.diagram_settings import strategy_name
from rag_graphs.views.render import markdown, text
from rag_graphs.views.timeline import calls, duration
from rag_graphs.views.translation import _
from rag_graphs.views.verdict_words import MARKS, stop_chip, stop_chip_html

if TYPE_CHECKING:
    from rag_graphs.store import RunRow

LONGEST_TITLE = 140
ENDINGS: tuple[str, ...] = get_args(StopReason)


def strategy_title(key: str) -> str:
    """Return what a strategy is called; its key where this server does not have it."""
    strategy = all_strategies().get(key)
    return strategy_name(strategy) if strategy else key


def ending(reason: str) -> str:
    """Return a stop reason with its mark, for an option of a filter."""
    colour, words, _meaning = stop_chip(reason, "")
    return f"{MARKS[colour]} {words}".strip()


def row_html(row: RunRow, zone: str) -> str:
    """Write strategy, stop reason, seconds, calls and time of a run; `zone` is the visitor's time zone."""
    title = strategy_title(row.strategy)
    fork = f'<span class="vd plain">{text(_("What if"))}</span>' if row.parent else ""
    return (
        f'<div class="run"><span class="k">{text(title)}{fork}</span>'
        f'<span class="e">{stop_chip_html(row.stop_reason, title)}</span>'
        f'<span class="f">{text(duration(row.seconds))}</span>'
        f'<span class="f">{text(calls(row.llm_calls))}</span>'
        f'<span class="f w">{text(when(row.started, zone))}</span></div>'
    )


def when(moment: datetime, zone: str) -> str:
    """Write a moment in the visitor's time zone, in UTC where that is not known."""
    try:
        return moment.astimezone(ZoneInfo(zone)).strftime("%Y-%m-%d %H:%M")
    except (ValueError, OSError, KeyError):
        return moment.astimezone(UTC).strftime("%Y-%m-%d %H:%M UTC")


def button_title(question: str) -> str:
    """Return a question as the label of the button that opens its run."""
    short = question if len(question) <= LONGEST_TITLE else question[: LONGEST_TITLE - 1].rstrip() + "…"
    return markdown(short) or _("(no question)")
