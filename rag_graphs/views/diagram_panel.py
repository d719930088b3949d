"""The diagram of a strategy on the page: the graph with a run's marks, and the legend of what can be seen in it now."""

from __future__ import annotations

from rag_graphs.graphs.strategy import Strategy
from rag_graphs.runs.trace import Trace
from rag_graphs.settings import Settings
from rag_graphs.views.diagram import both_ways, draw, marks, sublines
from rag_graphs.views.render import text
from rag_graphs.views.translation import _


def diagram_html(
    strategy: Strategy, settings: Settings, trace: Trace | None = None, *, prefix: str = "rg", compact: bool = False
) -> str:
    """The graph with the marks of the run so far, as one line of HTML. Across, or down where the page is narrow;
    `compact` is small and without outcomes, for several side by side. `prefix`: another one for each diagram of a page."""
    known, lines = marks(trace), sublines(trace, _)
    if compact:
        small = draw(strategy, settings, known, way="compact", prefix=prefix, sub=lines, words=_)
        return f'<div class="rg-panel">{small}</div>'
    drawn = both_ways(strategy, settings, known, prefix=prefix, sub=lines, words=_)
    return f'<div class="rg-panel">{drawn}</div>'


def legend_html(trace: Trace | None = None) -> str:
    """What the colours and lines mean: only what can be seen before, during or after a run."""
    running, over = trace is not None and not trace.ended, trace is not None and trace.ended
    paused = trace is not None and bool(trace.waiting_for)
    entries = [
        ("w", _("waiting"), not over),
        ("n", _("comes next"), paused),
        ("a", _("running"), (running and not paused) or trace is None),
        ("d", _("done"), True),
        ("p", _("path taken"), True),
        ("h", _("broke off here"), over and bool(marks(trace).halted)),
        ("s", _("not visited"), over),
    ]
    shown = "".join(f'<span><i class="{kind}"></i>{text(words)}</span>' for kind, words, seen in entries if seen)
    return f'<div class="legend" role="note" aria-label="{text(_("Legend of the diagram"))}">{shown}</div>'
