"""Draw what comes from outside: one escape for HTML, one for Markdown, one check for addresses.

Questions, answers, documents, titles and messages are untrusted. Nothing of them may become a tag, a link with a script
behind it, or an image that a browser would fetch.
"""

from __future__ import annotations

import html
import re
from urllib.parse import urlsplit

from rag_graphs.language.control_characters import unsteered

SPECIAL = re.compile(r"([\\`*_{}\[\]()<>#+\-.!|~$:&])")
_SHAPES = {
    "yes": "M3.5 8.5l3 3 6-7",
    "no": "M4 4l8 8M12 4l-8 8",
    "part": "M3.5 8h9",
    "unclear": "M5.6 6a2.4 2.4 0 1 1 3.3 2.2c-.6.3-.9.7-.9 1.5M8 12.2v.1",
    "busy": "M4.5 2.5h7M4.5 13.5h7M5.5 2.5v2.2L8 8l2.5-3.3V2.5M5.5 13.5v-2.2L8 8l2.5 3.3v2.2",
    "waiting": "M8 2.2a5.8 5.8 0 1 1 0 11.6a5.8 5.8 0 0 1 0-11.6M8 4.8V8l2.2 1.4",
    "web": "M8 2.2a5.8 5.8 0 1 1 0 11.6a5.8 5.8 0 0 1 0-11.6M2.4 8h11.2M8 2.2c-3.4 3.4-3.4 8.2 0 11.6c3.4-3.4 3.4-8.2 0-11.6",
    "plain": "M4.5 2.5h4.2l2.8 2.8v8.2h-7zM8.5 2.5v3h3",
    "new": "M8 3v10M3 8h10",
    "more": "M4 6.2l4 4 4-4",
    "stop": "M8 2.2a5.8 5.8 0 1 1 0 11.6a5.8 5.8 0 0 1 0-11.6M6 6h4v4H6z",
}
"""Small pictures drawn by ourselves: nothing is fetched for them."""


def text(value: object, limit: int = 0) -> str:
    """Return `value` as HTML text on one line, cut to `limit` characters when a limit is given.

    Line ends become `<br>`: a blank line would end the HTML block, and Markdown would begin. Colons are written as
    entities, because Streamlit looks for icon codes in the raw text.
    """
    plain = unsteered(str(value)).strip()
    if limit and len(plain) > limit:
        plain = plain[: limit - 1].rstrip() + "…"
    escaped = html.escape(plain, quote=True).replace(":", "&#58;")
    return re.sub(r"\r\n?|\n|\u2028|\u2029", "<br>", escaped)


def attribute(value: object) -> str:
    """Return `value` for the inside of a quoted attribute."""
    return text(value).replace("<br>", " ")


def markdown(value: object) -> str:
    """Return `value` for a label or a message that Streamlit reads as Markdown: shown as it is written, on one line."""
    plain = " ".join(unsteered(str(value)).split())
    # a backslash before "!" can be bypassed (measured); a zero-width space cannot
    return SPECIAL.sub(r"\\\1", plain.replace("![", "!\u200b[").replace("<", "\u2039").replace(">", "\u203a"))


def safe_address(address: str) -> str:
    """Return the address if it is one of the web, else nothing: no script, no data, no file."""
    try:
        parts = urlsplit(address.strip())
    except ValueError:
        return ""
    return address.strip() if parts.scheme in ("http", "https") and parts.netloc else ""


def link(address: str, label: str, *, classes: str = "") -> str:
    """Return a link to a page of the web in a new tab; plain text where the address is none."""
    style = f' class="{classes}"' if classes else ""
    if not (safe := safe_address(address)):
        return f"<span{style}>{text(label)}</span>"
    return f'<a{style} href="{attribute(safe)}" target="_blank" rel="noopener noreferrer">{text(label)}</a>'


def icon(name: str) -> str:
    """Return the icon's markup. It is decoration: a word always stands beside it."""
    return f'<svg class="ic" viewBox="0 0 16 16" width="16" height="16" aria-hidden="true"><path d="{_SHAPES[name]}"/></svg>'


def verdict(kind: str, words: str, *, tip: str = "") -> str:
    """Return a badge: an icon, the words and a colour. `kind` is yes, no, unclear, web, busy, waiting or plain."""
    title = f' title="{attribute(tip)}"' if tip else ""
    return f'<span class="vd {kind}"{title}>{icon(kind)}{text(words)}</span>'


def heading(title: str, detail: str = "") -> str:
    """Return the heading of a panel, with a few words about its content on the same line."""
    more = f' <span class="m">\u00b7 {text(detail)}</span>' if detail else ""
    return f'<h3 class="ph">{text(title)}{more}</h3>'


def empty(message: str) -> str:
    """Return what a panel says while there is nothing to show in it."""
    return f'<p class="wait">{text(message)}</p>'
