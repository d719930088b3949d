"""Every conditional edge: a pure function of the state that returns an outcome. The runner evaluates an edge again to
learn which outcome was taken, so nothing here may change anything or ask anyone."""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal

from rag_graphs.graphs.state import RagState
from rag_graphs.settings import Settings

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


def all_relevant(state: RagState) -> str:
    """Is every document relevant? Nothing retrieved counts as no, and so does an unclear grade."""
    whole = bool(state.retrieved) and all(g.passed for g in state.relevance)
    return "all relevant" if whole else "some irrelevant"


def none_relevant(state: RagState) -> str:
    """Is at least one document relevant? Without a budget, where what follows does not lead back."""
    return "some relevant" if state.documents else "none relevant"


def answer_verdict(settings: Settings, again: Literal["rewrites", "searches"] = "rewrites") -> Conditional:
    """Whether the graded answer is the last, or another attempt follows. Unclear grades never loop; usefulness is disregarded
    where groundedness failed. `again`: the budget of another try where the answer is not useful."""

    def outcome(state: RagState) -> str:
        grounded = state.grounded.passed if state.grounded else None
        useful = state.useful.passed if state.useful else None
        if grounded is False:
            return "budget spent" if state.regenerations >= settings.max_regenerations else "not grounded"
        if grounded is None or useful is None:
            return "not verified"
        if useful:
            return "useful"
        spent = {
            "rewrites": state.rewrites >= settings.max_rewrites,
            "searches": state.searches >= settings.max_searches,
        }
        return "budget spent" if spent[again] else "not useful"

    return outcome


def chosen_route(state: RagState) -> str:
    """Where the router sends the question; a missing or failed route goes to the library."""
    if state.route is None or state.route.error:
        return "vectorstore"
    return state.route.target


def retrieval_decided(state: RagState) -> str:
    """Whether to retrieve at all; a missing or failed decision retrieves."""
    decision = state.decision
    return "no retrieval" if decision and not decision.error and not decision.retrieve else "retrieve"


def evaluated_action(state: RagState) -> str:
    """CRAG's action: correct, ambiguous or incorrect. A missing one is incorrect: there is nothing to refine."""
    return state.evaluation.action if state.evaluation else "incorrect"


def refined_action(state: RagState) -> str:
    """After refining: an ambiguous retrieval needs the web beside the library."""
    return "ambiguous" if evaluated_action(state) == "ambiguous" else "correct"


def complexity_level(state: RagState) -> str:
    """A, B or C; a missing or failed classification counts as B, one search."""
    complexity = state.complexity
    return "B" if complexity is None or complexity.error else complexity.label


def chain_reached(settings: Settings) -> Conditional:
    """After a step of reasoning: on to the answer, or to another search with what was reasoned."""

    def outcome(state: RagState) -> str:
        if state.chain and state.chain[-1].final:
            return "answer reached"
        spent = state.steps >= settings.max_steps or len(state.documents) >= settings.max_documents
        return "budget spent" if spent else "go on"

    return outcome
