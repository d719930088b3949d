"""The router on a chat model: it chooses between the library, the web and no retrieval, told what the library holds."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping

from rag_graphs.engines.llm.asked_twice import asked
from rag_graphs.engines.llm.chat import Chat
from rag_graphs.engines.llm.graders import excerpt, schema
from rag_graphs.engines.llm.replies import without_fence, without_thinking
from rag_graphs.engines.prompts import render
from rag_graphs.graphs.state import Route, Target
from rag_graphs.settings import Settings

TWO: dict[str, Target] = {"vectorstore": "vectorstore", "web_search": "web search"}
THREE: dict[str, Target] = {"no_retrieval": "no retrieval", **TWO}
"""The names that a prompt gives to the routes."""


class Router:
    """Decides where a question goes, told what the library holds."""

    def __init__(self, chat: Chat, settings: Settings, describe: Callable[[], str]) -> None:
        self._chat, self._settings, self._describe = chat, settings, describe

    def route(self, question: str) -> Route:
        """To the library or to the web. A route that cannot be read, also when asked again, has an `error` and leads to the
        library."""
        return self._route("route", TWO, question)

    def route_direct(self, question: str) -> Route:
        """As `route`, with the third target: nowhere."""
        return self._route("route_three", THREE, question)

    def _route(self, role: str, routes: Mapping[str, Target], question: str) -> Route:
        prompt = render(role, self._settings.prompts, description=self._describe(), question=question)
        wanted = f"Reply with one word and nothing else: {' or '.join(routes)}."

        def read(reply: str) -> tuple[Target, str] | None:
            target, reason = read_route(reply, third="no_retrieval" in routes)
            return (target, reason) if target else None

        found, reply = asked(self._chat, "route", prompt, schema("route", list(routes)), wanted, read)
        if found is None:
            return Route(target="vectorstore", error=f"The model named no route. Its reply: {excerpt(reply.text)}")
        return Route(target=found[0], reason=found[1])


_ROUTES: dict[Target, str] = {
    "no retrieval": r"no[\s_-]?retrieval|no[\s_-](?:search|documents?|sources?|look-?up)\b|nowhere\b|none\b|"
    r"(?:answer[\s_-]?)?directly\b|direct[\s_-]answer",
    "vectorstore": r"vector[\s_-]?(?:store|db|database)|library|collection|local documents|\bdocuments\b",
    "web search": r"web[\s_-]?search|search[\s_-]?(?:the[\s_-])?(?:web|engine|internet)|internet|\bweb\b|websearch",
}


def read_route(text: str, *, third: bool = False) -> tuple[Target | None, str]:
    """The route that a reply names and its reason; None where it names none, or several outside of a JSON field. `third`:
    whether the route to nowhere is one of them."""
    reply = without_fence(without_thinking(text[:20_000]))
    routes = {target: words for target, words in _ROUTES.items() if third or target != "no retrieval"}
    named = re.search(
        r"[\"']?(?:route|datasource|data_source|source|target)[\"']?\s*[:=]\s*[\"']?([\w \-|/]{1,40})",
        reply,
        re.IGNORECASE,
    )
    reason = re.search(r"[\"']reason[\"']\s*:\s*\"((?:[^\"\\]|\\.){0,600})", reply)
    target = _target(named.group(1), routes) if named else None
    target = target or _leading(reply, routes) or _target(reply, routes)
    return target, " ".join((reason.group(1) if reason else "").split())[:300]


def _leading(text: str, routes: Mapping[Target, str]) -> Target | None:
    """The route that a reply begins with, whatever it says about the others afterwards; a list of several is none."""
    several = "|".join(routes.values())
    for target, words in routes.items():
        if found := re.match(rf"\W*(?:{words})", text, re.IGNORECASE):
            listed = re.match(rf"\W*(?:or\W+|and\W+)?(?:{several})", text[found.end() :], re.IGNORECASE)
            return None if listed else target
    return None


def _target(text: str, routes: Mapping[Target, str]) -> Target | None:
    """The only route that a text names; “no documents” names the one to nowhere alone."""
    found: list[Target] = []
    for target, words in routes.items():
        text, count = re.subn(words, " ", text, flags=re.IGNORECASE)
        found += [target] if count else []
    return found[0] if len(found) == 1 else None
