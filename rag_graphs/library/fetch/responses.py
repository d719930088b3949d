"""Explaining an HTTP status to the person who gave the address."""

from __future__ import annotations

import http.client

from rag_graphs.errors import SourceError

_KINDS = {
    401: ("login needed", "asks for a login. Use a page that is open to all"),
    403: (
        "forbidden",
        "refuses to show this page to programs. Open it in a browser and paste its text, or use another page",
    ),
    404: ("not found", "has no such page. Check the address"),
    407: ("login needed", "asks for a login at a proxy. Use a page that is open to all"),
    410: ("not found", "says that the page was removed. Use another page"),
    429: ("too many requests", "was asked too often. Wait a minute and try again"),
    451: ("forbidden", "may not show this page for legal reasons. Use another page"),
}


def check_status(reply: http.client.HTTPResponse, host: str) -> None:
    """Raise SourceError unless the reply is the page itself, so that no error page is indexed."""
    status = reply.status
    if reply.getheader("cf-mitigated") == "challenge" or reply.getheader("x-amzn-waf-action"):
        raise SourceError(
            "bot wall", f"{host} asks for proof of a human reader. Open the page in a browser and paste its text."
        )
    if status in _KINDS:
        kind, words = _KINDS[status]
    elif status >= 500:
        kind, words = "server error", "has a fault of its own. Try again later"
    elif status in (204, 205):
        kind, words = "empty page", "sent no content. Use another page"
    elif 200 <= status < 300 and status != 206:
        return
    else:
        kind, words = "refused by the server", "did not give the page. Check the address"
    raise SourceError(kind, f"{host} answered {status}: it {words}.")
