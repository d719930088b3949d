"""What can be changed at which place of a run."""

from __future__ import annotations

from rag_graphs.graphs.outline import CONDENSE
from rag_graphs.graphs.state import Complexity, Decision, Evaluation, Route
from rag_graphs.graphs.strategy import END, START
from rag_graphs.runs.whatif.moments import GRADERS, Moment

ASKING = frozenset({"queries", "route", "decision", "complexity"})
"""Fields of the state with whose change the next search is settled."""
CHOICES = ("route", "decision", "evaluation", "complexity")
"""Fields of the state by which a node chooses an outcome."""


def relevance_here(moment: Moment) -> bool:
    """Whether the node has graded documents. A trace from elsewhere may hold grades of other documents than it retrieved."""
    state = moment.state
    known = {s.document.id for s in state.seen}
    fitting = {len(state.relevance)} == {len(state.retrieved), len(state.drafts or state.relevance)}
    return (
        "relevance" in moment.changed and bool(state.relevance) and fitting and known >= {d.id for d in state.retrieved}
    )


def graded_here(moment: Moment) -> bool:
    """Whether the node has graded an answer."""
    state = moment.state
    graded = state.answers and state.grounded is not None and state.useful is not None
    return "grounded" in moment.changed and bool(graded)


def asks_next(moment: Moment) -> bool:
    """Whether the next search may get other words here: at the start, unless the question is made to stand alone first and
    would get other words again; after that; after a choice of where to search, a rewrite or a step of reasoning."""
    if moment.node == START:
        return CONDENSE not in moment.targets
    if moment.node == "reason_step":
        return bool(moment.state.chain)
    searched = moment.node == "retrieve_more"
    return moment.node == CONDENSE or (not searched and bool(moment.changed & ASKING))


def kept_here(moment: Moment) -> bool:
    """Whether the node has settled which documents are kept, and no grader settles it anew right after."""
    return "documents" in moment.changed and moment.targets != {END} and not moment.targets & GRADERS


def answered_here(moment: Moment) -> bool:
    """Whether the node has written an attempt at an answer."""
    state = moment.state
    written = "answer" in moment.changed and bool(state.answers) and not graded_here(moment)
    return written and state.answers[-1].kind != "gave up"


def chosen_here(moment: Moment) -> str:
    """Which field of the state the node has chosen an outcome by, or ''."""
    return next((f for f in CHOICES if f in moment.changed and choice_now(moment, f) in moment.outcomes), "")


def choice_now(moment: Moment, field: str) -> str:
    """What a field of the state chooses now, in the words of the outcomes; '' where it chooses nothing."""
    value = getattr(moment.state, field)
    match value:
        case Route():
            return value.target
        case Decision():
            return "retrieve" if value.retrieve else "no retrieval"
        case Complexity():
            return value.label
        case Evaluation():
            return value.action
    return ""
