"""Traces made by running the strategies on fake components, hostile ones among them."""

from __future__ import annotations

from typing import Any

from rag_graphs import Components, Document, ServiceError, Trace, get_strategy, load_settings, run
from rag_graphs.state import Draft
from tests.fakes import fake

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
    return [trace(key, **way) for key in ("naive", "self-rag", "crag", "adaptive") for way in ways]
