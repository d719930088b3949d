"""The router on a chat model: it chooses between the library and the web, told what the library holds."""

from __future__ import annotations

import re
from collections.abc import Callable

from rag_graphs.llm.chat import Chat
from rag_graphs.llm.graders import excerpt, schema
from rag_graphs.llm.replies import without_fence, without_thinking
from rag_graphs.prompts import render
from rag_graphs.settings import Settings
from rag_graphs.state import Route, Target

ROUTE = schema("route", ["vectorstore", "web_search"])
ROUTE_AGAIN = "\n\nAn earlier reply could not be read. Reply with one word and nothing else: vectorstore or web_search."


class Router:
    """Decides where a question goes, told what the library holds."""

    def __init__(self, chat: Chat, settings: Settings, describe: Callable[[], str]) -> None:
        self._chat, self._settings, self._describe = chat, settings, describe

    def route(self, question: str) -> Route:
        """The route; one that cannot be read, also when asked again, has an `error` and leads to the library."""
        prompt = render("route", self._settings.prompts, description=self._describe(), question=question)
        reply = self._chat.ask("route", prompt, ROUTE)
        target, reason = read_route(reply.text)
        if target is None:
            reply = self._chat.ask("route", prompt._replace(user=prompt.user + ROUTE_AGAIN))
            target, reason = read_route(reply.text)
        if target is None:
            return Route(target="vectorstore", error=f"The model named no route. Its reply: {excerpt(reply.text)}")
        return Route(target=target, reason=reason)


_ROUTES: dict[Target, str] = {
    "vectorstore": r"vector[\s_-]?(?:store|db|database)|library|collection|local documents|\bdocuments\b",
    "web search": r"web[\s_-]?search|search[\s_-]?(?:the[\s_-])?(?:web|engine|internet)|internet|\bweb\b|websearch",
}


def read_route(text: str) -> tuple[Target | None, str]:
    """The route that a reply names and its reason; None where it names none, or both outside of a JSON field."""
    reply = without_fence(without_thinking(text[:20_000]))
    named = re.search(
        r"[\"']?(?:route|datasource|data_source|source|target)[\"']?\s*[:=]\s*[\"']?([\w \-|/]{1,40})",
        reply,
        re.IGNORECASE,
    )
    reason = re.search(r"[\"']reason[\"']\s*:\s*\"((?:[^\"\\]|\\.){0,600})", reply)
    target = _target(named.group(1)) if named else None
    target = target or _leading(reply) or _target(reply)
    return target, " ".join((reason.group(1) if reason else "").split())[:300]


def _leading(text: str) -> Target | None:
    """The route that a reply begins with, whatever it says about the other one afterwards."""
    return next((t for t, words in _ROUTES.items() if re.match(rf"\W*(?:{words})", text, re.IGNORECASE)), None)


def _target(text: str) -> Target | None:
    found = [target for target, words in _ROUTES.items() if re.search(words, text, re.IGNORECASE)]
    return found[0] if len(found) == 1 else None
