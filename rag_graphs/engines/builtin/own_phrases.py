"""What the built-in engine says itself, in the language of the question."""

from __future__ import annotations

from rag_graphs.graphs.state import Answer
from rag_graphs.language.phrases import phrases
from rag_graphs.language.text import detect_language


def phrase(name: str, question: str, **values: str) -> str:
    """Return a phrase in the language of the question, or in English."""
    chosen = phrases().get(detect_language(question), phrases()["en"])[name]
    for key, value in values.items():
        chosen = chosen.replace("{" + key + "}", value)
    return chosen


def conclude(question: str, best: Answer | None, queries: list[str], search_error: str) -> str:
    """Return the closing text of a run that gives up: the best attempt, said to be unverified; or what could not be found and
    what was tried. A failed web search is named either way."""
    failed = [phrase("web failed", question, error=search_error)] if search_error else []
    if best is not None:
        return " ".join([phrase("unverified", question), best.text, *failed])
    tried = ", ".join(f"“{q}”" for q in dict.fromkeys(queries) if q.strip())
    told = [phrase("tried", question, queries=tried)] if tried else []
    return " ".join([phrase("not found", question), *told, *failed])
