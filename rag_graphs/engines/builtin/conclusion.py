"""The closing text of a run that gives up."""

from __future__ import annotations

from rag_graphs.engines.builtin.phrases import phrase
from rag_graphs.graphs.state import Answer


def conclude(question: str, best: Answer | None, queries: list[str], search_error: str) -> str:
    """In the language of the question: the best attempt, said to be unverified; or what could not be found and what was
    tried. A failed web search is named either way."""
    failed = [phrase("web failed", question, error=search_error)] if search_error else []
    if best is not None:
        return " ".join([phrase("unverified", question), best.text, *failed])
    tried = ", ".join(f"“{q}”" for q in dict.fromkeys(queries) if q.strip())
    told = [phrase("tried", question, queries=tried)] if tried else []
    return " ".join([phrase("not found", question), *told, *failed])
