"""The conditional edges: each is a pure function of the state that returns an outcome, the label of the edge to take.

The runner evaluates an edge again to learn which outcome was taken, so an edge may neither change anything nor call a model.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal

from rag_graphs.graphs.state import RagState
from rag_graphs.settings import Settings

Conditional = Callable[[RagState], str]


def any_relevant(settings: Settings) -> Conditional:
    """Check whether at least one document is relevant, as Self-RAG and Adaptive RAG do after grading."""

    def outcome(state: RagState) -> str:
        if state.documents:
            return "some relevant"
        return "budget spent" if state.rewrites >= settings.max_rewrites else "none relevant"

    return outcome


def enough_relevant(settings: Settings) -> Conditional:
    """Check whether more than the required share of the documents is relevant, as CRAG does after grading. The share is 0
    where nothing was retrieved. A document that was kept although its grade is unclear does not count."""

    def outcome(state: RagState) -> str:
        unclear = {d.id for d, g in zip(state.retrieved, state.relevance, strict=False) if g.passed is None}
        relevant = sum(document.id not in unclear for document in state.documents)
        share = relevant / len(state.retrieved) if state.retrieved else 0.0
        return "enough relevant" if share > settings.min_relevant_share else "too few relevant"

    return outcome


def all_relevant(state: RagState) -> str:
    """Check whether every document is relevant. The outcome is no where nothing was retrieved or a grade is unclear."""
    relevant = bool(state.retrieved) and all(g.passed for g in state.relevance)
    return "all relevant" if relevant else "some irrelevant"


def none_relevant(state: RagState) -> str:
    """Check whether at least one document is relevant. It counts no budget: use it where no loop follows."""
    return "some relevant" if state.documents else "none relevant"


def answer_verdict(settings: Settings, again: Literal["rewrites", "searches"] = "rewrites") -> Conditional:
    """Decide from the grades of the answer whether the run ends or tries again. Unclear grades never loop, and usefulness is
    ignored where groundedness failed. `again`: the budget that another try after an answer that is not useful counts on."""

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
    """Go where the router sends the question. A missing or failed route leads to the library."""
    if state.route is None or state.route.error:
        return "vectorstore"
    return state.route.target


def retrieval_decided(state: RagState) -> str:
    """Check whether the decision was to retrieve. A missing or failed decision means to retrieve."""
    decision = state.decision
    return "no retrieval" if decision and not decision.error and not decision.retrieve else "retrieve"


def evaluated_action(state: RagState) -> str:
    """Return CRAG's action: correct, ambiguous or incorrect. A missing one counts as incorrect: there is nothing to refine."""
    return state.evaluation.action if state.evaluation else "incorrect"


def refined_action(state: RagState) -> str:
    """Check after refining whether the web is needed beside the library, as it is for an ambiguous retrieval."""
    return "ambiguous" if evaluated_action(state) == "ambiguous" else "correct"


def complexity_level(state: RagState) -> str:
    """Return the question's class: A, B or C. A missing or failed classification counts as B, one search."""
    complexity = state.complexity
    return "B" if complexity is None or complexity.error else complexity.label


def chain_reached(settings: Settings) -> Conditional:
    """Decide after a step of reasoning whether to write the answer or to search again with the last sentence."""

    def outcome(state: RagState) -> str:
        if state.chain and state.chain[-1].final:
            return "answer reached"
        spent = state.steps >= settings.max_steps or len(state.documents) >= settings.max_documents
        return "budget spent" if spent else "go on"

    return outcome
