"""The types of the functions that a graph calls for its model and search work, without any client.

Nodes import only this module and the state, so that a graph can be read and tested without a model or a search service.
"""

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
    """The input of a query rewriter. `queries`: all queries so far; the last one failed. `found`: the documents that the last
    query found, rejected ones included. `aim`: what the new query is for; "keywords" asks for at most three keywords, comma
    separated, for a web search (CRAG, 4.5)."""

    question: str
    queries: list[str]
    found: list[Document] = field(default_factory=list)
    aim: Literal["library", "web", "keywords"] = "library"


@dataclass(frozen=True, kw_only=True)
class GenerateRequest:
    """The input of an answer generator. `documents` are numbered from 1 for citations; `rejected` are the documents that a
    grader dropped (only the careless switch reads them); `previous` and `feedback` are the rejected attempt and why it was
    rejected; `chain` holds the sentences of reasoning that led to the documents, without the last one."""

    question: str
    documents: list[Document]
    rejected: list[Document] = field(default_factory=list)
    history: list[Turn] = field(default_factory=list)
    previous: str = ""
    feedback: str = ""
    chain: list[str] = field(default_factory=list)


@dataclass(frozen=True, kw_only=True)
class ReasonRequest:
    """The input of a reasoner: the question, all documents so far, and its own sentences so far."""

    question: str
    documents: list[Document]
    chain: list[str] = field(default_factory=list)


@dataclass(frozen=True, kw_only=True)
class Thought:
    """One sentence of reasoning. `final`: the sentence states the answer, or there is nothing more to look up."""

    sentence: str
    final: bool = False


Retrieve = Callable[[str], list[Document]]
"""query -> the best k documents of the library, best first."""

RetrieveMany = Callable[[str, int], list[Document]]
"""(query, k) -> the best k documents of the library, best first."""

SearchWeb = Callable[[str], list[Document]]
"""query -> one document for each hit, with origin "web". Raises SearchUnavailable."""

RewriteQuery = Callable[[RewriteRequest], Rewrite]

GenerateAnswer = Callable[[GenerateRequest], Iterator[str | Draft]]
"""Yields pieces of text while they are written, then exactly one Draft: the finished answer."""

RouteQuestion = Callable[[str], Route]

DecideRetrieval = Callable[[str, str], Decision]
"""(question, an answer tried without documents or "") -> whether to retrieve."""

ClassifyComplexity = Callable[[str], Complexity]

DraftAnswers = Callable[[str, list[Document]], Iterator[tuple[int, JudgedDraft]]]
"""(question, documents) -> (index, the draft from that document alone) as each is ready, in any order, each index once."""

EvaluateRetrieval = Callable[[str, list[Document]], Iterator[tuple[int, Grade]]]
"""(question, documents) -> (index, relevance grade with a score in 0-1) as each is ready. The caller sets label and verdict
from the score by thresholds."""

Decompose = Callable[[str], list[tuple[int, int]]]
"""text -> its strips (one to three sentences each) as (start, end), in order, without overlap."""

ScoreStrips = Callable[[str, list[list[str]]], Iterator[tuple[int, list[float | None]]]]
"""(question, the strips of each document) -> (index of a document, the score in 0-1 of each of its strips) as each is ready."""

Reason = Callable[[ReasonRequest], Thought]

Condense = Callable[[str, list[Turn]], Rewrite]
"""(follow-up question, the turns before it) -> the question in words that can be understood without those turns; unchanged
if it already can."""

GradeRelevance = Callable[[str, list[Document]], Iterator[tuple[int, Grade]]]
"""(question, documents) -> (index, grade) as each is ready, in any order, each index once."""

GradeAnswer = Callable[[str, list[Document], str], Iterator[Grade]]
"""(question, documents, answer) -> the groundedness and the usefulness grade, in any order, each once."""

Conclude = Callable[[str, Answer | None, list[str], str], str]
"""(question, best attempt or None, queries tried, why the web search failed or "") -> the closing text of a run that gives
up, in the language of the question: the best attempt, marked as unverified, or a statement of what could not be found."""


@dataclass(frozen=True, kw_only=True)
class Components:
    """All functions that a graph may call. To swap one, use `dataclasses.replace`; in tests a lambda will do."""

    retrieve: Retrieve
    retrieve_many: RetrieveMany
    search_web: SearchWeb
    rewrite: RewriteQuery
    generate: GenerateAnswer
    generate_directly: GenerateAnswer
    draft: DraftAnswers
    route: RouteQuestion
    route_direct: RouteQuestion
    """Like `route`, with "no retrieval" as a third target."""
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
    """The thresholds that turn the scores of `evaluate` and `score_strips` into verdicts."""
    description: str = ""
    """One line for the screen that names the engine, the embeddings and the web search."""
