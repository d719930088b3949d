"""A stand-in for Tavily: POST /search, with its errors."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from tests.servers.base import Reply, Request, StandIn

RESULTS = [
    {"title": "Tides", "url": "https://example.org/tides", "content": "The moon pulls the water.", "score": 0.9},
    {"title": "Moon", "url": "https://example.org/moon", "content": "The moon is 384,400 km away.", "score": 0.5},
]


@dataclass
class TavilyServer(StandIn):
    key: str = "tvly-right"
    results: Any = field(default_factory=lambda: list(RESULTS))

    def answer(self, request: Request) -> Reply:
        if request.path != "/search":
            return error(404, "Not Found")
        if request.headers.get("authorization") != f"Bearer {self.key}":
            return error(401, "Unauthorized: missing or invalid API key.")
        query = request.body.get("query", "")
        if not query or len(query) > 400:
            return error(400, "Query is too long. Max query length is 400 characters.")
        results = self.results
        if isinstance(results, list):
            results = results[: request.body.get("max_results", 5)]
        return Reply(200, {"query": query, "answer": None, "images": [], "results": results, "response_time": 0.1})


def error(status: int, text: str) -> Reply:
    """An error in Tavily's form."""
    return Reply(status, {"detail": {"error": text}})
