"""Join the stylesheet of everything that is drawn here, for a page and for a report."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from rag_graphs.views.diagram import diagram_css, tokens

HERE = Path(__file__).parent
FIRST = "panels.css"


@cache
def stylesheet() -> str:
    """Return the colours, the diagram's style, that of the panels and then the others in this folder."""
    files = sorted(HERE.glob("*.css"), key=lambda file: (file.name != FIRST, file.name))
    return "\n".join([tokens(), diagram_css(), *(file.read_text(encoding="utf-8") for file in files)])
