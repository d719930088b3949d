"""Traces made by running the strategies on fake components, hostile ones among them."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from rag_graphs import Components, Document, ServiceError, Trace, get_strategy, load_settings, run
from rag_graphs.graphs.components import Thought
from rag_graphs.graphs.state import Complexity, Draft, Grade, Thresholds
from tests.fakes import fake, judged, scored

HOSTILE = (
    '<img src="http://evil.example/i.png"> ![x](http://evil.example/m.png) [a](javascript:alert(1))\n\n'
    "# heading\n\n:material/home: $x^2$ <script>alert(1)</script>"
)
HOSTILE_DOCUMENT = Document(
    id="h1", text=HOSTILE, source="javascript:alert(1)", title=HOSTILE, heading=HOSTILE, language="en", score=0.4
)


def trace(strategy: str, question: str = "What is it?", components: Components | None = None, **settings: Any) -> Trace:
    """A whole run of a strategy."""
    chosen = load_settings(**settings)
    return Trace(list(run(get_strategy(strategy), question, components or fake(), chosen, run_id=f"made-{strategy}")))


def hostile() -> Components:
    """Everything that comes from outside tries to get out of its place."""
    return fake(
        retrieve=lambda query: [HOSTILE_DOCUMENT],
        relevant=[[True]],
        generate=lambda request: iter([HOSTILE, "[1]", Draft(text=f"{HOSTILE}[1]")]),
    )


def failing() -> Components:
    """The model server is not there when the answer is to be written."""

    def generate(request: Any) -> Any:
        raise ServiceError("The model server refused the connection. Start it, or choose another model.")

    return fake(generate=generate)


def many_runs() -> list[Trace]:
    """Every strategy, on the way that pleases, on the ways that loop or give up, hostile and broken."""
    ways: list[dict[str, Any]] = [
        {"components": fake()},
        {"components": fake(relevant=[[False]])},
        {"components": fake(relevant=[[None]])},
        {"components": fake(verdicts=[(False, True), (True, False), (True, True)])},
        {"components": fake(verdicts=[(None, None)])},
        {"components": fake(route="web search", hits=[])},
        {"components": hostile(), "question": HOSTILE},
        {"components": failing()},
        {"components": fake(retrieve=lambda query: [])},
    ]
    first = [trace(key, **way) for key in ("naive", "self-rag", "crag", "adaptive") for way in ways]
    return [*first, *further_runs()]


def further_runs() -> list[Trace]:
    """The six further strategies, and the gate, on their own ways."""
    web = fake(relevant=[[False]], verdicts=[(True, False), (True, True)])
    found = [Thought(sentence="Page 1 names Page 2."), Thought(sentence="So it is 12.", final=True)]
    ways: list[tuple[str, Components, dict[str, Any]]] = [
        ("self-rag", fake(retrieval=False), {"gate": "question"}),
        ("self-rag-web", web, {}),
        ("self-rag-critique", critical(), {}),
        ("self-rag-critique", fake(retrieval=False), {}),
        ("self-rag-critique", fake(draft=lambda q, docs: ((i, judged(d, False)) for i, d in enumerate(docs))), {}),
        ("self-rag-critique", fake(retrieve_many=lambda query, k: []), {}),
        ("crag-local", fake(), {}),
        *(("crag-refined", fake(scores=scores), {}) for scores in ([0.9, 0.1], [0.5], [0.1], [None])),
        ("crag-refined", fake(retrieve=lambda query: []), {}),
        ("adaptive-direct", fake(route="no retrieval"), {}),
        *(("adaptive-complexity", fake(complexity=label, thoughts=found), {}) for label in "ABC"),
        ("adaptive-complexity", fake(complexity="C", retrieve=lambda query: []), {}),
    ]
    made = [trace(key, components=components, **settings) for key, components, settings in ways]
    return made + [trace(key, HOSTILE, all_hostile()) for key in FURTHER]


FURTHER = ("self-rag-critique", "crag-refined", "adaptive-complexity")


def critical() -> Components:
    """Drafts whose order depends on the weights: the first is supported but of little use, the second the other way round."""
    kinds = [(True, "fully supported", "2"), (True, "no support", "5"), (True, "partially supported", "3")]

    def draft(question: str, documents: list[Document]) -> Any:
        for i, document in enumerate(documents):
            yield i, judged(document, *(kinds[i] if i < len(kinds) else (False, "no support", "1")))

    return fake(draft=draft)


def all_hostile() -> Components:
    """As `hostile`, with hostile drafts, strips and sentences."""
    bad = Grade(aspect="usefulness", passed=True, label=HOSTILE, reason=HOSTILE)

    def draft(question: str, documents: list[Document]) -> Any:
        made = judged(documents[0])
        grades = {"relevance": replace(made.relevance, reason=HOSTILE), "support": replace(bad, aspect="groundedness")}
        yield 0, replace(made, text=HOSTILE, use=bad, **grades)

    return replace(
        hostile(),
        retrieve_many=lambda query, k: [HOSTILE_DOCUMENT],
        draft=draft,
        classify=lambda question: Complexity(label="C", reason=HOSTILE),
        reason=lambda request: Thought(sentence=HOSTILE + str(len(request.chain)), final=len(request.chain) > 1),
        evaluate=lambda question, documents: (
            (i, replace(scored(0.9), reason=HOSTILE)) for i, _ in enumerate(documents)
        ),
        decompose=lambda written: [(0, 20), (20, len(written))],
        score_strips=lambda question, strips: ((i, [0.9, 0.1]) for i, _ in enumerate(strips)),
        thresholds=Thresholds(evaluator=HOSTILE),
    )
