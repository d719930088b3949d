"""Web searches: Tavily where there is a key, sample pages, or none."""

from __future__ import annotations

import json
import os
from hashlib import sha256
from typing import Any
from urllib.request import Request, urlopen

from rag_graphs.errors import SearchUnavailable
from rag_graphs.export.script.parts.by_words import ranked_by_words
from rag_graphs.export.script.parts.given import SETTINGS, WEB_PAGES
from rag_graphs.graphs.state import Document
from rag_graphs.language.clean_text import MAX_QUERY

ENOUGH = 0.4
"""Share of the query that a sample page must hold to be a hit."""
MOST = 1_000_000
"""Bytes of a reply that are read at most."""


def search_tavily_or_samples(query: str) -> list[Document]:
    """Tavily where TAVILY_API_KEY is set, else the sample pages at the end of this file."""
    if os.environ.get("TAVILY_API_KEY"):
        return search_tavily(query)
    hits: dict[str, Document] = {}
    for document, share in ranked_by_words(query, WEB_PAGES):
        if share >= ENOUGH:
            hits.setdefault(document.source, document)
    return list(hits.values())[: SETTINGS.web_results]


def search_tavily(query: str) -> list[Document]:
    """A search by Tavily (https://docs.tavily.com). Raises SearchUnavailable."""
    key = os.environ.get("TAVILY_API_KEY", "").strip()
    if not key:
        raise SearchUnavailable("Web search needs a key of Tavily: set TAVILY_API_KEY.")
    address = os.environ.get("TAVILY_BASE_URL", "https://api.tavily.com").rstrip("/")
    body = json.dumps({"query": query[:MAX_QUERY], "max_results": SETTINGS.web_results}).encode()
    headers = {"Authorization": f"Bearer {key}", "Content-Type": "application/json"}
    try:
        with urlopen(Request(f"{address}/search", body, headers), timeout=30) as reply:
            results = json.loads(reply.read(MOST))["results"]
        return [_hit(result) for result in results if result.get("content")][: SETTINGS.web_results]
    except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
        # the error's own words may quote the request, key included
        raise SearchUnavailable(f"Tavily gave no results ({type(error).__name__}).") from None


def search_nothing(query: str) -> list[Document]:
    """Web search is off. Raises SearchUnavailable."""
    raise SearchUnavailable("Web search was switched off when this script was made.")


def _hit(result: dict[str, Any]) -> Document:
    address, text = str(result.get("url", "")), str(result["content"])[:2_000]
    digest = sha256(f"{address}\n{text}".encode("utf-8", "replace")).hexdigest()[:16]
    return Document(
        id=f"web-{digest}", text=text, source=address, title=str(result.get("title", ""))[:200], origin="web"
    )
