"""The outside world as plain functions: their types, without any client. Nodes import only this and the state."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Literal

from rag_graphs.graphs.state import (
    Answer,
    Complexity,
    Decision,
    Document,
    Draft,
    Grade,
    JudgedDraft,
    Rewrite,
    Route,
    Thresholds,
    Turn,
)


@dataclass(frozen=True, kw_only=True)
class RewriteRequest:
    """What a rewriter is given. `queries`: all so far, the last one failed. `found`: what it found (rejected or not). `aim`:
    what the query is for; "keywords" asks for at most three of them, comma separated, for a web search (CRAG, 4.5)."""

    question: str
    queries: list[str]
    found: list[Document] = field(default_factory=list)
    aim: Literal["library", "web", "keywords"] = "library"


@dataclass(frozen=True, kw_only=True)
class GenerateRequest:
    """What a generator is given. `documents` are numbered from 1 for citations; `rejected` are those that a grader dropped
    (only the careless switch reads them); `previous` and `feedback` are the rejected attempt and why it was rejected; `chain` is
    what was reasoned on the way to the documents, without the sentence that ended it."""

    question: str
    documents: list[Document]
    rejected: list[Document] = field(default_factory=list)
    history: list[Turn] = field(default_factory=list)
    previous: str = ""
    feedback: str = ""
    chain: list[str] = field(default_factory=list)


@dataclass(frozen=True, kw_only=True)
class ReasonRequest:
    """What a reasoner is given: all documents so far, and its own sentences so far."""

    question: str
    documents: list[Document]
    chain: list[str] = field(default_factory=list)


@dataclass(frozen=True, kw_only=True)
class Thought:
    """One sentence of reasoning; `final`: it reaches the answer, or nothing more can be looked up."""

    sentence: str
    final: bool = False


Retrieve = Callable[[str], list[Document]]
"""query -> the best k documents of the library, best first."""

RetrieveMany = Callable[[str, int], list[Document]]
"""(query, k) -> the best k documents of the library, best first."""

SearchWeb = Callable[[str], list[Document]]
"""query -> one document a hit, origin "web". Raises SearchUnavailable."""

RewriteQuery = Callable[[RewriteRequest], Rewrite]

GenerateAnswer = Callable[[GenerateRequest], Iterator[str | Draft]]
"""Yields pieces of text as they are written, then exactly one Draft: the finished answer."""

RouteQuestion = Callable[[str], Route]

DecideRetrieval = Callable[[str, str], Decision]
"""(question, an attempt to answer it without documents or "") -> whether to retrieve."""

ClassifyComplexity = Callable[[str], Complexity]

DraftAnswers = Callable[[str, list[Document]], Iterator[tuple[int, JudgedDraft]]]
"""(question, documents) -> (index, the draft from that document alone) as each lands, in any order, each index once."""

EvaluateRetrieval = Callable[[str, list[Document]], Iterator[tuple[int, Grade]]]
"""(question, documents) -> (index, relevance grade with a score in 0-1) as each lands. Label and verdict are set from the
score by thresholds."""

Decompose = Callable[[str], list[tuple[int, int]]]
"""text -> its strips as (start, end), in order, without overlap."""

ScoreStrips = Callable[[str, list[list[str]]], Iterator[tuple[int, list[float | None]]]]
"""(question, the strips of each document) -> (index of a document, the score in 0-1 of each of its strips) as each lands."""

Reason = Callable[[ReasonRequest], Thought]

Condense = Callable[[str, list[Turn]], Rewrite]
"""(follow-up question, the turns before it) -> the question in words that stand alone; unchanged where it does already."""

GradeRelevance = Callable[[str, list[Document]], Iterator[tuple[int, Grade]]]
"""(question, documents) -> (index, grade) as each lands, in any order, each index once."""

GradeAnswer = Callable[[str, list[Document], str], Iterator[Grade]]
"""(question, documents, answer) -> the groundedness and the usefulness grade, in any order, each once."""


Conclude = Callable[[str, Answer | None, list[str], str], str]
"""(question, best attempt or None, queries tried, what failed in the web search or "") -> the closing text of a run that
gives up, in the language of the question: the best attempt, said to be unverified, or what could not be found."""


@dataclass(frozen=True, kw_only=True)
class Components:
    """Everything that a graph may ask of the outside. Swap one with `dataclasses.replace`; fakes are lambdas."""

    retrieve: Retrieve
    retrieve_many: RetrieveMany
    search_web: SearchWeb
    rewrite: RewriteQuery
    generate: GenerateAnswer
    generate_directly: GenerateAnswer
    draft: DraftAnswers
    route: RouteQuestion
    route_direct: RouteQuestion
    """As `route`, with the third target "no retrieval"."""
    decide_retrieval: DecideRetrieval
    classify: ClassifyComplexity
    grade_relevance: GradeRelevance
    grade_answer: GradeAnswer
    evaluate: EvaluateRetrieval
    decompose: Decompose
    score_strips: ScoreStrips
    reason: Reason
    condense: Condense
    conclude: Conclude
    thresholds: Thresholds = field(default_factory=Thresholds)
    """Those that cut the scores of `evaluate` and `score_strips`."""
    description: str = ""
    """One line for the screen: which engine, embeddings and search these are."""
