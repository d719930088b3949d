"""The built-in engine: components that need no key, no model server and no network."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property
from typing import TYPE_CHECKING

from rag_graphs.engines.builtin.answers import grade_groundedness, grade_usefulness
from rag_graphs.engines.builtin.complexity import classify
from rag_graphs.engines.builtin.direct import decide_retrieval, generate_directly
from rag_graphs.engines.builtin.drafter import Drafter
from rag_graphs.engines.builtin.evaluator import THRESHOLDS, evaluate, score_strips
from rag_graphs.engines.builtin.evidence import Evidence, embedder_for, measure
from rag_graphs.engines.builtin.follow_up import condense
from rag_graphs.engines.builtin.generator import write
from rag_graphs.engines.builtin.own_phrases import conclude
from rag_graphs.engines.builtin.reasoning import reason
from rag_graphs.engines.builtin.relevance import grade_all
from rag_graphs.engines.builtin.rewriter import rewrite
from rag_graphs.engines.builtin.router import route, route_direct
from rag_graphs.engines.builtin.strips import decompose
from rag_graphs.graphs.components import Components, GenerateRequest, ReasonRequest, RewriteRequest, SearchWeb, Thought
from rag_graphs.graphs.state import Decision, Document, Draft, Grade, JudgedDraft, Rewrite, Route
from rag_graphs.language.lexical import Idf, uniform
from rag_graphs.library.index.vector_cache import Vectors
from rag_graphs.settings import Settings

if TYPE_CHECKING:
    from rag_graphs.library import Library


def builtin_components(
    settings: Settings, library: Library, source_ids: list[str], search_web: SearchWeb
) -> Components:
    """Components of the built-in engine over these sources of a library. Nothing is loaded or embedded before it is used."""
    engine = Engine(settings, library, source_ids)
    return Components(
        retrieve=engine.retrieve,
        retrieve_many=engine.retrieve_many,
        search_web=search_web,
        rewrite=engine.rewrite,
        generate=engine.generate,
        generate_directly=generate_directly,
        draft=engine.draft,
        route=engine.route,
        route_direct=lambda question: route_direct(question, engine.route),
        decide_retrieval=engine.decide_retrieval,
        classify=classify,
        grade_relevance=engine.grade_relevance,
        grade_answer=engine.grade_answer,
        evaluate=engine.evaluate,
        decompose=decompose,
        score_strips=engine.score_strips,
        thresholds=THRESHOLDS,
        reason=engine.reason,
        condense=condense,
        conclude=conclude,
        description=describe(settings),
    )


def describe(settings: Settings) -> str:
    """One line for the screen."""
    embeddings = {"auto": "MiniLM or multilingual E5 by language", "minilm": "MiniLM", "e5": "multilingual E5"}
    named = embeddings.get(settings.embeddings, settings.embeddings)
    web = "no web search" if settings.web == "off" else f"web: {settings.web}"
    return f"Built-in engine, {named} + BM25, {web}"


class Engine:
    """The components of a run as methods: they share the settings, the vectors and the library's word statistics."""

    def __init__(self, settings: Settings, library: Library, source_ids: list[str]) -> None:
        self._settings = settings
        self._library = library
        self._sources = source_ids
        self._vectors = Vectors(library.vectors)

    @cached_property
    def _idf(self) -> Idf:
        if not self._sources:
            return uniform
        return self._library.statistics(self._sources, self._settings).idf

    def measure(self, question: str, documents: list[Document]) -> list[Evidence]:
        """Each document measured against the question, under the settings' embeddings."""
        embeddings = self._settings.embeddings
        return measure(question, documents, embeddings=embeddings, vectors=self._vectors, idf=self._idf)

    def retrieve(self, query: str) -> list[Document]:
        """The best k documents of the library."""
        return self.retrieve_many(query, self._settings.k)

    def retrieve_many(self, query: str, k: int) -> list[Document]:
        """The best documents of the library, `k` of them."""
        if not self._sources:
            return []
        hits = self._library.search(query, self._sources, self._settings, k=k)
        return [hit.document for hit in hits]

    def grade_relevance(self, question: str, documents: list[Document]) -> Iterator[tuple[int, Grade]]:
        """Set-wise; all measurements in one batch."""
        strict = self._settings.strictness == "strict"
        yield from enumerate(grade_all(question, documents, self.measure(question, documents), strict=strict))

    def evaluate(self, question: str, documents: list[Document]) -> Iterator[tuple[int, Grade]]:
        """A score for each document; the thresholds make verdicts of them."""
        return evaluate(question, documents, self.measure)

    def score_strips(self, question: str, strips: list[list[str]]) -> Iterator[tuple[int, list[float | None]]]:
        """A score for each strip of each document."""
        return score_strips(question, strips, self.measure)

    def generate(self, request: GenerateRequest) -> Iterator[str | Draft]:
        """An extract, spoilt once where the careless switch is on."""
        most, careless = self._settings.max_sentences, self._settings.careless
        return write(request, self.measure, most=most, careless=careless)

    def grade_answer(self, question: str, documents: list[Document], answer: str) -> Iterator[Grade]:
        """Groundedness, then usefulness."""
        embeddings = self._settings.embeddings
        yield grade_groundedness(documents, answer, embeddings=embeddings, vectors=self._vectors)
        yield grade_usefulness(question, answer, embeddings=embeddings, vectors=self._vectors, idf=self._idf)

    def draft(self, question: str, documents: list[Document]) -> Iterator[tuple[int, JudgedDraft]]:
        """An extract of each document alone, judged; spoilt drafts where the careless switch is on."""
        drafter = Drafter(
            measure=self.measure,
            judge=self._judge,
            most=self._settings.max_sentences,
            careless=self._settings.careless,
        )
        return drafter.draft_all(question, documents)

    def _judge(self, question: str, documents: list[Document], answer: str) -> tuple[Grade, Grade]:
        grounded, useful = self.grade_answer(question, documents, answer)
        return grounded, useful

    def decide_retrieval(self, question: str, attempt: str) -> Decision:
        """From what the question asks for, or from an attempt."""
        return decide_retrieval(question, attempt, lambda asked, text: self._judge(asked, [], text)[1])

    def reason(self, request: ReasonRequest) -> Thought:
        """A sentence of the documents that brings the chain nearer to the answer."""
        return reason(request, self.measure(request.question, request.documents), self._idf, self.measure)

    def rewrite(self, request: RewriteRequest) -> Rewrite:
        """Key phrases, widened with terms of what was found."""
        first = request.found[0] if request.found else Document(id="", text=request.question, source="")
        embedder = embedder_for(self._settings.embeddings, request.question, first)
        return rewrite(request, embedder=embedder, vectors=self._vectors, idf=self._idf)

    def route(self, question: str) -> Route:
        """By a look into the library."""
        return route(
            question,
            empty=not self._sources,
            web=self._settings.web != "off",
            retrieve=self.retrieve,
            grade=lambda asked, documents: enumerate(
                grade_all(asked, documents, self.measure(asked, documents), strict=False)
            ),
        )
