"""Pure helpers that make the updates of the state: what nodes return, and what a fork or an edit changes.

Nodes and forks share them, so that flipping a grade also changes the kept documents and whatever else follows from it.
"""

from __future__ import annotations

from dataclasses import replace

from rag_graphs.graphs.near_duplicates import unheard
from rag_graphs.graphs.retrieval_actions import action_of
from rag_graphs.graphs.state import (
    Answer,
    AnswerKind,
    Document,
    Draft,
    Evaluation,
    Grade,
    JudgedDraft,
    Link,
    RagState,
    Seen,
    Strip,
    Thresholds,
    Update,
    best_attempt,
)


def see(seen: list[Seen], documents: list[Document], grades: list[Grade] | None = None) -> list[Seen]:
    """`seen` with these documents in it, each once, under its last grade."""
    by_id = {s.document.id: s for s in seen}
    for i, document in enumerate(documents):
        known = by_id.get(document.id)
        grade = grades[i] if grades else (known.grade if known else None)
        by_id[document.id] = Seen(document=document, grade=grade)
    return list(by_id.values())


def new_query(state: RagState, query: str, note: str = "") -> Update:
    """Search for something else: this round's documents and verdicts are cleared, what was kept and seen stays."""
    return {
        "query": query,
        "queries": [*state.queries, query],
        "retrieved": [],
        "relevance": [],
        "grounded": None,
        "useful": None,
        "feedback": "",
        "notes": [*state.notes, note] if note else state.notes,
    }


def retrieved(state: RagState, documents: list[Document]) -> Update:
    """A search of the library returned these documents; without a grader they are also the kept ones."""
    return {"retrieved": documents, "relevance": [], "documents": documents, "seen": see(state.seen, documents)}


def graded(state: RagState, grades: list[Grade], *, keep_unclear: bool) -> Update:
    """Keep the relevant ones of this round's documents. An unclear grade drops its document unless `keep_unclear`."""
    kept = [d for d, g in zip(state.retrieved, grades, strict=True) if g.passed or (g.passed is None and keep_unclear)]
    return {"relevance": grades, "documents": kept, "seen": see(state.seen, state.retrieved, grades)}


def found_on_web(state: RagState, documents: list[Document], error: str = "") -> Update:
    """A web search returned these documents (or failed): those not held yet join the kept ones."""
    held = {d.id for d in state.documents}
    return {
        "documents": [*state.documents, *(d for d in documents if d.id not in held)],
        "seen": see(state.seen, documents),
        "searches": state.searches + 1,
        "search_error": error,
    }


def attempt(state: RagState, draft: Draft) -> Update:
    """A new attempt at the answer, written from the kept documents."""
    kind: AnswerKind = "abstained" if draft.abstained else "from documents"
    answer = Answer(text=draft.text, kind=kind, query=state.query, documents=state.documents)
    again = state.grounded is not None and state.grounded.passed is False
    return {
        "answer": draft.text,
        "answers": [*state.answers, answer],
        "regenerations": state.regenerations + again,
        "grounded": None,
        "useful": None,
    }


def verdict(state: RagState, grounded: Grade, useful: Grade) -> Update:
    """The grades of the last attempt. Usefulness is disregarded where groundedness failed."""
    last = replace(state.answers[-1], grounded=grounded, useful=useful)
    failed = grounded if grounded.passed is False else useful
    return {
        "grounded": grounded,
        "useful": useful,
        "answers": [*state.answers[:-1], last],
        "feedback": failed.reason if failed.passed is False else "",
    }


def gave_up(state: RagState, text: str) -> Update:
    """The closing answer of a run whose budget is spent. It carries the best attempt's documents and grades."""
    best = best_attempt(state.answers)
    base = best or Answer(text="", query=state.query)
    return {"answer": text, "answers": [*state.answers, replace(base, text=text, kind="gave up")]}


def condensed(state: RagState, question: str, note: str = "") -> Update:
    """A follow-up question in words that stand alone; nothing changes where it did already."""
    if question == state.question:
        return {}
    notes = [*state.notes, note] if note else state.notes
    return {"condensed": question, "query": question, "queries": [*state.queries, question], "notes": notes}


def answered_directly(state: RagState, draft: Draft) -> Update:
    """An answer without any document, from what the model knows."""
    kind: AnswerKind = "abstained" if draft.abstained else "from the model"
    answer = Answer(text=draft.text, kind=kind, query=state.query)
    return {"answer": draft.text, "answers": [*state.answers, answer]}


def drafted(state: RagState, drafts: list[JudgedDraft], *, keep_unclear: bool) -> Update:
    """A draft of each of this round's documents, in their order; kept are the documents that a draft calls relevant."""
    return {**graded(state, [d.relevance for d in drafts], keep_unclear=keep_unclear), "drafts": drafts}


def redrafted(state: RagState, grades: list[Grade], *, keep_unclear: bool) -> Update:
    """The drafts under other relevance grades."""
    pairs = zip(state.drafts, grades, strict=True)
    return drafted(state, [replace(d, relevance=g) for d, g in pairs], keep_unclear=keep_unclear)


def chosen(state: RagState, drafts: list[JudgedDraft]) -> Update:
    """The drafts, best first; the first one is the answer and carries its judgements."""
    best = drafts[0]
    answer = Answer(
        text=best.text, query=state.query, documents=[best.document], grounded=best.support, useful=best.use
    )
    return {
        "drafts": drafts,
        "documents": [best.document],
        "answer": best.text,
        "answers": [*state.answers, answer],
        "grounded": best.support,
        "useful": best.use,
    }


def nothing_found(state: RagState, text: str) -> Update:
    """No draft is of use: the closing text of a run that found nothing."""
    answer = Answer(text=text, kind="abstained", query=state.query)
    return {"documents": [], "answer": text, "answers": [*state.answers, answer]}


def evaluated(state: RagState, grades: list[Grade], thresholds: Thresholds) -> Update:
    """What the evaluator's verdicts together mean. Incorrect throws this round's documents away (CRAG, 4.3)."""
    action = action_of([g.passed for g in grades])
    return {
        "relevance": grades,
        "seen": see(state.seen, state.retrieved, grades),
        **acting(state, Evaluation(action=action, thresholds=thresholds)),
    }


def acting(state: RagState, evaluation: Evaluation) -> Update:
    """The action, and the documents that it keeps."""
    return {"evaluation": evaluation, "documents": [] if evaluation.action == "incorrect" else state.retrieved}


def refined(state: RagState, documents: list[Document], strips: list[Strip]) -> Update:
    """Documents reduced to what matters take the place of the same documents whole."""
    scored = {s.document for s in strips}
    others = [d for d in state.documents if d.id not in scored]
    return {"strips": [*state.strips, *strips], "documents": [*others, *documents]}


def gathered(state: RagState, query: str, found: list[Document], most: int) -> Update:
    """Another round of retrieval in a chain: what is new joins the documents, up to `most` of them."""
    new = unheard(state.documents, found, most - len(state.documents))
    link = Link(query=query, found=[d.id for d in found], new=[d.id for d in new])
    queries = state.queries if query == state.queries[-1] else [*state.queries, query]
    return {
        "query": query,
        "queries": queries,
        "retrieved": found,
        "documents": [*state.documents, *new],
        "seen": see(state.seen, found),
        "chain": [*state.chain, link],
    }


def reasoned(state: RagState, sentence: str, *, final: bool) -> Update:
    """The sentence that was reasoned from all documents so far."""
    *earlier, last = state.chain
    return {"chain": [*earlier, replace(last, sentence=sentence, final=final)], "steps": state.steps + 1}
