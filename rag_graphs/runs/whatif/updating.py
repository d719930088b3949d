"""From a change to the update of the state that it means, with everything that follows from it."""

from __future__ import annotations

from dataclasses import replace
from typing import get_args

from rag_graphs.errors import SettingsError
from rag_graphs.graphs.outline import CONDENSE
from rag_graphs.graphs.state import Action, Grade, Level, Route, Target, Update, apply
from rag_graphs.graphs.strategy import START
from rag_graphs.graphs.updates import acting, evaluated, graded, new_query, redrafted, verdict
from rag_graphs.runs.trace import Trace
from rag_graphs.runs.whatif.changes import (
    AnswerChange,
    Change,
    ChoiceChange,
    DocumentChange,
    QueryChange,
    RelevanceChange,
    VerdictChange,
)
from rag_graphs.runs.whatif.moments import Moment, moment_at, moment_now
from rag_graphs.runs.whatif.places import (
    answered_here,
    asks_next,
    choice_now,
    chosen_here,
    graded_here,
    kept_here,
    relevance_here,
)

LABELS = {
    "relevance": {True: "relevant", False: "not relevant", None: "unclear"},
    "groundedness": {True: "grounded", False: "not grounded", None: "unclear"},
    "usefulness": {True: "useful", False: "not useful", None: "unclear"},
}


def update_at(trace: Trace, visit: int, change: Change) -> Update:
    """The update with which a fork goes on after the visit of that index, or from the start for -1. Raises SettingsError, in
    words, where this cannot be changed."""
    return update_for(moment_at(trace, visit), change)


def update_now(trace: Trace, *changes: Change) -> Update:
    """The update for `Run.next` of a run in step mode that waits; several changes take effect one after the other."""
    moment, update = moment_now(trace), Update()
    for change in changes:
        step = update_for(moment, change)
        update |= step
        moment = replace(moment, state=apply(moment.state, step))
    return update


def visit_named(trace: Trace, name: str) -> int:
    """The index of a visit by "node", "node:2" for its second time, or "START". Raises SettingsError."""
    node, _, which = name.partition(":")
    if node == START:
        return -1
    visits = [v.index for v in trace.visits if v.node == node and v.after is not None]
    number = int(which) if which.isascii() and which.isdigit() and len(which) < 6 else 1 if not which else 0
    if not 1 <= number <= len(visits):
        passed = ", ".join(dict.fromkeys(["START", *trace.path]))
        raise SettingsError(
            f"This run finished no {name!r}. It passed {passed}; write NODE, or NODE:2 for its second time."
        )
    return visits[number - 1]


def update_for(moment: Moment, change: Change) -> Update:
    """The update for a change at a moment. Raises SettingsError."""
    match change:
        case RelevanceChange():
            return _relevance(moment, change)
        case VerdictChange():
            return _verdict(moment, change)
        case QueryChange():
            return _query(moment, change)
        case ChoiceChange():
            return _choice(moment, change)
        case DocumentChange():
            return _document(moment, change)
        case AnswerChange():
            return _answer(moment, change)


def _relevance(moment: Moment, change: RelevanceChange) -> Update:
    state, document = moment.state, moment.document(change.document)
    _only(moment, relevance_here(moment), "grades documents")
    ids = [d.id for d in state.retrieved]
    if document.id not in ids:
        raise SettingsError(f"“{document.title}” was not graded there, so its grade cannot be another one.")
    grades = list(state.relevance)
    index = ids.index(document.id)
    grades[index] = _by_hand(grades[index], change.passed)
    if state.evaluation and moment.node == "evaluate_retrieval":
        return evaluated(state, grades, state.evaluation.thresholds)
    if state.drafts:
        return redrafted(state, grades, keep_unclear=moment.keep_unclear)
    return graded(state, grades, keep_unclear=moment.keep_unclear)


def _verdict(moment: Moment, change: VerdictChange) -> Update:
    grounded, useful = moment.state.grounded, moment.state.useful
    _only(moment, graded_here(moment), "grades an answer")
    assert grounded is not None
    assert useful is not None
    if change.change == "groundedness":
        return verdict(moment.state, _by_hand(grounded, change.passed), useful)
    return verdict(moment.state, grounded, _by_hand(useful, change.passed))


def _query(moment: Moment, change: QueryChange) -> Update:
    _only(moment, asks_next(moment), "settles the next query")
    state, query = moment.state, " ".join(change.query.split())
    if not query:
        raise SettingsError("Write a query first.")
    if moment.node == CONDENSE:
        alone = "" if query == state.question else query
        return {"condensed": alone, "query": query, "queries": [state.question, alone] if alone else [query]}
    if moment.node == "reason_step":
        *earlier, last = state.chain
        return {"chain": [*earlier, replace(last, sentence=query, final=False)]}
    if "queries" in moment.changed:
        return {"query": query, "queries": [*state.queries[:-1], query]}
    return new_query(state, query)


def _choice(moment: Moment, change: ChoiceChange) -> Update:
    _only(moment, chosen_here(moment) == change.change, f"chooses a {change.change}")
    if change.to not in moment.outcomes:
        raise SettingsError(f"{moment.node} can choose {', '.join(moment.outcomes)}; {change.to!r} is none of them.")
    state = moment.state
    was = f"Chosen by hand. {_was(choice_now(moment, change.change), _reason(moment, change.change))}"
    match change.change:
        case "route":
            target = next(t for t in get_args(Target) if t == change.to)
            return {"route": Route(target=target, reason=was)}
        case "decision":
            assert state.decision
            return {"decision": replace(state.decision, retrieve=change.to == "retrieve", reason=was, error="")}
        case "complexity":
            assert state.complexity
            label = next(level for level in get_args(Level) if level == change.to)
            return {"complexity": replace(state.complexity, label=label, reason=was, error="")}
        case "evaluation":
            assert state.evaluation
            action = next(a for a in get_args(Action) if a == change.to)
            return acting(state, replace(state.evaluation, action=action, reason=was))


def _document(moment: Moment, change: DocumentChange) -> Update:
    _only(moment, kept_here(moment), "settles which documents are kept")
    state, document = moment.state, moment.document(change.document)
    kept = any(d.id == document.id for d in state.documents)
    if kept == (change.change == "keep"):
        raise SettingsError(f"“{document.title}” is {'kept already' if kept else 'not among the kept documents'}.")
    kept_then = [d for d in state.documents if d.id != document.id] if kept else [*state.documents, document]
    return {"documents": kept_then}


def _answer(moment: Moment, change: AnswerChange) -> Update:
    _only(moment, answered_here(moment), "writes an answer")
    *earlier, last = moment.state.answers
    kind = "from documents" if last.kind == "abstained" else last.kind
    return {"answer": change.text, "answers": [*earlier, replace(last, text=change.text, kind=kind)]}


def _reason(moment: Moment, field: str) -> str:
    return str(getattr(getattr(moment.state, field), "reason", ""))


def _only(moment: Moment, possible: bool, does: str) -> None:
    if not possible:
        where = "The start" if moment.node == START else moment.node
        raise SettingsError(f"{where} is no place where this can be changed: it is no node that {does}.")


def _by_hand(grade: Grade, passed: bool | None) -> Grade:
    label = LABELS[grade.aspect][passed]
    return Grade(
        aspect=grade.aspect, passed=passed, label=label, reason=f"Set by hand. {_was(grade.label, grade.reason)}"
    )


def _was(label: str, reason: str) -> str:
    return f"It was: {label}. {reason}".strip()
