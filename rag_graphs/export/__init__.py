"""Export a run: JSON that opens on another machine, a report in one HTML file, the diagram as SVG and PNG.

Nothing in them is loaded from elsewhere, and no key is in any: a trace holds none.
"""

from __future__ import annotations

import json
import re
from typing import Literal

from rag_graphs.export.report.picture import as_png, as_svg
from rag_graphs.export.report.report import as_html
from rag_graphs.graphs.strategy import Strategy
from rag_graphs.runs.trace import Trace
from rag_graphs.settings import Settings
from rag_graphs.views.diagram import standalone

Format = Literal["json", "html", "svg", "png"]
FORMATS: dict[Format, str] = {
    "json": "application/json",
    "html": "text/html",
    "svg": "image/svg+xml",
    "png": "image/png",
}
"""What can be exported, with its media type."""

__all__ = ["FORMATS", "Format", "as_html", "as_json", "as_png", "as_svg", "export_diagram", "export_run", "file_name"]


def export_run(trace: Trace, form: Format) -> bytes:
    """Return a run in one of the formats, as the bytes of a file. Raises TraceError where a picture is wanted of a strategy
    that is not known here."""
    if form == "json":
        return as_json(trace)
    if form == "png":
        return as_png(trace)
    text = as_html(trace) if form == "html" else as_svg(trace)
    return text.encode("utf-8", "replace")


def export_diagram(strategy: Strategy, settings: Settings) -> str:
    """Return a strategy's diagram, before any run, as an SVG document with its own colours."""
    return standalone(strategy, settings)


def as_json(trace: Trace) -> bytes:
    """Return the trace as a file that this program opens on any machine."""
    return (json.dumps(trace.to_json(), ensure_ascii=False, indent=1) + "\n").encode("utf-8", "replace")


def file_name(trace: Trace, form: Format) -> str:
    """Return a name for the file, of letters, digits and hyphens alone: strategy, question, date."""
    parts = (trace.head.strategy, trace.head.question[:60], trace.head.started[:10])
    plain = "-".join(re.sub(r"[^a-z0-9]+", "-", part.lower()).strip("-") for part in parts)
    return f"{re.sub('-+', '-', plain).strip('-')[:100] or 'run'}.{form}"
