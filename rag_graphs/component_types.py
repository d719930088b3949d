"""The outside world as plain functions: their types, without any client. Nodes import only this and the state."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Literal

from rag_graphs.state import Answer, Document, Draft, Grade, Rewrite, Route, Turn


@dataclass(frozen=True, kw_only=True)
class RewriteRequest:
    """What a rewriter is given. `queries`: all so far, the last one failed. `found`: what it found (rejected or not)."""

    question: str
    queries: list[str]
    found: list[Document] = field(default_factory=list)
    aim: Literal["library", "web"] = "library"


@dataclass(frozen=True, kw_only=True)
class GenerateRequest:
    """What a generator is given. `documents` are numbered from 1 for citations; `rejected` are those that a grader dropped
    (only the careless switch reads them); `previous` and `feedback` are the rejected attempt and why it was rejected."""

    question: str
    documents: list[Document]
    rejected: list[Document] = field(default_factory=list)
    history: list[Turn] = field(default_factory=list)
    previous: str = ""
    feedback: str = ""


Retrieve = Callable[[str], list[Document]]
"""query -> the best k documents of the library, best first."""

SearchWeb = Callable[[str], list[Document]]
"""query -> one document a hit, origin "web". Raises SearchUnavailable."""

RewriteQuery = Callable[[RewriteRequest], Rewrite]

GenerateAnswer = Callable[[GenerateRequest], Iterator[str | Draft]]
"""Yields pieces of text as they are written, then exactly one Draft: the finished answer."""

RouteQuestion = Callable[[str, list[Turn]], Route]

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
    search_web: SearchWeb
    rewrite: RewriteQuery
    generate: GenerateAnswer
    route: RouteQuestion
    grade_relevance: GradeRelevance
    grade_answer: GradeAnswer
    conclude: Conclude
    description: str = ""
    """One line for the screen: which engine, embeddings and search these are."""
