"""Nodes of Self-RAG with critique: a draft from each document, and their ranking."""

from __future__ import annotations

from langgraph.types import StreamWriter

from rag_graphs.graphs.components import Conclude, DraftAnswers
from rag_graphs.graphs.critique_scores import Weights, ranked
from rag_graphs.graphs.nodes.grading import MISSING, unclear
from rag_graphs.graphs.nodes.node import Node
from rag_graphs.graphs.state import Document, Grade, JudgedDraft, RagState, Update
from rag_graphs.graphs.updates import chosen, drafted, nothing_found


def draft_answers(draft: DraftAnswers, *, keep_unclear: bool = False) -> Node:
    """Draft an answer from each document alone, and judge whether the document is relevant and the draft supported and useful."""

    def node(state: RagState, writer: StreamWriter) -> Update:
        drafts = [_missing(document) for document in state.retrieved]
        for index, judged in draft(state.asked, state.retrieved):
            drafts[index] = judged
            writer({"kind": "drafted", "index": index, "draft": judged})
            writer({"kind": "graded", "index": index, "grade": judged.relevance})
        for judged in drafts:
            if judged.relevance.passed is None:
                what = "is kept, but scores as irrelevant" if keep_unclear else "counts as irrelevant"
                writer({"kind": "warned", "message": unclear(judged.document, judged.relevance, what)})
        return drafted(state, drafts, keep_unclear=keep_unclear)

    return node


def rank_drafts(weights: Weights, conclude: Conclude) -> Node:
    """Rank the drafts by their critique score; the best one is the answer, if its document is relevant."""

    def node(state: RagState, writer: StreamWriter) -> Update:
        drafts = [draft for draft, _ in ranked(state.drafts, weights)]
        relevant_ids = {d.id for d in state.documents}
        usable = [d for d in drafts if d.text and d.document.id in relevant_ids]
        if not usable:
            return {"drafts": drafts, **nothing_found(state, conclude(state.asked, None, state.queries, ""))}
        writer({"kind": "token", "text": usable[0].text})
        return chosen(state, [usable[0], *(d for d in drafts if d is not usable[0])])

    return node


def _missing(document: Document) -> JudgedDraft:
    """Return what stands for a draft that the component did not deliver."""
    error = MISSING.error
    return JudgedDraft(
        document=document,
        text="",
        relevance=MISSING,
        support=Grade(aspect="groundedness", passed=None, label="unclear", error=error),
        use=Grade(aspect="usefulness", passed=None, label="unclear", error=error),
    )
