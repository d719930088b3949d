"""Self-RAG's drafts: from each document alone an answer and three judgements of it, in one reply."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from typing import Literal

from rag_graphs.export.script.parts.answering import citations
from rag_graphs.export.script.parts.chat_model import Reply, ask_for_json, filled, json_of, shown, side_by_side
from rag_graphs.export.script.parts.choosing import chances, chosen_word
from rag_graphs.export.script.parts.given import SETTINGS
from rag_graphs.graphs.state import Document, Grade, JudgedDraft

RELEVANT = {"relevant": "relevant", "irrelevant": "irrelevant"}
SUPPORTED = {"fully": "fully supported", "partially": "partially supported", "no": "no support"}
USEFUL = {level: level for level in "54321"}


def draft_from_each(question: str, documents: list[Document]) -> Iterator[tuple[int, JudgedDraft]]:
    """Write and judge an answer from each document alone."""

    def drafted(document: Document) -> JudgedDraft:
        reply = reply_with_draft(question, document)
        return JudgedDraft(
            document=document,
            text=citations(str(json_of(reply.text).get("draft", ""))).strip(),
            relevance=judgement(reply, "relevance", "relevant", RELEVANT, {"relevant"}),
            support=judgement(reply, "groundedness", "supported", SUPPORTED, {"fully"}),
            use=judgement(reply, "usefulness", "useful", USEFUL, {"5", "4"}),
            likelihood=likelihood(reply),
        )

    yield from side_by_side(drafted, documents)


def reply_with_draft(question: str, document: Document) -> Reply:
    """Ask for a draft, twice if need be."""
    messages = filled("draft", question=question, document=shown([document]), sentences=SETTINGS.max_sentences)
    schema = {
        "draft": {"type": "string"},
        "relevant": {"type": "string", "enum": list(RELEVANT)},
        "supported": {"type": "string", "enum": list(SUPPORTED)},
        "useful": {"type": "integer", "enum": [1, 2, 3, 4, 5]},
    }
    reply = ask_for_json("generate", messages, **schema)
    if "draft" in json_of(reply.text):
        return reply
    again = "An earlier reply could not be read. Reply with the JSON object alone, all four keys in it."
    return ask_for_json("generate", (*messages[:-1], (messages[-1][0], f"{messages[-1][1]}\n\n{again}")), **schema)


def judgement(
    reply: Reply,
    aspect: Literal["relevance", "groundedness", "usefulness"],
    key: str,
    scale: dict[str, str],
    passing: set[str],
) -> Grade:
    """Read one judgement of a draft, with the probability of each word of its scale."""
    word = chosen_word(reply.text, key, list(scale)) if key in json_of(reply.text) else ""
    if not word:
        return Grade(aspect=aspect, passed=None, label="unclear", error=f"The model did not say “{key}”.")
    probabilities = {scale[level]: chance for level, chance in chances(reply, key, list(scale)).items()}
    return Grade(aspect=aspect, passed=word in passing, label=scale[word], probabilities=probabilities)


def likelihood(reply: Reply) -> float | None:
    """Return the geometric mean of the probabilities of the draft's tokens, None where the server gives none."""
    text = "".join(str(token["token"]) for token in reply.tokens)
    draft = re.search(r'"draft"\s*:\s*"((?:[^"\\]|\\.)*)"', text)
    logs, end = list[float](), 0
    for token in reply.tokens:
        start, end = end, end + len(str(token["token"]))
        if draft and start < draft.end(1) and end > draft.start(1):
            logs.append(float(token["logprob"]))
    return math.exp(math.fsum(logs) / len(logs)) if logs else None
