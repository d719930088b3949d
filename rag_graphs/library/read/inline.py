"""Converting inline HTML to text: code in backticks, links and emphasis as plain text, without permalink signs at headings."""

from __future__ import annotations

import re
from collections.abc import Iterator

from rag_graphs.library.read.page import Element, text_of

LINE_BREAK = "\v"  # stands for <br> until a paragraph is written; source line breaks are only spaces
MAX_DEPTH = 100  # beyond it the text alone is kept

_CODE = frozenset(("code", "tt", "samp", "kbd"))
_PERMALINKS = frozenset(["¶", "#", "§", "🔗"])


def inline(element: Element, depth: int = 0) -> str:
    """Return the text of an inline element and all inside it, without its tail."""
    if not isinstance(element.tag, str):
        return ""
    if element.tag == "br":
        return LINE_BREAK
    if depth > MAX_DEPTH:
        return text_of(element)
    if element.tag in _CODE:
        code = one_line("".join(element.itertext()))
        return f"`{code}`" if code and "`" not in code else code
    text = "".join(_parts(element, depth))
    return f"“{text}”" if element.tag == "q" else text


def one_line(text: str) -> str:
    """Collapse all white space of a text, line breaks included."""
    return " ".join(text.split())


def paragraph(text: str) -> str:
    """Return inline text as a Markdown paragraph, with line breaks for its <br>."""
    lines = (one_line(line) for line in text.split(LINE_BREAK))
    return re.sub(r"^(#{1,6} |```)", r"\\\1", "\n".join(line for line in lines if line))


def _parts(element: Element, depth: int) -> Iterator[str]:
    yield element.text or ""
    for child in element:
        if not (child.tag == "a" and not len(child) and (child.text or "").strip() in _PERMALINKS):
            yield inline(child, depth + 1)
        yield child.tail or ""
