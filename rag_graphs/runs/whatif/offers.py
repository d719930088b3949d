"""What can be changed at a moment of a run, each with a label in words."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from rag_graphs.errors import SettingsError
from rag_graphs.graphs.outline import CONDENSE
from rag_graphs.graphs.state import Document, Grade
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
from rag_graphs.runs.whatif.updating import LABELS

Words = Callable[[str], str]
"""Translates a string of the screen."""


@dataclass(frozen=True, kw_only=True)
class Offer:
    """`typed`: the change holds a text as it is now, for a reader to replace (`change.model_copy(update={"query": …})`);
    the others are ready to fork with. `document`: the id of the document that it is about, or ''."""

    change: Change
    label: str
    typed: bool = False
    document: str = ""


def offers_at(trace: Trace, visit: int, words: Words = str) -> list[Offer]:
    """What can be changed after the visit of that index, or at the start for -1. Nothing where no run can go on: inside a
    node that broke off, or where strategy or node are not known here."""
    try:
        moment = moment_at(trace, visit)
    except SettingsError:
        return []
    return list(_offers(moment, words))


def offers_now(trace: Trace, words: Words = str) -> list[Offer]:
    """What can be changed in a run in step mode that waits."""
    return list(_offers(moment_now(trace), words))


def _offers(moment: Moment, words: Words) -> Iterator[Offer]:
    if relevance_here(moment):
        yield from _relevance(moment, words)
    if graded_here(moment):
        yield from _verdicts(moment, words)
    if field := chosen_here(moment):
        yield from _choices(moment, field, words)
    if asks_next(moment):
        query = moment.state.chain[-1].sentence if moment.node == "reason_step" else moment.state.query
        label = words("The question stands alone as") if moment.node == CONDENSE else words("Search with other words")
        yield Offer(change=QueryChange(query=query or "…"), label=label, typed=True)
    if answered_here(moment):
        yield Offer(change=AnswerChange(text=moment.state.answer or "…"), label=words("Another answer"), typed=True)
    if kept_here(moment):
        yield from _documents(moment, words)


def _relevance(moment: Moment, words: Words) -> Iterator[Offer]:
    for document, grade in zip(moment.state.retrieved, moment.state.relevance, strict=False):
        for passed in _others(grade):
            change = RelevanceChange(document=moment.number(document), passed=passed)
            label = words("“{title}” is {grade}").format(
                title=_name(document), grade=words(LABELS["relevance"][passed])
            )
            yield Offer(change=change, label=label, document=document.id)


def _verdicts(moment: Moment, words: Words) -> Iterator[Offer]:
    for grade in (moment.state.grounded, moment.state.useful):
        assert grade is not None
        assert grade.aspect != "relevance"
        for passed in _others(grade):
            label = words("The answer is {grade}").format(grade=words(LABELS[grade.aspect][passed]))
            yield Offer(change=VerdictChange(change=grade.aspect, passed=passed), label=label)


def _choices(moment: Moment, field: str, words: Words) -> Iterator[Offer]:
    now = choice_now(moment, field)
    for outcome in moment.outcomes:
        if outcome != now:
            change = ChoiceChange.model_validate({"change": field, "to": outcome})
            yield Offer(change=change, label=words("Choose {outcome}").format(outcome=words(outcome)))


def _documents(moment: Moment, words: Words) -> Iterator[Offer]:
    kept = {d.id for d in moment.state.documents}
    for number, seen in enumerate(moment.state.seen, 1):
        document = seen.document
        here = document.id in kept
        label = words("Drop “{title}”") if here else words("Keep “{title}”")
        change = DocumentChange(change="drop" if here else "keep", document=number)
        yield Offer(change=change, label=label.format(title=_name(document)), document=document.id)


def _others(grade: Grade) -> list[bool]:
    return [passed for passed in (True, False) if passed is not grade.passed]


def _name(document: Document) -> str:
    where = f" › {document.heading}" if document.heading and document.heading != document.title else ""
    return f"{document.title or document.source}{where}"
