"""A draft from each document alone, with Self-RAG's three judgements (Asai et al. 2023, table 1): ISREL, ISSUP and ISUSE.

The labels are cut from the built-in graders' scores, at levels that docs/measurements.md has the figures of. There are no
probabilities: how sure a logistic function is of a document is no probability of a token.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

from rag_graphs.engines.builtin.evidence import Evidence, Measure
from rag_graphs.engines.builtin.generator import write
from rag_graphs.engines.builtin.relevance import grade_all
from rag_graphs.graphs.components import GenerateRequest
from rag_graphs.graphs.critique_scores import USEFUL_FROM
from rag_graphs.graphs.state import Document, Draft, Grade, JudgedDraft

RELEVANT = 0.5
"""Lenient relevance score from which on a document is called relevant."""
USE_LEVELS = (0.49, 0.75, 0.83, 0.96)
"""Usefulness scores from which on a draft is called 2, 3, 4 and 5."""
UNQUOTABLE = "Nothing in this document can be quoted as an answer."

Judge = Callable[[str, list[Document], str], tuple[Grade, Grade]]
"""(question, documents, answer) -> its groundedness and its usefulness."""


@dataclass(frozen=True)
class Drafter:
    """What drafting needs of the engine: measurements, the graders of answers, and how many sentences a draft may have.

    `careless` spoils two drafts, so that the other levels of ISSUP can be seen: the first gets a sentence of another document
    and is partially supported; the second says what the first document says and is not supported by its own."""

    measure: Measure
    judge: Judge
    most: int
    careless: bool = False

    def draft_all(self, question: str, documents: list[Document]) -> Iterator[tuple[int, JudgedDraft]]:
        """(index, draft), in order."""
        found = self.measure(question, documents) if documents else []
        relevance = list(grade_all(question, documents, found, strict=False))
        for index, document in enumerate(documents):
            text = self._text(question, documents, found, index)
            yield index, self._judged(question, document, text, relevance[index])

    def _text(self, question: str, documents: list[Document], found: list[Evidence], index: int) -> str:
        """The draft's text; empty where nothing can be quoted."""
        spoilt = self.careless and index == 0
        foreign = self.careless and index == 1
        source = 0 if foreign else index
        request = GenerateRequest(
            question=question,
            documents=[documents[source]],
            rejected=[d for i, d in enumerate(documents) if i != source],
        )
        pieces = write(request, lambda *_: [found[source]], most=self.most, careless=spoilt)
        made = next(piece for piece in pieces if isinstance(piece, Draft))
        if made.abstained and foreign:
            return replace(self, careless=False)._text(question, documents, found, index)
        return "" if made.abstained else made.text

    def _judged(self, question: str, document: Document, text: str, relevance: Grade) -> JudgedDraft:
        if not text:
            return JudgedDraft(
                document=document,
                text="",
                relevance=_relevance(relevance, quotable=False),
                support=Grade(aspect="groundedness", passed=False, label="no support", reason=UNQUOTABLE),
                use=Grade(aspect="usefulness", passed=False, label="1", reason=UNQUOTABLE),
            )
        grounded, useful = self.judge(question, [document], text)
        return JudgedDraft(
            document=document,
            text=text,
            relevance=_relevance(relevance, quotable=True),
            support=_support(grounded),
            use=_use(useful),
        )


def _relevance(grade: Grade, *, quotable: bool) -> Grade:
    passed = quotable and (grade.score or 0.0) >= RELEVANT
    reason = grade.reason if quotable else f"{UNQUOTABLE} {grade.reason}"
    return replace(grade, passed=passed, label="relevant" if passed else "irrelevant", reason=reason)


def _support(grade: Grade) -> Grade:
    """By the share of the draft's sentences that its document holds."""
    share = grade.score or 0.0
    label = "fully supported" if share == 1 else "partially supported" if share > 0 else "no support"
    return replace(grade, passed=share == 1, label=label, score=share, error="")


def _use(grade: Grade) -> Grade:
    level = 1 + sum((grade.score or 0.0) >= cut for cut in USE_LEVELS)
    return replace(grade, passed=level >= USEFUL_FROM, label=str(level))
