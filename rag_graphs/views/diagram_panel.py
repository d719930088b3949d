"""Draw a strategy's diagram for the page: the graph with a run's marks, and the legend of what can be seen in it now."""

from __future__ import annotations

from rag_graphs.graphs.strategy import Strategy
from rag_graphs.settings import Settings
from rag_graphs.views.diagram import IDLE, Marks, both_ways, draw
from rag_graphs.views.render import text
from rag_graphs.views.translation import _


def diagram_html(
    strategy: Strategy, settings: Settings, marks: Marks = IDLE, *, prefix: str = "rg", compact: bool = False
) -> str:
    """Draw the graph with the marks of the run so far, as one line of HTML: across, or down where the page is narrow.
    `compact` is small and without outcomes, for several side by side. `prefix` has to differ between the diagrams of a
    page."""
    if compact:
        return f'<div class="rg-panel">{draw(strategy, settings, marks, way="compact", prefix=prefix)}</div>'
    return f'<div class="rg-panel">{both_ways(strategy, settings, marks, prefix=prefix)}</div>'


def legend_html(marks: Marks = IDLE) -> str:
    """Say what the colours and lines mean: only what can be seen before, during or after a run."""
    over, paused = marks.ended, bool(marks.next)
    entries = [
        ("w", _("waiting"), not over),
        ("n", _("comes next"), paused),
        ("a", _("running"), not over and not paused),
        ("d", _("done"), True),
        ("p", _("path taken"), True),
        ("h", _("broke off here"), bool(marks.halted)),
        ("s", _("not visited"), over),
    ]
    items = "".join(f'<span><i class="{kind}"></i>{text(words)}</span>' for kind, words, seen in entries if seen)
    return f'<div class="legend" role="note" aria-label="{text(_("Legend of the diagram"))}">{items}</div>'
