"""Judgements: of documents, of answers, and of where a question goes."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from functools import cache, partial
from typing import Literal

from rag_graphs.engines.prompts import numbered
from rag_graphs.export.script.parts.asking import ask, filled, side_by_side
from rag_graphs.export.script.parts.given import DESCRIPTION, SETTINGS, Prompt
from rag_graphs.export.script.parts.reading import Choice, choose, fields_of, schema_of
from rag_graphs.graphs.state import Complexity, Decision, Document, Grade, Level, Route, Target

LABELS = {
    "relevance": ("relevant", "not relevant"),
    "groundedness": ("grounded", "not grounded"),
    "usefulness": ("useful", "not useful"),
}
SHARE = re.compile(r"(-?\d+(?:[.,]\d+)?)\s*(?:(%)|(?:/|out of)\s*(\d+))?")
Aspect = Literal["relevance", "groundedness", "usefulness"]


def shown(documents: list[Document]) -> str:
    """Documents as prompts show them, numbered from 1."""
    return numbered([(document.title, document.text) for document in documents])


def yes_share(choice: Choice) -> float | None:
    """P(yes) / (P(yes) + P(no)), None where the server told no probabilities."""
    total = sum(choice.chances.values())
    return choice.chances.get("yes", 0.0) / total if total else None


@cache
def verdict_of(aspect: Aspect, prompt: Prompt) -> Grade:
    """A grade by yes or no; one that could not be read is unclear. The same is asked once: another query often finds what the
    one before it had found."""
    choice = choose("grade", prompt, "score", ("yes", "no"))
    if not choice.word:
        return Grade(aspect=aspect, passed=None, label="unclear", error=choice.error)
    label = LABELS[aspect][choice.word == "no"]
    return Grade(aspect=aspect, passed=choice.word == "yes", label=label, score=yes_share(choice), reason=choice.reason)


def judge_relevance(question: str, documents: list[Document]) -> Iterator[tuple[int, Grade]]:
    """A relevance grade for each document, side by side."""
    role = "grade_relevance_strict" if SETTINGS.strictness == "strict" else "grade_relevance"
    prompts = [filled(role, question=question, document=shown([document])) for document in documents]
    yield from side_by_side([partial(verdict_of, "relevance", prompt) for prompt in prompts])


def judge_answer(question: str, documents: list[Document], answer: str) -> Iterator[Grade]:
    """Groundedness and usefulness, side by side."""
    grounded = filled("grade_groundedness", question=question, documents=shown(documents), answer=answer)
    useful = filled("grade_usefulness", question=question, answer=answer)
    calls = [partial(verdict_of, "groundedness", grounded), partial(verdict_of, "usefulness", useful)]
    for _, grade in side_by_side(calls):
        yield grade


def decide_to_retrieve(question: str, attempt: str) -> Decision:
    """Whether documents are needed, from the question or from a first attempt at an answer."""
    role = "decide_retrieval_attempt" if attempt else "decide_retrieval"
    choice = choose("grade", filled(role, question=question, answer=attempt), "score", ("yes", "no"))
    return Decision(
        retrieve=choice.word != "no", probability=yes_share(choice), reason=choice.reason, error=choice.error
    )


def choose_route(question: str) -> Route:
    """The library or the web."""
    return _routed(filled("route", description=DESCRIPTION, question=question), ("vectorstore", "web_search"))


def choose_of_three_routes(question: str) -> Route:
    """The library, the web, or no retrieval at all."""
    prompt = filled("route_three", description=DESCRIPTION, question=question)
    return _routed(prompt, ("no_retrieval", "vectorstore", "web_search"))


def _routed(prompt: Prompt, words: tuple[str, ...]) -> Route:
    targets: dict[str, Target] = {"web_search": "web search", "no_retrieval": "no retrieval"}
    choice = choose("grade", prompt, "route", words)
    return Route(target=targets.get(choice.word, "vectorstore"), reason=choice.reason, error=choice.error)


def classify_question(question: str) -> Complexity:
    """A: no retrieval, B: one search, C: one search after the other."""
    choice = choose("grade", filled("route_complexity", question=question), "complexity", ("A", "B", "C"))
    label: Level = "A" if choice.word == "A" else "C" if choice.word == "C" else "B"
    return Complexity(label=label, reason=choice.reason, error=choice.error)


def score_documents(question: str, documents: list[Document]) -> Iterator[tuple[int, Grade]]:
    """A score from 0 to 1 for each document, side by side."""
    prompts = [filled("evaluate_retrieval", question=question, document=shown([document])) for document in documents]
    yield from side_by_side([partial(_scored, prompt) for prompt in prompts])


def _scored(prompt: Prompt) -> Grade:
    reply = ask("grade", prompt, schema_of(score={"type": "number"}, reason={"type": "string"}))
    found = fields_of(reply.text)
    score = share(found.get("score", reply.text))
    error = "" if score is not None else "The model gave no score that can be read."
    reason = str(found.get("reason", ""))
    return Grade(aspect="relevance", passed=None, label="unclear", score=score, reason=reason, error=error)


def score_all_strips(question: str, strips: list[list[str]]) -> Iterator[tuple[int, list[float | None]]]:
    """The scores of each document's strips, a call for each document, side by side."""
    yield from side_by_side([partial(_strip_scores, question, own) for own in strips])


def _strip_scores(question: str, strips: list[str]) -> list[float | None]:
    numbers = [str(n) for n in range(1, len(strips) + 1)]
    prompt = filled("score_strips", question=question, strips=numbered([("", strip) for strip in strips]))
    found = fields_of(ask("grade", prompt, schema_of(**{n: {"type": "number"} for n in numbers})).text)
    return [share(found.get(n)) for n in numbers]


def share(value: object) -> float | None:
    """A number from 0 to 1, also as 7/10 or 70 %; None for anything else."""
    number = SHARE.search(str(value))
    if not number:
        return None
    whole = 100 if number[2] else float(number[3] or 1)
    found = float(number[1].replace(",", ".")) / whole if whole else math.nan
    return found if 0 <= found <= 1 else None
