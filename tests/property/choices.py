"""Components whose every answer is picked by someone: by a walk through all possibilities, or by Hypothesis."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import Any, TypeVar

from rag_graphs.errors import SearchUnavailable
from rag_graphs.graphs.components import Components, GenerateRequest, ReasonRequest, Thought
from rag_graphs.graphs.state import Complexity, Decision, Document, Draft, Grade, JudgedDraft, Rewrite, Route, Turn
from tests.fakes import DOCS, HIT, fake, grounded, judged, relevance, scored, useful

T = TypeVar("T")
Pick = Callable[[Sequence[Any]], Any]
VERDICTS = (True, False, None)


class Walk:
    """Takes the choices that it was given, then always the first; remembers how many alternatives each had."""

    def __init__(self, given: Sequence[int]) -> None:
        self._given = given
        self.taken: list[tuple[int, int]] = []

    def __call__(self, options: Sequence[Any]) -> Any:
        place = len(self.taken)
        index = self._given[place] if place < len(self._given) else 0
        self.taken.append((index, len(options)))
        return options[index]


def every(do: Callable[[Pick], T]) -> Iterator[T]:
    """What `do` gives for every sequence of choices that it can meet, each once."""
    given: list[int] = []
    while True:
        walk = Walk(given)
        yield do(walk)
        taken = walk.taken
        while taken and taken[-1][0] == taken[-1][1] - 1:
            taken.pop()
        if not taken:
            return
        given = [index for index, _ in taken]
        given[-1] += 1


def picked(pick: Pick, *, verdicts_only: bool = False) -> Components:
    """Components that give whatever `pick` picks: verdicts, routes, hits and failures of the web search; and, unless
    `verdicts_only`, searches that find nothing and answers that abstain."""
    found = (DOCS,) if verdicts_only else (DOCS, [])
    routes = (Route(target="vectorstore"), Route(target="web search"))
    if not verdicts_only:
        routes = (*routes, Route(target="web search", error="unreadable"))
    abstained = (False,) if verdicts_only else (False, True)

    def grade_relevance(question: str, documents: list[Document]) -> Iterator[tuple[int, Grade]]:
        first = pick(VERDICTS)  # the others fail: one kept document or none is what edges tell apart
        return ((i, relevance(first if i == 0 else False)) for i, _ in enumerate(documents))

    def grade_answer(question: str, documents: list[Document], answer: str) -> Iterator[Grade]:
        return iter([grounded(pick(VERDICTS)), useful(pick(VERDICTS))])

    def search_web(query: str) -> list[Document]:
        hits: list[Document] | None = pick(([HIT], None) if verdicts_only else ([HIT], [], None))
        if hits is None:
            raise SearchUnavailable("The web search is switched off.")
        return hits

    def generate(request: GenerateRequest) -> Iterator[str | Draft]:
        yield "An answer."
        yield Draft(text="An answer.", abstained=pick(abstained))

    return replace(
        further(pick, verdicts_only=verdicts_only),
        retrieve=lambda query: pick(found),
        retrieve_many=lambda query, k: pick(found),
        rewrite=lambda request: Rewrite(query=f"words {len(request.queries)}"),
        grade_relevance=grade_relevance,
        grade_answer=grade_answer,
        search_web=search_web,
        route=lambda question: pick(routes),
        generate=generate,
        generate_directly=generate,
    )


def further(pick: Pick, *, verdicts_only: bool) -> Components:
    """Fakes whose decisions, drafts, scores and thoughts are picked: what the papers' own algorithms ask for."""
    routes: tuple[Route, ...] = tuple(Route(target=t) for t in ("vectorstore", "web search", "no retrieval"))
    decisions = (Decision(retrieve=True), Decision(retrieve=False))
    classes = (Complexity(label="A"), Complexity(label="B"), Complexity(label="C"))
    if not verdicts_only:
        routes = (*routes, Route(target="no retrieval", error="unreadable"))
        decisions = (
            *decisions,
            Decision(retrieve=False, error="unreadable"),
            Decision(retrieve=False, probability=0.3),
        )
        classes = (*classes, Complexity(label="C", error="unreadable"))

    def draft(question: str, documents: list[Document]) -> Iterator[tuple[int, JudgedDraft]]:
        first = pick(VERDICTS)  # a draft that is left out never came
        made = [judged(d, first if i == 0 else False) for i, d in enumerate(documents)]
        return iter(list(enumerate(made))[: len(made) - pick((0, 1))])

    def evaluate(question: str, documents: list[Document]) -> Iterator[tuple[int, Grade]]:
        first = pick((0.9, 0.5, 0.1, None))
        return ((i, scored(first if i == 0 else 0.1)) for i, _ in enumerate(documents))

    def score_strips(question: str, strips: list[list[str]]) -> Iterator[tuple[int, list[float | None]]]:
        first = pick((0.9, 0.1, None))
        return ((i, [first] * len(own)) for i, own in enumerate(strips))

    def reason(request: ReasonRequest) -> Thought:
        step = len(request.chain)
        thought: Thought = pick(
            (Thought(sentence=f"Next {step}."), Thought(sentence="So: 12.", final=True), Thought(sentence=""))
        )
        return thought

    def condense(question: str, history: list[Turn]) -> Rewrite:
        return Rewrite(query=pick((question, "Why does it rain?")))

    return replace(
        fake(),
        route_direct=lambda question: pick(routes),
        decide_retrieval=lambda question, attempt: pick(decisions),
        classify=lambda question: pick(classes),
        draft=draft,
        evaluate=evaluate,
        score_strips=score_strips,
        reason=reason,
        condense=condense,
    )
