"""Make the one JSON document that `ask`, `replay` and `fork` print."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from rag_graphs import TRACE_VERSION

if TYPE_CHECKING:
    from rag_graphs import Trace


def document(
    trace: Trace | None, *, strategy: str, question: str, error: str, warnings: Sequence[str]
) -> dict[str, Any]:
    """Return the document. It has the same keys for every run, also for one that failed or, without a trace, never began. It
    can be opened as a trace."""
    state = trace.state if trace else None
    recorded = trace.to_json() if trace else {"version": TRACE_VERSION, "events": []}
    return {
        "version": recorded["version"],
        "run_id": trace.head.run_id if trace else "",
        "strategy": trace.head.strategy if trace else strategy,
        "question": trace.head.question if trace else question,
        "answer": state.answer if state else "",
        "stop_reason": (trace.stop_reason if trace else None) or "failed",
        "path": trace.path if trace else [],
        "outcomes": [{"from": e.source, "outcome": e.outcome, "to": e.target} for e in (trace.edges if trace else [])],
        "queries": trace.queries if trace else [],
        "grades": _grades(trace),
        "seconds": trace.seconds if trace else 0.0,
        "llm_calls": trace.llm_calls if trace else 0,
        "error": error or (trace.error if trace else "") or None,
        "warnings": [*warnings, *(trace.warnings if trace else [])],
        "events": recorded["events"],
    }


def _grades(trace: Trace | None) -> list[dict[str, Any]]:
    shown = ("source", "title", "text", "origin")
    return [
        {**asdict(grade), "document": {name: getattr(document, name) for name in shown} if document else None}
        for document, grade in (trace.grades if trace else [])
    ]
