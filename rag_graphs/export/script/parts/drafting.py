"""Self-RAG's drafts: from each document alone an answer and three judgements of it, in one reply."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Sequence
from functools import partial

from rag_graphs.engines.llm.replies import citations
from rag_graphs.export.script.parts.asking import Reply, ask, filled, side_by_side
from rag_graphs.export.script.parts.given import SETTINGS
from rag_graphs.export.script.parts.judging import Aspect, shown
from rag_graphs.export.script.parts.reading import chances, chosen_word, fields_of, schema_of
from rag_graphs.graphs.critique_scores import USEFUL_FROM
from rag_graphs.graphs.state import Document, Grade, JudgedDraft

RELEVANT = {"relevant": "relevant", "irrelevant": "irrelevant"}
SUPPORTED = {"fully": "fully supported", "partially": "partially supported", "no": "no support"}
USEFUL = {level: level for level in "54321"}
DRAFT = schema_of(
    draft={"type": "string"},
    relevant={"type": "string", "enum": list(RELEVANT)},
    supported={"type": "string", "enum": list(SUPPORTED)},
    useful={"type": "integer", "enum": [1, 2, 3, 4, 5]},
)


def draft_from_each(question: str, documents: list[Document]) -> Iterator[tuple[int, JudgedDraft]]:
    """A judged draft from each document, side by side."""
    yield from side_by_side([partial(_drafted, question, document) for document in documents])


def _drafted(question: str, document: Document) -> JudgedDraft:
    prompt = filled("draft", question=question, document=shown([document]), sentences=SETTINGS.max_sentences)
    reply = ask("generate", prompt, DRAFT)
    if "draft" not in fields_of(reply.text):
        again = "\n\nAn earlier reply could not be read. Reply with the JSON object alone, all four keys in it."
        reply = ask("generate", prompt._replace(user=prompt.user + again), DRAFT)
    useful = [level for level in USEFUL if int(level) >= USEFUL_FROM]
    return JudgedDraft(
        document=document,
        text=citations(str(fields_of(reply.text).get("draft", ""))).strip(),
        relevance=_judged(reply, "relevance", "relevant", RELEVANT, ["relevant"]),
        support=_judged(reply, "groundedness", "supported", SUPPORTED, ["fully"]),
        use=_judged(reply, "usefulness", "useful", USEFUL, useful),
        likelihood=_likelihood(reply),
    )


def _judged(reply: Reply, aspect: Aspect, key: str, scale: dict[str, str], passing: Sequence[str]) -> Grade:
    found = fields_of(reply.text)
    word = chosen_word(reply.text, key, list(scale)) if key in found else ""
    if not word:
        return Grade(aspect=aspect, passed=None, label="unclear", error=f"The model did not say “{key}”.")
    told = {scale[level]: chance for level, chance in chances(reply, key, list(scale)).items()}
    return Grade(aspect=aspect, passed=word in passing, label=scale[word], probabilities=told)


def _likelihood(reply: Reply) -> float | None:
    """The geometric mean of the probabilities of the draft's tokens; None where the server told none."""
    text = "".join(str(token["token"]) for token in reply.tokens)
    value = re.search(r'"draft"\s*:\s*"((?:[^"\\]|\\.)*)"', text)
    logs, end = list[float](), 0
    for token in reply.tokens:
        start, end = end, end + len(str(token["token"]))
        if value and start < value.end(1) and end > value.start(1):
            logs.append(float(token["logprob"]))
    return math.exp(math.fsum(logs) / len(logs)) if logs else None
