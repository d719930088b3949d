"""What came of a node's last visit, in two or three words that fit into its box."""

from __future__ import annotations

from collections.abc import Callable

from rag_graphs.runs.trace import Trace
from rag_graphs.views.diagram.further import FURTHER
from rag_graphs.views.diagram.plan import Words
from rag_graphs.views.diagram.visited import Visited


def results(trace: Trace, _: Words = str) -> dict[str, str]:
    """By node, for each node that was visited and has something to tell."""
    visits: dict[str, Visited] = {}
    found = strips = 0
    for event in trace.events:
        if event.kind == "node_started":
            visits[event.node] = Visited(event.attempt, found, strips, trace.head.settings)
        elif event.kind != "token" and event.node in visits:
            visits[event.node].add(event)
            found = visits[event.node].found if event.kind == "retrieved" else found
            strips = len(event.update.get("strips", ())) or strips if event.kind == "node_finished" else strips
    lines = {node: RESULTS[node](visit, _) for node, visit in visits.items() if node in RESULTS}
    return {node: line for node, line in lines.items() if line}


def _count(n: int, one: str, many: str, none: str) -> str:
    return none if n == 0 else one if n == 1 else many.format(n=n)


def _retrieve(visit: Visited, _: Words) -> str:
    return (
        _count(visit.found, _("1 document"), _("{n} documents"), _("nothing found")) if visit.over else _("searching")
    )


def _search_web(visit: Visited, _: Words) -> str:
    if visit.update is None:
        return _("searching")
    if visit.update.get("search_error"):
        return _("search failed")
    return _count(visit.found, _("1 web page"), _("{n} web pages"), _("nothing found"))


def _grade_documents(visit: Visited, _: Words) -> str:
    if not visit.over:
        return _("{k} of {n} graded").format(k=len(visit.grades), n=visit.found)
    return _("{k} of {n} relevant").format(k=sum(p is True for p in visit.grades.values()), n=visit.found)


def _generate(visit: Visited, _: Words) -> str:
    if visit.number > 1:
        return _("attempt {n}").format(n=visit.number)
    return _("written") if visit.over else _("writing")


def _grade_answer(visit: Visited, _: Words) -> str:
    if not visit.over:
        return _("{k} of {n} graded").format(k=len(visit.grades), n=2)
    grounded, useful = (visit.grades.get((aspect, None)) for aspect in ("groundedness", "usefulness"))
    if not grounded:
        return _("not grounded") if grounded is False else _("grounded? unclear")
    words = {True: _("grounded, useful"), False: _("not useful"), None: _("useful? unclear")}
    return words[useful]


def _rewrite_query(visit: Visited, _: Words) -> str:
    return _("rewrite {n}").format(n=visit.number)


def _route_question(visit: Visited, _: Words) -> str:
    target = ((visit.update or {}).get("route") or {}).get("target", "")
    words = {
        "vectorstore": _("to the library"),
        "web search": _("to the web"),
        "no retrieval": _("straight to the model"),
    }
    return words.get(target, "")


RESULTS: dict[str, Callable[[Visited, Words], str]] = {
    "retrieve": _retrieve,
    "search_web": _search_web,
    "grade_documents": _grade_documents,
    "generate": _generate,
    "generate_directly": _generate,
    "grade_answer": _grade_answer,
    "rewrite_query": _rewrite_query,
    "route_question": _route_question,
    **FURTHER,
}
