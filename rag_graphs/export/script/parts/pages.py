"""The documents that a script carries, and searches of the web."""

from __future__ import annotations

import json
import os
from typing import Any
from urllib.request import Request, urlopen

from rag_graphs.export.script.parts.by_words import ranked_by_words
from rag_graphs.export.script.parts.given import SETTINGS, WEB
from rag_graphs.graphs.state import Document, Origin


class SearchUnavailable(Exception):
    """A web search failed or is switched off; a run notes it and goes on."""


def passages_of(pages: list[dict[str, Any]], origin: Origin) -> list[Document]:
    """Return each passage of these pages as a document."""
    passages = [(page["title"], page["source"], *passage) for page in pages for passage in page["passages"]]
    return [
        Document(id=f"{origin}-{n}", text=text, source=source, title=title, heading=heading, origin=origin)
        for n, (title, source, heading, text) in enumerate(passages)
    ]


def search_tavily_or_samples(query: str) -> list[Document]:
    """Search the web with Tavily where TAVILY_API_KEY is set, else the sample pages at the end of this file."""
    if os.environ.get("TAVILY_API_KEY"):
        return search_tavily(query)
    hits: dict[str, Document] = {}
    for document, share_of_query in ranked_by_words(query, passages_of(WEB, "web")):
        if share_of_query >= 0.4:
            hits.setdefault(document.source, document)
    return list(hits.values())[: SETTINGS.web_results]


def search_tavily(query: str) -> list[Document]:
    """Search the web with Tavily (https://docs.tavily.com)."""
    key = os.environ.get("TAVILY_API_KEY", "").strip()
    if not key:
        raise SearchUnavailable("Web search needs a key of Tavily: set TAVILY_API_KEY.")
    address = os.environ.get("TAVILY_BASE_URL", "https://api.tavily.com").rstrip("/")
    body = json.dumps({"query": query[:400], "max_results": SETTINGS.web_results}).encode()
    headers = {"Authorization": f"Bearer {key}", "Content-Type": "application/json"}
    try:
        with urlopen(Request(f"{address}/search", body, headers), timeout=30) as reply:
            results = json.loads(reply.read(1_000_000))["results"]
        found = [[str(r.get(key) or "")[:2_000] for key in ("url", "title", "content")] for r in results]
    except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
        # the error's own words may quote the request, key included
        raise SearchUnavailable(f"Tavily gave no results ({type(error).__name__}).") from None
    pages = [(url, title[:200], text) for url, title, text in found if text][: SETTINGS.web_results]
    return [
        Document(id=f"{url}\n{text}", text=text, source=url, title=title, origin="web") for url, title, text in pages
    ]


def search_nothing(query: str) -> list[Document]:
    """Say that web search is off."""
    raise SearchUnavailable("Web search was switched off when this script was made.")
