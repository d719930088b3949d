"""Choosing the title of a PDF or Word document."""

from __future__ import annotations

import re
from collections.abc import Sequence

_FILE = re.compile(r"\.(docx?|dotx?|odt|rtf|pdf|tex|dvi|indd|qxd|pptx?|xlsx?|pages|txt|html?)$", re.IGNORECASE)
_NO_TITLE = re.compile(
    r"(untitled|unbenannt|sin título|sans titre|document|dokument|title|word document|powerpoint presentation|slide|"
    r"presentation|microsoft word)\W*\d*\W*",
    re.IGNORECASE,
)
_STAMP = re.compile(
    r"arxiv:|doi\b|https?:|www\.|preprint|under review|published (as|in|by)|to appear|proceedings of|copyright|©|issn|isbn|"
    r"journal of|vol(ume|\.)|page\b|\d",
    re.IGNORECASE,
)


def sensible(title: str) -> str:
    """Return the title from a document's properties, or "" if it is none, such as a file's name or "Untitled"."""
    title = " ".join(title.split()).removeprefix("Microsoft Word - ").removeprefix("Microsoft PowerPoint - ")
    letters = sum(c.isalpha() for c in title)
    if letters < max(2, 0.4 * len(title)) or _FILE.search(title) or _NO_TITLE.fullmatch(title):
        return ""
    return title


def first_line(lines: Sequence[str]) -> str:
    """Return the first line that can be a title, with the next one if the title goes on there."""
    for n, line in enumerate(lines[:8]):
        if _STAMP.match(line) or sum(c.isalpha() for c in line) < 3:
            continue
        after = lines[n + 1] if n + 1 < len(lines) else ""
        return f"{line} {after}" if after[:1].islower() and not line.endswith(".") else line
    return ""
