"""The built-in router: a quick look into the library tells whether the question is on its subjects."""

from __future__ import annotations

from rag_graphs.builtin.lexical import terms
from rag_graphs.builtin.text import detect_language
from rag_graphs.component_types import GradeRelevance, Retrieve
from rag_graphs.state import Route, Turn


def route(
    question: str, history: list[Turn], *, empty: bool, web: bool, retrieve: Retrieve, grade: GradeRelevance
) -> Route:
    """The library if anything in it is on the question's subject, else the web; the reason names what was nearest."""
    if not web:
        return Route(target="vectorstore", reason="Web search is off, so the library is the only place to look.")
    if empty:
        return Route(target="web search", reason="No source is loaded, so the library is empty.", score=0.0)
    asked = _alone(question, history)
    documents = retrieve(asked)
    grades = [(g.score or 0.0, documents[i].title, g) for i, g in grade(asked, documents)]
    if not grades:
        return Route(target="web search", reason="The library has nothing to compare the question with.", score=0.0)
    score, title, best = max(grades, key=lambda entry: entry[0])
    if best.passed:
        reason = f"The library is on this subject. Nearest is “{title}”: {best.reason}"
        return Route(target="vectorstore", reason=reason, score=score)
    reason = f"Nothing in the library is on this subject. Nearest is “{title}”: {best.reason}"
    return Route(target="web search", reason=reason, score=score)


def _alone(question: str, history: list[Turn]) -> str:
    """A follow-up such as "and why?" says too little to be routed by; the question before it says the rest."""
    if len(terms(question)) >= 2 or not history:
        return question
    before = history[-1].question
    return f"{before} {question}" if detect_language(before) else question
