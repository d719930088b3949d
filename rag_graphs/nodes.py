"""Every node, once, as a factory: it is given the one function that it uses and returns the node.

A node reads the state, asks its function, writes what happens to the stream as plain dicts and returns the changed
fields. It draws nothing and decides nothing about where to go: edges do (`routes.py`).
"""

from __future__ import annotations

from typing import Protocol

from langgraph.types import StreamWriter

from rag_graphs.component_types import (
    Conclude,
    GenerateAnswer,
    GenerateRequest,
    GradeAnswer,
    GradeRelevance,
    Retrieve,
    RewriteQuery,
    RewriteRequest,
    RouteQuestion,
    SearchWeb,
)
from rag_graphs.errors import SearchUnavailable
from rag_graphs.state import Draft, Grade, RagState, Update, best_attempt
from rag_graphs.updates import attempt, found_on_web, gave_up, graded, new_query, retrieved, verdict


class Node(Protocol):
    """What LangGraph calls: with the state, and a writer for live events."""

    def __call__(self, state: RagState, writer: StreamWriter) -> Update: ...


def retrieve(search: Retrieve) -> Node:
    """Search the library with the query."""

    def node(state: RagState, writer: StreamWriter) -> Update:
        documents = search(state.query)
        writer({"kind": "retrieved", "documents": documents})
        return retrieved(state, documents)

    return node


def grade_documents(grade: GradeRelevance, *, keep_unclear: bool = False) -> Node:
    """Grade each retrieved document against the question, never against the rewritten query."""

    def node(state: RagState, writer: StreamWriter) -> Update:
        missing = Grade(aspect="relevance", passed=None, label="unclear", error="The grader gave no verdict.")
        grades = [missing] * len(state.retrieved)
        for index, verdict_ in grade(state.question, state.retrieved):
            grades[index] = verdict_
            writer({"kind": "graded", "index": index, "grade": verdict_})
        for document, verdict_ in zip(state.retrieved, grades, strict=True):
            if verdict_.passed is None:
                what = "kept" if keep_unclear else "dropped"
                why = verdict_.error or verdict_.reason
                writer(
                    {
                        "kind": "warned",
                        "message": f"“{document.title or document.source}” was {what}: its relevance is unclear. {why}".strip(),
                    }
                )
        return graded(state, grades, keep_unclear=keep_unclear)

    return node


def rewrite_query(rewrite: RewriteQuery, *, aim: str = "library") -> Node:
    """Put the question into other words for the next search. The question itself stays as it was asked."""

    def node(state: RagState, writer: StreamWriter) -> Update:
        found = state.retrieved or [s.document for s in state.seen]
        rewritten = rewrite(
            RewriteRequest(
                question=state.question, queries=state.queries, found=found, aim="web" if aim == "web" else "library"
            )
        )
        query = rewritten.query.strip() or state.question
        return {**new_query(state, query, rewritten.note), "rewrites": state.rewrites + 1}

    return node


def search_web(search: SearchWeb) -> Node:
    """Search the web with the query. A failing search is noted and the run goes on with what it has."""

    def node(state: RagState, writer: StreamWriter) -> Update:
        try:
            documents, error = search(state.query), ""
        except SearchUnavailable as failure:
            documents, error = [], str(failure)
            writer({"kind": "warned", "message": error})
        writer({"kind": "retrieved", "documents": documents})
        return found_on_web(state, documents, error)

    return node


def route_question(route: RouteQuestion) -> Node:
    """Decide where the question goes. An unreadable route goes to the library, and says so."""

    def node(state: RagState, writer: StreamWriter) -> Update:
        chosen = route(state.question, state.history)
        if chosen.error:
            writer({"kind": "warned", "message": f"The route was unclear, so the library is searched. {chosen.error}"})
        return {"route": chosen}

    return node


def generate(write: GenerateAnswer) -> Node:
    """Write an answer from the kept documents; a second attempt is told what was wrong with the first."""

    def node(state: RagState, writer: StreamWriter) -> Update:
        kept = {d.id for d in state.documents}
        again = state.grounded is not None and state.grounded.passed is False
        request = GenerateRequest(
            question=state.question,
            documents=state.documents,
            rejected=[s.document for s in state.seen if s.document.id not in kept],
            history=state.history,
            previous=state.answer if again else "",
            feedback=state.feedback,
        )
        draft = Draft(text="", abstained=True)
        for piece in write(request):
            if isinstance(piece, str):
                writer({"kind": "token", "text": piece})
            else:
                draft = piece
        return attempt(state, draft)

    return node


def grade_answer(grade: GradeAnswer) -> Node:
    """Grade the last attempt: does it rest on the documents, and does it answer the question?"""

    def node(state: RagState, writer: StreamWriter) -> Update:
        grades = {
            aspect: Grade(aspect=aspect, passed=None, label="unclear", error="The grader gave no verdict.")
            for aspect in ("groundedness", "usefulness")
        }
        for verdict_ in grade(state.question, state.documents, state.answer):
            grades[verdict_.aspect] = verdict_
            writer({"kind": "graded", "index": None, "grade": verdict_})
        return verdict(state, grades["groundedness"], grades["usefulness"])

    return node


def give_up(conclude: Conclude) -> Node:
    """A loop's budget is spent: answer with the best attempt, said to be unverified, or say what could not be found."""

    def node(state: RagState, writer: StreamWriter) -> Update:
        best = best_attempt(state.answers)
        return gave_up(state, conclude(state.question, best, state.queries, state.search_error))

    return node
