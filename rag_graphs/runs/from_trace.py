"""What a run's own panels tell of it: its drafts, its refinement, its chain. Derived from the trace, without any markup, at
every moment of the run."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from rag_graphs.graphs.critique_scores import Score, Weights, ranked, recorded_weights
from rag_graphs.graphs.retrieval_actions import action_for, banded, filtered
from rag_graphs.graphs.state import (
    Action,
    Complexity,
    Document,
    Evaluation,
    Grade,
    JudgedDraft,
    RagState,
    Strip,
    Thresholds,
)
from rag_graphs.runs.trace import Trace, Visit


@dataclass(frozen=True, kw_only=True)
class Drafts:
    """The drafts that have landed, in the order in which their documents were found, and the documents that `waiting` for
    theirs. `usable`: the ids of the documents whose draft may become the answer; None while not all have landed."""

    landed: list[JudgedDraft]
    waiting: list[Document]
    usable: frozenset[str] | None
    weights: Weights

    def ranking(self, weights: Weights) -> list[tuple[JudgedDraft, Score]]:
        """The drafts under these weights: those that may be the answer first, then the others, the best first in each."""
        order = ranked(self.landed, weights)
        return sorted(order, key=lambda pair: not self.may_win(pair[0])) if self.usable is not None else order

    def may_win(self, draft: JudgedDraft) -> bool:
        """Whether this draft may become the answer: there is one, and its document is relevant."""
        return bool(self.usable and draft.text and draft.document.id in self.usable)


def drafts_of(trace: Trace) -> Drafts | None:
    """The drafts of the last round; None before any was asked for."""
    visit = _last(trace, "draft_answers")
    if visit is None:
        return None
    documents, weights = visit.before.retrieved, recorded_weights(trace.head.settings)
    place = {d.id: n for n, d in enumerate(documents)}
    if (after := _handed_on(trace, visit)) is not None:
        landed = sorted(after.drafts, key=lambda d: place.get(d.document.id, len(place)))
        kept = frozenset(d.id for d in after.documents)
        return Drafts(landed=landed, waiting=[], usable=kept, weights=weights)
    arrived = {e.index: e.draft for e in trace.events if e.kind == "drafted" and e.attempt == visit.attempt}
    return Drafts(
        landed=[arrived[n] for n in sorted(arrived)],
        waiting=[d for n, d in enumerate(documents) if n not in arrived],
        usable=None,
        weights=weights,
    )


@dataclass(frozen=True, kw_only=True)
class Refinement:
    """What the evaluator scored and what was kept of it. `scored`: the library's documents with their grades, None while one
    is still to come; `texts`: every document that was refined or may be, whole, by its id; `most`: strips that are kept at
    most, of the library and of the web each."""

    scored: list[tuple[Document, Grade | None]]
    evaluation: Evaluation | None
    strips: list[Strip]
    texts: Mapping[str, Document]
    most: int

    def action_under(self, thresholds: Thresholds) -> Action:
        """The action that the recorded scores would have led to."""
        return action_for([g.score if g else None for _, g in self.scored], thresholds)

    def grades_under(self, thresholds: Thresholds) -> dict[str, Grade | None]:
        """Document id -> its recorded grade, with the verdict that these thresholds make of its score."""
        moved = self.evaluation is not None and thresholds != self.evaluation.thresholds
        return {d.id: banded(g, thresholds) if g and moved else g for d, g in self.scored}

    def strips_under(self, threshold: float) -> list[Strip]:
        """The recorded strips, kept or dropped by another threshold; library and web each keep their own best."""
        origins = {s.document: self.texts[s.document].origin for s in self.strips if s.document in self.texts}
        parts = [[s for s in self.strips if origins.get(s.document) == origin] for origin in ("library", "web")]
        return [strip for part in parts for strip in filtered(part, threshold, self.most)]


def refinement_of(trace: Trace) -> Refinement | None:
    """What was scored, decided and refined by now; None before the evaluator was asked."""
    visit = _last(trace, "evaluate_retrieval")
    if visit is None:
        return None
    documents = visit.before.retrieved
    grades: dict[int, Grade] = {}
    after = _handed_on(trace, visit)
    if after is not None:
        grades = dict(enumerate(after.relevance))
    else:
        grades = {
            e.index: e.grade
            for e in trace.events
            if e.kind == "graded" and e.index is not None and e.attempt == visit.attempt
        }
    recorded = trace.head.settings.get("keep_strips")
    return Refinement(
        scored=[(d, grades.get(n)) for n, d in enumerate(documents)],
        evaluation=trace.state.evaluation,
        strips=trace.state.strips,
        texts={s.document.id: s.document for s in trace.state.seen},
        most=recorded if isinstance(recorded, int) else 5,
    )


@dataclass(frozen=True, kw_only=True)
class Rung:
    """A round of a chain: what was searched for, what it found (and whether that was new), and the sentence reasoned then.
    `final`: the chain ended with it; `reached`: because it reaches the answer, not because it says nothing new."""

    query: str
    found: list[tuple[Document, bool]]
    sentence: str = ""
    final: bool = False
    reached: bool = False


@dataclass(frozen=True, kw_only=True)
class Chain:
    """The class of the question, and for C the rounds of retrieval and reasoning by now. `gathered`: documents held."""

    complexity: Complexity | None
    rungs: list[Rung] = field(default_factory=list)
    gathered: int = 0


def chain_of(trace: Trace) -> Chain:
    """The chain as far as it has come; a search that runs now is its last rung already."""
    state = trace.state
    known = {s.document.id: s.document for s in state.seen}
    rungs = [
        Rung(
            query=link.query,
            found=[(known[i], i in link.new) for i in link.found if i in known],
            sentence=link.sentence,
            final=link.final,
            reached=link.final
            and bool(link.sentence)
            and link.sentence not in (earlier.sentence for earlier in state.chain[:n]),
        )
        for n, link in enumerate(state.chain)
    ]
    if trace.active == "retrieve_more":
        rungs.append(Rung(query=searched_for(trace.visits[-1]), found=[]))
    return Chain(complexity=state.complexity, rungs=rungs, gathered=len(state.documents))


def searched_for(visit: Visit) -> str:
    """The query of a node that searches: in a chain it is what was reasoned last."""
    before = visit.before
    return before.chain[-1].sentence if visit.node == "retrieve_more" and before.chain else before.query


def not_passed(trace: Trace) -> bool:
    """Whether the answer has been given although it did not pass every check: the best of several drafts may not."""
    last = trace.state.answers[-1] if trace.state.answers else None
    return last is not None and any(g is not None and g.passed is False for g in (last.grounded, last.useful))


def other_thresholds(known: Thresholds, *, upper: float, lower: float, strip: float) -> Thresholds:
    """An evaluator's thresholds moved; the lower one never exceeds the upper one."""
    return replace(known, upper=upper, lower=min(lower, upper), strip=strip)


def cut_at(text: str, strips: Sequence[Strip]) -> list[tuple[str, Strip | None]]:
    """A document's text in pieces: each strip, and what lies between strips (None)."""
    pieces: list[tuple[str, Strip | None]] = []
    here = 0
    for strip in sorted(strips, key=lambda s: s.start):
        start, end = max(here, strip.start), min(len(text), strip.end)
        if start > here:
            pieces.append((text[here:start], None))
        if end > start:
            pieces.append((text[start:end], strip))
        here = max(here, end)
    return [*pieces, (text[here:], None)] if here < len(text) else pieces


def _last(trace: Trace, node: str) -> Visit | None:
    return next((v for v in reversed(trace.visits) if v.node == node), None)


def _handed_on(trace: Trace, visit: Visit) -> RagState | None:
    """The state that a node left to the next one, with what was edited between them; None while it runs."""
    if visit.after is None:
        return None
    following = visit.index + 1
    return trace.visits[following].before if following < len(trace.visits) else trace.state
