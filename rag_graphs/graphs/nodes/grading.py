"""Nodes that grade documents and answers."""

from __future__ import annotations

from langgraph.types import StreamWriter

from rag_graphs.graphs.components import EvaluateRetrieval, GradeAnswer, GradeRelevance
from rag_graphs.graphs.nodes.node import Node
from rag_graphs.graphs.retrieval_actions import banded
from rag_graphs.graphs.state import Document, Grade, RagState, Thresholds, Update
from rag_graphs.graphs.updates import evaluated, graded, verdict

MISSING = Grade(aspect="relevance", passed=None, label="unclear", error="The grader gave no verdict.")


def grade_documents(grade: GradeRelevance, *, keep_unclear: bool = False) -> Node:
    """Grade each retrieved document against the question, never against the rewritten query."""

    def node(state: RagState, writer: StreamWriter) -> Update:
        grades = [MISSING] * len(state.retrieved)
        for index, verdict_ in grade(state.asked, state.retrieved):
            grades[index] = verdict_
            writer({"kind": "graded", "index": index, "grade": verdict_})
        for document, verdict_ in zip(state.retrieved, grades, strict=True):
            if verdict_.passed is None:
                what = "kept" if keep_unclear else "dropped"
                writer({"kind": "warned", "message": unclear(document, verdict_, f"was {what}")})
        return graded(state, grades, keep_unclear=keep_unclear)

    return node


def evaluate_retrieval(evaluate: EvaluateRetrieval, thresholds: Thresholds) -> Node:
    """Score each retrieved document against the question, and choose one of three actions by the thresholds."""

    def node(state: RagState, writer: StreamWriter) -> Update:
        grades = [MISSING] * len(state.retrieved)
        for index, score in evaluate(state.asked, state.retrieved):
            grades[index] = banded(score, thresholds)
            writer({"kind": "graded", "index": index, "grade": grades[index]})
        for document, grade in zip(state.retrieved, grades, strict=True):
            if grade.score is None:
                writer({"kind": "warned", "message": unclear(document, grade, "counts as ambiguous")})
        return evaluated(state, grades, thresholds)

    return node


def grade_answer(grade: GradeAnswer) -> Node:
    """Grade the last attempt: whether it rests on the documents, and whether it answers the question."""

    def node(state: RagState, writer: StreamWriter) -> Update:
        grades = {
            aspect: Grade(aspect=aspect, passed=None, label="unclear", error="The grader gave no verdict.")
            for aspect in ("groundedness", "usefulness")
        }
        for verdict_ in grade(state.asked, state.documents, state.answer):
            grades[verdict_.aspect] = verdict_
            writer({"kind": "graded", "index": None, "grade": verdict_})
        return verdict(state, grades["groundedness"], grades["usefulness"])

    return node


def unclear(document: Document, grade: Grade, what: str) -> str:
    """Return the warning about a document without a verdict. `what`: what happens to the document."""
    reason = grade.error or grade.reason
    return f"“{document.title or document.source}” {what}: its relevance is unclear. {reason}".strip()
