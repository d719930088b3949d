"""Every conditional edge: a pure function of the state that returns an outcome. The runner evaluates an edge again to
learn which outcome was taken, so nothing here may change anything or ask anyone."""

from __future__ import annotations

from collections.abc import Callable

from rag_graphs.settings import Settings
from rag_graphs.state import RagState

Conditional = Callable[[RagState], str]


def any_relevant(settings: Settings) -> Conditional:
    """Self-RAG's and Adaptive RAG's question after grading: is at least one document relevant?"""

    def outcome(state: RagState) -> str:
        if state.documents:
            return "some relevant"
        return "budget spent" if state.rewrites >= settings.max_rewrites else "none relevant"

    return outcome


def enough_relevant(settings: Settings) -> Conditional:
    """CRAG's question after grading: is more than the required share relevant? Nothing retrieved counts as none, and a
    document that was only kept because its grade is unclear does not count."""

    def outcome(state: RagState) -> str:
        unclear = {d.id for d, g in zip(state.retrieved, state.relevance, strict=False) if g.passed is None}
        relevant = sum(document.id not in unclear for document in state.documents)
        share = relevant / len(state.retrieved) if state.retrieved else 0.0
        return "enough relevant" if share > settings.min_relevant_share else "too few relevant"

    return outcome


def answer_verdict(settings: Settings) -> Conditional:
    """After grading an answer. Unclear grades never loop; usefulness is disregarded where groundedness failed."""

    def outcome(state: RagState) -> str:
        grounded = state.grounded.passed if state.grounded else None
        useful = state.useful.passed if state.useful else None
        if grounded is False:
            return "budget spent" if state.regenerations >= settings.max_regenerations else "not grounded"
        if grounded is None or useful is None:
            return "not verified"
        if useful:
            return "useful"
        return "budget spent" if state.rewrites >= settings.max_rewrites else "not useful"

    return outcome


def chosen_route(state: RagState) -> str:
    """Where the router sends the question; a missing or failed route goes to the library."""
    if state.route is None or state.route.error:
        return "vectorstore"
    return state.route.target
