"""Two decisions on a chat model that come before any retrieval: whether to retrieve at all, and how much of it is needed."""

from __future__ import annotations

import re
from typing import get_args

from rag_graphs.engines.llm.asked_twice import asked
from rag_graphs.engines.llm.chat import Chat
from rag_graphs.engines.llm.fields import first, named
from rag_graphs.engines.llm.graders import VERDICT, schema, unreadable
from rag_graphs.engines.llm.replies import without_fence, without_thinking
from rag_graphs.engines.llm.verdict_replies import Verdict, read_verdict, yes_probability
from rag_graphs.engines.prompts import render
from rag_graphs.graphs.state import Complexity, Decision, Level
from rag_graphs.settings import Settings

LEVEL = schema("complexity", list(get_args(Level)))
_KEYS = ("complexity", "class", "label", "level", "category", "answer", "score")
_ALONE = re.compile(r"[\s*\"'`(\[]*([ABC])(?:[\s*\"'`)\].]*\Z|[*\"'`)\]]*\s*(?:[:.,;)]|\s[–—-])\s)")
_SEVERAL = re.compile(r"\W*[ABC]\W+(?:(?:or|and)\W+)?[ABC]\b")
_SAID = re.compile(
    r"\b(?i:complexity|class|label|level|category|answer|option)\b\W{0,4}(?:is\s+)?\W{0,3}(A\b(?! [a-z])|[BC]\b)"
)


class Decider:
    """Decides on a question before anything is looked up."""

    def __init__(self, chat: Chat, settings: Settings) -> None:
        self._chat, self._settings = chat, settings

    def decide_retrieval(self, question: str, attempt: str) -> Decision:
        """Whether to retrieve, from the question or from an answer that was tried without documents. `probability` is
        P(yes) / (P(yes) + P(no)) of retrieving, where the server told it (Self-RAG, 3.3). A decision that cannot be read, also
        when asked again, is to retrieve and has an `error`."""
        if attempt:
            role, values = "decide_retrieval_attempt", {"question": question, "answer": attempt}
        else:
            role, values = "decide_retrieval", {"question": question}
        prompt = render(role, self._settings.prompts, **values)
        wanted = "Reply with one word and nothing else: yes or no."
        found, reply = asked(self._chat, "decide_retrieval", prompt, VERDICT, wanted, _verdict)
        if found is None:
            return Decision(retrieve=True, error=unreadable("gave no verdict", reply.text))
        probability = yes_probability(reply.tokens, found.passed)
        return Decision(retrieve=found.passed is True, probability=probability, reason=found.reason)

    def classify(self, question: str) -> Complexity:
        """A, B or C with its reason. A class that cannot be read, also when asked again, is B and has an `error`."""
        prompt = render("route_complexity", self._settings.prompts, question=question)
        wanted = "Reply with one letter and nothing else: A, B or C."
        found, reply = asked(self._chat, "classify_complexity", prompt, LEVEL, wanted, read_complexity)
        if found is None:
            return Complexity(label="B", error=unreadable("named no class", reply.text))
        return Complexity(label=found[0], reason=found[1])


def _verdict(reply: str) -> Verdict | None:
    verdict = read_verdict(reply)
    return None if verdict.passed is None else verdict


def read_complexity(reply: str) -> tuple[Level, str] | None:
    """The class that a reply names and its reason: under a key, at its beginning, or behind a word such as “class”. None where
    it names none or several; an “A” that begins a sentence is no class."""
    text = without_fence(without_thinking(reply[:20_000]))
    said = named(text, (*_KEYS, "reason"))
    value = first(said, _KEYS)
    if value or text.startswith("{"):
        found = _leading(value)
    else:
        found = _leading(text) or set(_SAID.findall(text)) or _leading(text.rpartition("\n")[2])
    reason = " ".join(first(said, ("reason",)).split())[:300]
    return next(((level, reason) for level in get_args(Level) if found == {level}), None)


def _leading(text: str) -> set[str]:
    """The class that a text begins with."""
    found = _ALONE.match(text)
    return {found[1]} if found and not _SEVERAL.match(text) else set()
