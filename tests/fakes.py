"""A fake set of components: lambdas, each easily replaced. Verdicts can be scripted."""

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from rag_graphs.component_types import Components
from rag_graphs.state import Document, Draft, Grade, Rewrite, Route

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


def script(values: list[Any]) -> Any:
    """A function that returns the values in turn, and the last one for ever."""
    left = list(values)
    return lambda *_: left.pop(0) if len(left) > 1 else left[0]


def fake(
    *,
    relevant: list[list[bool | None]] | None = None,
    verdicts: list[tuple[bool | None, bool | None]] | None = None,
    route: str = "vectorstore",
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

    components = Components(
        retrieve=lambda query: DOCS,
        search_web=lambda query: [HIT] if hits is None else hits,
        rewrite=lambda request: Rewrite(query=f"{request.question} ({len(request.queries)})"),
        generate=lambda request: iter(
            ["An ", "answer. [1]", Draft(text="An answer. [1]", abstained=not request.documents)]
        ),
        route=lambda question, history: Route(target=route, reason="scripted"),  # type: ignore[arg-type]
        grade_relevance=grade_relevance,
        grade_answer=grade_answer,
        conclude=lambda question, best, queries, search_error: f"Gave up. Best: {best.text if best else 'none'}",
        description="fake",
    )
    return replace(components, **others)
