"""Converting tables to Markdown."""

from __future__ import annotations

from rag_graphs.library.read.inline import inline, one_line
from rag_graphs.library.read.page import Element

_NO_CELL = ".//table|.//pre|.//h1|.//h2|.//h3|.//h4|.//dl"


def to_table(table: Element) -> str:
    """Return a Markdown table, or "" if the table only serves as a layout: a single row or column, or other blocks inside."""
    if table.xpath(_NO_CELL):
        return ""
    rendered = markdown_table([[_cell(c) for c in row if c.tag in ("td", "th")] for row in table.iter("tr")])
    caption = next((one_line(inline(c)) for c in table.iter("caption")), "")
    return f"{caption}:\n\n{rendered}" if caption and rendered else rendered


def markdown_table(rows: list[list[str]]) -> str:
    """Return rows of cells as a Markdown table, the first row as its head; "" for a single row or column."""
    rows = [row for row in rows if any(row)]
    width = max((len(row) for row in rows), default=0)
    if width < 2 or len(rows) < 2:
        return ""
    lines = ["| " + " | ".join(row + [""] * (width - len(row))) + " |" for row in rows]
    return "\n".join([lines[0], "|" + " --- |" * width, *lines[1:]])


def _cell(cell: Element) -> str:
    parts = [cell.text or ""]
    for child in cell:
        parts += [" ", inline(child), " "] if child.tag in ("p", "div", "li", "ul", "ol") else [inline(child)]
        parts.append(child.tail or "")
    return one_line("".join(parts)).replace("|", "\\|")
