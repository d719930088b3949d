"""A draft from each document alone, with Self-RAG's three judgements (Asai et al. 2023, table 1): ISREL, ISSUP, ISUSE.

The labels come from the built-in graders' measurements. There are no probabilities: a logistic score is none of a token."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from rag_graphs.builtin.evidence import Evidence
from rag_graphs.builtin.generator import Measure, write
from rag_graphs.builtin.relevance import lenient_score
from rag_graphs.component_types import GenerateRequest
from rag_graphs.critique import USEFUL_FROM
from rag_graphs.state import Document, Draft, Grade, JudgedDraft

RELEVANT = 0.5
"""Lenient relevance score from which on a document is called relevant."""
USE_LEVELS = (0.2, 0.4, 0.6, 0.8)
"""Usefulness scores from which on a draft is called 2, 3, 4 and 5."""

Judge = Callable[[str, list[Document], str], tuple[Grade, Grade]]
"""(question, documents, answer) -> its groundedness and its usefulness."""


@dataclass(frozen=True)
class Drafter:
    """What drafting needs of the engine: measurements, the graders of answers, and how long a draft may be."""

    measure: Measure
    judge: Judge
    most: int
    careless: bool

    def draft_all(self, question: str, documents: list[Document]) -> Iterator[tuple[int, JudgedDraft]]:
        """(index, draft), in order."""
        found = self.measure(question, documents) if documents else []
        for index, document in enumerate(documents):
            yield index, self._draft(question, document, found[index], documents)

    def _draft(self, question: str, document: Document, found: Evidence, documents: list[Document]) -> JudgedDraft:
        others = [d for d in documents if d is not document]
        request = GenerateRequest(question=question, documents=[document], rejected=others)
        careless = self.careless and document is documents[0]
        *_, made = write(request, lambda *_: [found], most=self.most, careless=careless)
        assert isinstance(made, Draft)
        if made.abstained:
            return _empty(document, found)
        grounded, useful = self.judge(question, [document], made.text)
        return JudgedDraft(
            document=document,
            text=made.text,
            relevance=_relevance(found),
            support=_support(grounded, made.text),
            use=_use(useful),
        )


def _relevance(found: Evidence) -> Grade:
    score = lenient_score(found)
    passed = score >= RELEVANT
    label = "relevant" if passed else "irrelevant"
    reason = f"Closest sentence {found.sentence_cosine:.2f}."
    return Grade(aspect="relevance", passed=passed, label=label, score=round(score, 3), reason=reason)


def _support(grounded: Grade, text: str) -> Grade:
    share = grounded.score or 0.0
    label = "fully supported" if share == 1 else "partially supported" if share > 0 else "no support"
    return Grade(aspect="groundedness", passed=share == 1, label=label, score=share, reason=grounded.reason)


def _use(useful: Grade) -> Grade:
    level = 1 + sum((useful.score or 0.0) >= cut for cut in USE_LEVELS)
    return Grade(
        aspect="usefulness", passed=level >= USEFUL_FROM, label=str(level), score=useful.score, reason=useful.reason
    )


def _empty(document: Document, found: Evidence) -> JudgedDraft:
    """The draft of a document from which nothing can be quoted."""
    reason = "Nothing in this document can be quoted as an answer."
    return JudgedDraft(
        document=document,
        text="",
        relevance=Grade(
            aspect="relevance", passed=False, label="irrelevant", score=round(lenient_score(found), 3), reason=reason
        ),
        support=Grade(aspect="groundedness", passed=False, label="no support", reason=reason),
        use=Grade(aspect="usefulness", passed=False, label="1", reason=reason),
    )
