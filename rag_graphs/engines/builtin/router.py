"""The built-in router: a quick look into the library tells whether the question is on its subjects."""

from __future__ import annotations

from rag_graphs.engines.builtin.direct import sourceless
from rag_graphs.graphs.components import GradeRelevance, Retrieve, RouteQuestion
from rag_graphs.graphs.state import Route


def route(question: str, *, empty: bool, web: bool, retrieve: Retrieve, grade: GradeRelevance) -> Route:
    """The library if anything in it is on the question's subject, else the web; the reason names what was nearest."""
    if not web:
        return Route(target="vectorstore", reason="Web search is off, so the library is the only place to look.")
    if empty:
        return Route(target="web search", reason="No source is loaded, so the library is empty.", score=0.0)
    documents = retrieve(question)
    grades = [(g.score or 0.0, documents[i].title, g) for i, g in grade(question, documents)]
    if not grades:
        return Route(target="web search", reason="The library has nothing to compare the question with.", score=0.0)
    score, title, best = max(grades, key=lambda entry: entry[0])
    if best.passed:
        reason = f"The library is on this subject. Nearest is “{title}”: {best.reason}"
        return Route(target="vectorstore", reason=reason, score=score)
    reason = f"Nothing in the library is on this subject. Nearest is “{title}”: {best.reason}"
    return Route(target="web search", reason=reason, score=score)


def route_direct(question: str, route: RouteQuestion) -> Route:
    """No retrieval for what needs no source, else as `route`."""
    direct = sourceless(question)
    return Route(target="no retrieval", reason=direct.reason) if direct else route(question)
