"""Write a chunk's text for reading: its headings, code and inline code set as such, everything escaped."""

from __future__ import annotations

import html
import re

from rag_graphs.language.control_characters import unsteered

FENCE = re.compile(r"^[ \t]*```[^\n`]*$\n?", re.MULTILINE)
HEADING = re.compile(r"^#{1,6} +(.+)$\n*", re.MULTILINE)
INLINE = re.compile(r"`([^`\n]+)`")
LINE_END = re.compile(r"\r\n?|\n|\u2028|\u2029")


def readable(chunk: str) -> str:
    """Return a chunk as HTML. A block of code that the splitter cut open ends with the chunk.

    For `st.html` only: the result has line ends and blank lines, which end an HTML block in Markdown.
    """
    parts = FENCE.split(html.escape(unsteered(chunk)))
    return "".join(_code(part) if n % 2 else _prose(part) for n, part in enumerate(parts))


def readable_line(chunk: str) -> str:
    """Return the same on one line, for an HTML block in Markdown. Colons are entities, because Streamlit looks for icon
    codes."""
    made = LINE_END.sub("<br>", readable(chunk.strip())).replace(":", "&#58;")
    # Streamlit draws a component of its own in place of <pre>
    return made.replace("<pre>", '<div class="code">').replace("</pre>", "</div>")


def beginning(chunk: str) -> str:
    """Return the running text of a chunk on one line: without its headings and the marks of code, unless it has nothing
    else."""
    bare = INLINE.sub(r"\1", HEADING.sub("", FENCE.sub("", chunk)))
    return " ".join((bare.strip() or chunk).split())


def _code(part: str) -> str:
    lines = part.rstrip("\n")
    return f"<pre>{lines}</pre>" if lines.strip() else ""


def _prose(part: str) -> str:
    headed = HEADING.sub(r"<b>\1</b>\n", part.strip("\n"))
    return INLINE.sub(r"<code>\1</code>", headed)
