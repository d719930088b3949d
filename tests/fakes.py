"""A fake set of components: lambdas, each easily replaced. Verdicts can be scripted."""

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from rag_graphs.graphs.components import Components, Thought
from rag_graphs.graphs.state import Complexity, Decision, Document, Draft, Grade, JudgedDraft, Rewrite, Route
from rag_graphs.graphs.strategies import all_strategies

DOCS = [Document(id=f"d{i}", text=f"Text {i}.", source="https://example.org/a", title=f"Page {i}") for i in range(1, 5)]
HIT = Document(id="w1", text="From the web.", source="https://example.org/w", title="Hit", origin="web")


def relevance(passed: bool | None) -> Grade:
    return Grade(
        aspect="relevance", passed=passed, label={True: "relevant", False: "not relevant", None: "unclear"}[passed]
    )


def grounded(passed: bool | None, reason: str = "because") -> Grade:
    return Grade(aspect="groundedness", passed=passed, label=str(passed), reason=reason)


def useful(passed: bool | None, score: float | None = None) -> Grade:
    return Grade(aspect="usefulness", passed=passed, label=str(passed), score=score, reason="because")


def judged(
    document: Document, relevant: bool | None = True, support: str = "fully supported", use: str = "5"
) -> JudgedDraft:
    """A draft from a document, judged by plain verdicts."""
    return JudgedDraft(
        document=document,
        text=f"From {document.title}. [1]",
        relevance=Grade(
            aspect="relevance",
            passed=relevant,
            label={True: "relevant", False: "irrelevant", None: "unclear"}[relevant],
        ),
        support=Grade(aspect="groundedness", passed=support == "fully supported", label=support),
        use=Grade(aspect="usefulness", passed=use in "45", label=use),
    )


def scored(score: float | None) -> Grade:
    """An evaluator's grade before thresholds."""
    return Grade(aspect="relevance", passed=None, label="", score=score)


OURS = (
    *("self-rag", "self-rag-web", "self-rag-critique"),
    *("crag", "crag-local", "crag-refined"),
    *("adaptive", "adaptive-direct", "adaptive-complexity"),
    "naive",
)
"""The strategies that this project promises, in their order. A further one need not be named here."""
VARIANTS: dict[str, tuple[str, dict[str, Any]]] = {
    **{key: (key, {}) for key in all_strategies()},
    "self-rag, gate from the question": ("self-rag", {"gate": "question"}),
    "self-rag, gate from an attempt": ("self-rag", {"gate": "attempt"}),
    "self-rag-web, any irrelevant": ("self-rag-web", {"search_when": "any irrelevant"}),
    "adaptive, conversing": ("adaptive", {"conversing": True}),
    "self-rag-critique, conversing": ("self-rag-critique", {"conversing": True}),
}
"""Every graph that the settings make: its strategy and those settings."""


def script(values: list[Any]) -> Any:
    """A function that returns the values in turn, and the last one for ever."""
    left = list(values)
    return lambda *_: left.pop(0) if len(left) > 1 else left[0]


def fake(
    *,
    relevant: list[list[bool | None]] | None = None,
    verdicts: list[tuple[bool | None, bool | None]] | None = None,
    route: str = "vectorstore",
    retrieval: bool = True,
    complexity: str = "B",
    scores: list[float | None] | None = None,
    thoughts: list[Thought] | None = None,
    hits: list[Document] | None = None,
    **others: Any,
) -> Components:
    """Components that pass every check, unless scripted: `relevant` per round, `verdicts` (grounded, useful) per attempt."""
    rounds = script(relevant or [[True, False, False, False]])
    attempts = script(verdicts or [(True, True)])

    def grade_relevance(question: str, documents: list[Document]) -> Iterator[tuple[int, Grade]]:
        given = rounds()
        return ((i, relevance(given[i % len(given)])) for i, _ in enumerate(documents))

    def grade_answer(question: str, documents: list[Document], answer: str) -> Iterator[Grade]:
        g, u = attempts()
        return iter([grounded(g), useful(u)])

    def evaluate(question: str, documents: list[Document]) -> Iterator[tuple[int, Grade]]:
        given = scores or [0.9]
        return ((i, scored(given[i % len(given)])) for i, _ in enumerate(documents))

    thinking = script(thoughts or [Thought(sentence="So the answer is: 12.", final=True)])
    components = Components(
        retrieve=lambda query: DOCS,
        retrieve_many=lambda query, k: DOCS[:k],
        search_web=lambda query: [HIT] if hits is None else hits,
        rewrite=lambda request: Rewrite(query=f"{request.question} ({len(request.queries)})"),
        generate=lambda request: iter(
            ["An ", "answer. [1]", Draft(text="An answer. [1]", abstained=not request.documents)]
        ),
        generate_directly=lambda request: iter(["From memory.", Draft(text="From memory.")]),
        draft=lambda question, documents: ((i, judged(d)) for i, d in enumerate(documents)),
        route=lambda question: Route(target=route, reason="scripted"),  # type: ignore[arg-type]
        route_direct=lambda question: Route(target=route, reason="scripted"),  # type: ignore[arg-type]
        decide_retrieval=lambda question, attempt: Decision(retrieve=retrieval, reason="scripted"),
        classify=lambda question: Complexity(label=complexity, reason="scripted"),  # type: ignore[arg-type]
        grade_relevance=grade_relevance,
        grade_answer=grade_answer,
        evaluate=evaluate,
        decompose=lambda text: [(0, len(text))] if text else [],
        score_strips=lambda question, strips: ((i, [0.9] * len(own)) for i, own in enumerate(strips)),
        reason=lambda request: thinking(),
        condense=lambda question, history: Rewrite(query=question),
        conclude=lambda question, best, queries, search_error: f"Gave up. Best: {best.text if best else 'none'}",
        description="fake",
    )
    return replace(components, **others)
