"""Self-RAG's drafts on a chat model: from each document alone an answer and three judgements of it, in one reply."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any

from rag_graphs.engines.llm.asked_twice import asked
from rag_graphs.engines.llm.chat import Chat
from rag_graphs.engines.llm.fields import Value, named
from rag_graphs.engines.llm.graders import unclear, unreadable
from rag_graphs.engines.llm.judgements import RELEVANT, SUPPORTED, USEFUL, Judgement, alone, beside
from rag_graphs.engines.llm.replies import citations, without_fence, without_thinking
from rag_graphs.engines.llm.scales import likelihood
from rag_graphs.engines.llm.side_by_side import Once, settled
from rag_graphs.engines.llm.writers import LONGEST_ANSWER
from rag_graphs.engines.prompts import numbered, render
from rag_graphs.graphs.state import Document, Grade, JudgedDraft
from rag_graphs.language.clean_text import shorten
from rag_graphs.settings import Settings

DRAFT: dict[str, Any] = {
    "type": "object",
    "properties": {
        "draft": {"type": "string"},
        "relevant": {"type": "string", "enum": ["relevant", "irrelevant"]},
        "supported": {"type": "string", "enum": ["fully", "partially", "no"]},
        "useful": {"type": "integer", "enum": [1, 2, 3, 4, 5]},
    },
    "required": ["draft", "relevant", "supported", "useful"],
    "additionalProperties": False,
}
WANTED = "Reply with the JSON object and nothing else, all four keys in it."
TEXT = ("draft", "answer")
JUDGED = (*RELEVANT.keys, *SUPPORTED.keys, *USEFUL.keys)


class Drafter:
    """The drafts of one run. Identical requests are asked once."""

    def __init__(self, chat: Chat, judge: Chat, settings: Settings) -> None:
        """`judge` is asked for a judgement that cannot be read beside its draft."""
        self._chat, self._judge, self._settings = chat, judge, settings
        self._once: Once[JudgedDraft] = Once()

    def draft(self, question: str, documents: list[Document]) -> Iterator[tuple[int, JudgedDraft]]:
        """A judged draft from each document alone, side by side. One that failed at the service is unclear and says why; where
        all failed, ServiceError is raised."""
        calls = [partial(self._drafted, question, document) for document in documents]
        yield from settled(calls, lambda index, error: _none(documents[index], str(error)))

    def _drafted(self, question: str, document: Document) -> JudgedDraft:
        shown = numbered([(document.title, document.text)])
        key = (question, shown)
        return replace(self._once(key, lambda: self._ask(question, shown, document)), document=document)

    def _ask(self, question: str, shown: str, document: Document) -> JudgedDraft:
        values = {"question": question, "document": shown, "sentences": self._settings.max_sentences}
        prompt = render("draft", self._settings.prompts, **values)
        said, reply = asked(self._chat, "draft", prompt, DRAFT, WANTED, read_draft)
        if said is None:
            return _none(document, unreadable("wrote no draft", reply.text))
        judged = [
            beside(judgement, said.judgements, reply) or self._alone(judgement, question, shown, said.text)
            for judgement in (RELEVANT, SUPPORTED, USEFUL)
        ]
        probable = likelihood(reply.tokens, said.key) if said.key and said.text else None
        relevance, support, use = judged
        return JudgedDraft(
            document=document, text=said.text, relevance=relevance, support=support, use=use, likelihood=probable
        )

    def _alone(self, judgement: Judgement, question: str, shown: str, text: str) -> Grade:
        if judgement is not RELEVANT and not text:
            return unclear(judgement.scale.aspect, "There is no draft to judge.")
        values = {"question": question, "document": shown, "documents": shown, "answer": text}
        return alone(judgement, self._judge, render(judgement.prompt, self._settings.prompts, **values))


@dataclass(frozen=True)
class Said:
    """What a reply holds: the draft, the key under which it stood ("" where it stood under none), the judgements by key."""

    text: str
    key: str = ""
    judgements: dict[str, Value] = field(default_factory=dict)


def read_draft(reply: str) -> Said | None:
    """The draft and the judgements of a reply: JSON, fenced or cut short; lines; or plain text, which is a draft without
    judgements. None where it holds no draft."""
    text = without_fence(without_thinking(reply))
    said = named(text, (*TEXT, *JUDGED))
    judgements = {key: value for key, value in said.items() if key in JUDGED}
    key = next((k for k in TEXT if k in said), "")
    if key:
        return Said(_cleaned(said[key].text), key, judgements)
    if text.startswith(("{", "[{")):
        return None
    begins = min((text.rfind("\n", 0, value.start) for value in judgements.values()), default=len(text))
    written = _cleaned(text[: max(begins, 0)])
    return Said(written, "", judgements) if written else None


def _cleaned(text: str) -> str:
    """The draft's text, bounded; it had one document, so every citation means that one."""
    plain = "" if text.strip().casefold() in ("null", "none") else text.strip()
    return shorten(re.sub(r"(?:\[\d{1,3}\]\s?)*\[\d{1,3}\]", "[1]", citations(plain)), LONGEST_ANSWER)


def _none(document: Document, error: str) -> JudgedDraft:
    """The place of a draft that could not be had."""
    relevance, support, use = (unclear(j.scale.aspect, error) for j in (RELEVANT, SUPPORTED, USEFUL))
    return JudgedDraft(document=document, text="", relevance=relevance, support=support, use=use)
