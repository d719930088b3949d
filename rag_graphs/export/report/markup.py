"""Writing HTML from texts that anyone may have written: escaped, without what turns or hides writing, links to the web alone."""

from __future__ import annotations

import html
from urllib.parse import urlsplit

from rag_graphs.language.control_characters import unsteered


def text(value: object, limit: int = 0) -> str:
    """`value` as HTML text, cut to `limit` characters when a limit is given. Line ends stay."""
    plain = unsteered(str(value)).strip()
    if limit and len(plain) > limit:
        plain = plain[: limit - 1].rstrip() + "…"
    return html.escape(plain, quote=True)


def link(address: str, label: str) -> str:
    """A link to a page of the web; plain text where the address is none."""
    try:
        parts = urlsplit(address.strip())
    except ValueError:
        return text(label)
    if parts.scheme not in ("http", "https") or not parts.netloc:
        return text(label)
    return f'<a href="{text(address)}" rel="noopener noreferrer">{text(label)}</a>'


def badge(kind: str, words: str) -> str:
    """A verdict: a sign, the words and a colour. `kind` is yes, no, unclear, web or plain."""
    sign = {"yes": "✓ ", "no": "✕ ", "unclear": "? "}.get(kind, "")
    return f'<span class="badge {kind}">{sign}{text(words, 80)}</span>'


def section(title: str, body: str) -> str:
    """A part of the report under a heading; nothing where there is nothing to show."""
    return f"<section><h2>{text(title)}</h2>{body}</section>" if body else ""


def table(rows: list[tuple[str, str]]) -> str:
    """Two columns, both HTML already."""
    return "<table>" + "".join(f"<tr><th>{a}</th><td>{b}</td></tr>" for a, b in rows) + "</table>" if rows else ""
