"""Web searches as plain functions: the bundled sample web, Tavily, DuckDuckGo, or none.

A search returns one Document a hit and raises SearchUnavailable, with a sentence of its own, for whatever goes wrong at
the service. What comes back is untrusted: addresses are http(s) only, texts are bounded and free of control characters.
"""

from __future__ import annotations

import re
from hashlib import sha256
from typing import Any, NoReturn
from urllib.parse import urlsplit

from rag_graphs.errors import SearchUnavailable, SetupError
from rag_graphs.graphs.components import SearchWeb
from rag_graphs.graphs.state import Document
from rag_graphs.language.clean_text import clean_query, shorten
from rag_graphs.language.control_characters import unsteered
from rag_graphs.settings import Settings

__all__ = ["build_search", "clean_query", "shorten"]

MAX_TEXT = 2_000
MAX_TITLE = 200
MAX_ADDRESS = 2_000
MAX_SECONDS = 30.0
"""A search that takes longer than this is given up, even where models may take longer."""


def build_search(settings: Settings) -> SearchWeb:
    """The search that the settings name. Raises SetupError, before any call, when its key is missing."""
    makers = {"sample": _sample, "tavily": _tavily, "duckduckgo": _duckduckgo, "off": _off}
    search = makers[settings.web](settings)

    def cleaned(query: str) -> list[Document]:
        text = clean_query(query)
        return search(text) if text else []

    return cleaned


def hit(address: str, title: str, text: str, *, heading: str = "", score: float | None = None) -> Document:
    """A search hit as a document; its id is made from its content, so the same hit is the same document."""
    digest = sha256(f"{address}\n{text}".encode("utf-8", "replace")).hexdigest()[:16]
    return Document(
        id=f"web-{digest}", text=text, source=address, title=title, heading=heading, origin="web", score=score
    )


def _off(_: Settings) -> SearchWeb:
    def search(query: str) -> list[Document]:
        raise SearchUnavailable(
            "Web search is switched off. Choose the sample web, DuckDuckGo or Tavily in the settings to use it.",
            service="web search",
            kind="off",
        )

    return search


def _sample(settings: Settings) -> SearchWeb:
    from rag_graphs.engines.sample_web import search_pages

    return lambda query: [
        hit(found.address, found.title, found.text, heading=found.heading, score=found.score)
        for found in search_pages(query, settings.web_results)
    ]


def _tavily(settings: Settings) -> SearchWeb:
    key = settings.tavily_api_key.get_secret_value().strip() if settings.tavily_api_key else ""
    if not key:  # without one the client would fall back to a keyless mode that nobody asked for
        raise SetupError(
            "Web search is set to Tavily, but there is no Tavily key. Enter one in the settings or set TAVILY_API_KEY, "
            "or choose another web search.",
            kind="no key",
        )
    if not key.isascii() or not key.isprintable() or " " in key:
        raise SetupError("The Tavily key holds a space, a line break or a letter that no key has. Enter it again.")

    def search(query: str) -> list[Document]:
        from tavily import TavilyClient

        try:
            with TavilyClient(key, api_base_url=settings.tavily_base_url.rstrip("/") or None) as client:
                reply = client.search(
                    query, max_results=settings.web_results, timeout=min(settings.timeout, MAX_SECONDS)
                )
        except Exception as error:  # noqa: BLE001 - the client lets errors of several libraries through
            _fail("Tavily", *_tavily_problem(error))
        results = reply.get("results") if isinstance(reply, dict) else reply
        return _documents("Tavily", results, settings.web_results)

    return search


def _duckduckgo(settings: Settings) -> SearchWeb:
    def search(query: str) -> list[Document]:
        from ddgs import DDGS

        try:
            with DDGS(timeout=max(1, int(min(settings.timeout, MAX_SECONDS)))) as client:
                results = client.text(query, max_results=settings.web_results, backend="duckduckgo", region="wt-wt")
        except Exception as error:  # noqa: BLE001 - the client lets errors of its engines through
            _fail("DuckDuckGo", *_duckduckgo_problem(error))
        return _documents("DuckDuckGo", results, settings.web_results)

    return search


def _documents(service: str, results: object, limit: int) -> list[Document]:
    """Documents from a service's results; an error text in their place becomes SearchUnavailable."""
    if not isinstance(results, list):
        _fail(service, "unusable reply", "sent a reply that is not a list of results. Try again later.")
    found = [document for result in results if isinstance(result, dict) and (document := _document(result))]
    if results and not found:
        _fail(service, "unusable reply", "sent results without an address and a text. Try again later.")
    return found[:limit]


def _document(result: dict[str, Any]) -> Document | None:
    address = _text(result.get("url") or result.get("href"), MAX_ADDRESS + 1)
    text = _text(result.get("content") or result.get("body"), MAX_TEXT)
    if not text or len(address) > MAX_ADDRESS or not _is_web_address(address):
        return None
    score = result.get("score")
    known = isinstance(score, (int, float)) and not isinstance(score, bool) and 0 <= score <= 1
    title = " ".join(_text(result.get("title"), MAX_TITLE).split()) or urlsplit(address).netloc
    return hit(address, title, text, score=float(score) if known else None)  # type: ignore[arg-type]


def _is_web_address(address: str) -> bool:
    try:
        parts = urlsplit(address)
    except ValueError:
        return False
    return parts.scheme in ("http", "https") and bool(parts.hostname) and not re.search(r"\s", address)


def _text(value: object, limit: int) -> str:
    return shorten(unsteered(value), limit) if isinstance(value, str) else ""


def _fail(service: str, kind: str, what: str) -> NoReturn:
    """Raise SearchUnavailable. The cause is left out: a client's exception may quote the request, key included."""
    raise SearchUnavailable(f"{service} {what}", service=service, kind=kind) from None


def _tavily_problem(error: Exception) -> tuple[str, str]:
    """The kind of a failure and what Tavily did, in words."""
    import requests
    from tavily import errors as tavily

    kinds: list[tuple[type[Exception], str, str]] = [
        (tavily.InvalidAPIKeyError, "wrong key", "refused the key. Check the Tavily key in the settings."),
        (tavily.ForbiddenError, "no quota", "refused the search: the key's plan or pay-as-you-go limit is reached, or "
         "the key may not search. Check the plan at tavily.com or choose another web search."),
        (tavily.UsageLimitExceededError, "rate limit", "refused the search: too many requests in a short time. Wait a "
         "minute and try again."),
        (tavily.BadRequestError, "bad request", "did not accept the search. Try a shorter or simpler question."),
        (tavily.TimeoutError, "time-out", "did not answer in time. Try again, or allow more seconds in the settings."),
        (requests.HTTPError, "server error", "answered with an error of its own. Try again later."),
        (requests.JSONDecodeError, "unusable reply", "sent a reply that is not JSON. Check the Tavily address in the "
         "settings, or try again later."),
        (requests.RequestException, "refused connection", "cannot be reached. Check the network connection and the "
         "Tavily address in the settings."),
    ]  # fmt: skip
    for kind, name, what in kinds:
        if isinstance(error, kind):
            return name, what
    return "unusable reply", f"sent a reply that its client cannot read ({type(error).__name__}). Try again later."


def _duckduckgo_problem(error: Exception) -> tuple[str, str]:
    """The kind of a failure and what DuckDuckGo did, in words."""
    from ddgs.exceptions import DDGSException, RatelimitException, TimeoutException

    if isinstance(error, RatelimitException):
        return "rate limit", "refused the search: too many requests in a short time. Wait a minute and try again."
    if isinstance(error, TimeoutException):
        return "time-out", "did not answer in time. Try again, or allow more seconds in the settings."
    if "No results found" in str(error):
        return "no results", (
            "returned no results. It also does so when it refuses automated searches: wait a minute and try again, or "
            "choose another web search."
        )
    if isinstance(error, (DDGSException, OSError)):
        return "refused connection", "cannot be reached. Check the network connection, or choose another web search."
    return "unusable reply", f"sent a page that its client cannot read ({type(error).__name__}). Try again later."
