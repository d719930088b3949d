"""Judgements: of documents, of answers, and of where a question goes."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from typing import Any, Literal

from rag_graphs.export.script.parts.chat_model import Messages, ask_for_json, filled, json_of, shown, side_by_side
from rag_graphs.export.script.parts.choosing import choose
from rag_graphs.export.script.parts.given import DESCRIPTION
from rag_graphs.graphs.state import Complexity, Decision, Document, Grade, Level, Route

Aspect = Literal["relevance", "groundedness", "usefulness"]
PASSED = {"relevance": "relevant", "groundedness": "grounded", "usefulness": "useful"}


@cache
def judged(aspect: Aspect, messages: Messages) -> Grade:
    """Grade by yes or no; what cannot be read is unclear. Another query may find the same again: it is asked once."""
    choice = choose(messages, "score", ("yes", "no"))
    if not choice.word:
        return Grade(aspect=aspect, passed=None, label="unclear", error=choice.error)
    passed = choice.word == "yes"
    label = PASSED[aspect] if passed else f"not {PASSED[aspect]}"
    return Grade(aspect=aspect, passed=passed, label=label, score=choice.chance_of_yes, reason=choice.reason)


def judge_relevance(question: str, documents: list[Document]) -> Iterator[tuple[int, Grade]]:
    """Is each document relevant to the question?"""
    prompts = [filled("grade_relevance", question=question, document=shown([document])) for document in documents]
    yield from side_by_side(lambda messages: judged("relevance", messages), prompts)


def judge_answer(question: str, documents: list[Document], answer: str) -> Iterator[Grade]:
    """Does an answer rest on the documents, and does it answer the question?"""
    prompts = {
        "groundedness": filled("grade_groundedness", question=question, answer=answer, documents=shown(documents)),
        "usefulness": filled("grade_usefulness", question=question, answer=answer),
    }
    for _, grade in side_by_side(lambda aspect: judged(aspect, prompts[aspect]), list(prompts)):
        yield grade


def decide_to_retrieve(question: str, attempt: str) -> Decision:
    """Are documents needed? Judged from the question, or from an attempt to answer it."""
    prompt = "decide_retrieval_attempt" if attempt else "decide_retrieval"
    choice = choose(filled(prompt, question=question, answer=attempt), "score", ("yes", "no"))
    retrieve, probability = choice.word != "no", choice.chance_of_yes
    return Decision(retrieve=retrieve, probability=probability, reason=choice.reason, error=choice.error)


def choose_route(question: str) -> Route:
    """Does a question go to the library or to the web?"""
    return routed("route", question, ("vectorstore", "web_search"))


def choose_of_three_routes(question: str) -> Route:
    """Does a question go to the library, to the web, or to no search at all?"""
    return routed("route_three", question, ("vectorstore", "web_search", "no_retrieval"))


def routed(prompt: str, question: str, routes: tuple[str, ...]) -> Route:
    """Ask for a route. One that cannot be read goes to the library."""
    choice = choose(filled(prompt, description=DESCRIPTION, question=question), "route", routes)
    target: Any = (choice.word or "vectorstore").replace("_", " ")
    return Route(target=target, reason=choice.reason, error=choice.error)


def classify_question(question: str) -> Complexity:
    """Does a question need no search (A), one (B), or one after the other (C)?"""
    levels: dict[str, Level] = {"A": "A", "B": "B", "C": "C"}
    choice = choose(filled("route_complexity", question=question), "complexity", list(levels))
    return Complexity(label=levels.get(choice.word, "B"), reason=choice.reason, error=choice.error)


def score_documents(question: str, documents: list[Document]) -> Iterator[tuple[int, Grade]]:
    """Score each document's relevance from 0 to 1."""

    def scored(document: Document) -> Grade:
        messages = filled("evaluate_retrieval", question=question, document=shown([document]))
        text = ask_for_json("grade", messages, score={"type": "number"}, reason={"type": "string"}).text
        values = json_of(text)
        score, reason = share(values.get("score", text)), str(values.get("reason", ""))
        error = "The model gave no score that can be read." if score is None else ""
        return Grade(aspect="relevance", passed=None, label="unclear", score=score, reason=reason, error=error)

    yield from side_by_side(scored, documents)


def score_strips(question: str, strips: list[list[str]]) -> Iterator[tuple[int, list[float | None]]]:
    """Score each strip of each document from 0 to 1."""

    def scored(texts: list[str]) -> list[float | None]:
        numbers = [str(number) for number in range(1, len(texts) + 1)]
        strips_shown = shown([Document(id="", text=text, source="") for text in texts])
        messages = filled("score_strips", question=question, strips=strips_shown)
        values = json_of(ask_for_json("grade", messages, **{key: {"type": "number"} for key in numbers}).text)
        return [share(values.get(number)) for number in numbers]

    yield from side_by_side(scored, strips)


def share(value: object) -> float | None:
    """Read a number from 0 to 1, also written as 7/10 or 70 %; None for anything else."""
    number = re.search(r"(-?\d+(?:[.,]\d+)?)\s*(?:(%)|(?:/|out of)\s*([1-9]\d*))?", str(value))
    if not number:
        return None
    score = float(number[1].replace(",", ".")) / (100 if number[2] else float(number[3] or 1))
    return score if 0 <= score <= 1 else None


def split_into_strips(text: str) -> list[tuple[int, int]]:
    """Cut a text into strips of two or three sentences; return where each starts and ends."""
    ends = [found.end() for found in re.finditer(r"[.!?](?=\s)|[。!?]|\n\s*\n", text)]
    sentences = [(a, b) for a, b in zip([0, *ends], [*ends, len(text)], strict=True) if text[a:b].strip()]
    if len(sentences) <= 2:
        return [(0, len(text))] if text.strip() else []
    strips = [sentences[i : i + 3] for i in range(0, len(sentences), 3)]
    if len(strips[-1]) == 1:  # two and two, rather than three and one
        strips[-2:] = [strips[-2][:-1], [strips[-2][-1], *strips[-1]]]
    return [(strip[0][0], strip[-1][1]) for strip in strips]
