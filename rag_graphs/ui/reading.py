"""A chunk's text for reading: its headings, code and inline code set as such, everything escaped.

For `st.html` only: the result has line ends and blank lines, which end an HTML block in Markdown.
"""

from __future__ import annotations

import html
import re

from rag_graphs.steering import unsteered

FENCE = re.compile(r"^[ \t]*```[^\n`]*$\n?", re.MULTILINE)
HEADING = re.compile(r"^#{1,6} +(.+)$\n*", re.MULTILINE)
INLINE = re.compile(r"`([^`\n]+)`")


def readable(chunk: str) -> str:
    """HTML of a chunk. A block of code that the splitter cut open ends with the chunk."""
    parts = FENCE.split(html.escape(unsteered(chunk)))
    return "".join(_code(part) if n % 2 else _prose(part) for n, part in enumerate(parts))


def _code(part: str) -> str:
    lines = part.rstrip("\n")
    return f"<pre>{lines}</pre>" if lines.strip() else ""


def _prose(part: str) -> str:
    headed = HEADING.sub(r"<b>\1</b>\n", part.strip("\n"))
    return INLINE.sub(r"<code>\1</code>", headed)
