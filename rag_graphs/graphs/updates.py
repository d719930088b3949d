"""Pure functions that make updates of the state.

Nodes return them, and so does a fork that edits a recorded run: when it flips a grade, the kept documents change with it.
"""

from __future__ import annotations

from dataclasses import replace

from rag_graphs.graphs.near_duplicates import new_documents
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
    """Return `seen` with these documents added, each document once and with its latest grade."""
    by_id = {s.document.id: s for s in seen}
    for i, document in enumerate(documents):
        earlier = by_id.get(document.id)
        grade = grades[i] if grades else (earlier.grade if earlier else None)
        by_id[document.id] = Seen(document=document, grade=grade)
    return list(by_id.values())


def new_query(state: RagState, query: str, note: str = "") -> Update:
    """Set another query. The last search's documents and grades are cleared; kept and seen documents stay."""
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
    """Record the documents that a search of the library returned. All are kept until a grader drops some."""
    return {"retrieved": documents, "relevance": [], "documents": documents, "seen": see(state.seen, documents)}


def graded(state: RagState, grades: list[Grade], *, keep_unclear: bool) -> Update:
    """Record the grades of the retrieved documents and keep the relevant ones; with `keep_unclear` also the unclear ones."""
    kept = [d for d, g in zip(state.retrieved, grades, strict=True) if g.passed or (g.passed is None and keep_unclear)]
    return {"relevance": grades, "documents": kept, "seen": see(state.seen, state.retrieved, grades)}


def found_on_web(state: RagState, documents: list[Document], error: str = "") -> Update:
    """Record the documents that a web search returned, or its error. Documents that are not kept yet are added."""
    kept_ids = {d.id for d in state.documents}
    return {
        "documents": [*state.documents, *(d for d in documents if d.id not in kept_ids)],
        "seen": see(state.seen, documents),
        "searches": state.searches + 1,
        "search_error": error,
    }


def attempt(state: RagState, draft: Draft) -> Update:
    """Record a new attempt at the answer, written from the kept documents."""
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
    """Record the grades of the last attempt. The feedback for the next one is the reason of the grade that failed,
    groundedness first."""
    last = replace(state.answers[-1], grounded=grounded, useful=useful)
    failed = grounded if grounded.passed is False else useful
    return {
        "grounded": grounded,
        "useful": useful,
        "answers": [*state.answers[:-1], last],
        "feedback": failed.reason if failed.passed is False else "",
    }


def gave_up(state: RagState, text: str) -> Update:
    """Record the closing answer of a run that gives up. It takes over the documents and grades of the best attempt."""
    best = best_attempt(state.answers)
    base = best or Answer(text="", query=state.query)
    return {"answer": text, "answers": [*state.answers, replace(base, text=text, kind="gave up")]}


def condensed(state: RagState, question: str, note: str = "") -> Update:
    """Record a follow-up question in words that stand alone. Nothing changes if it is the question as asked."""
    if question == state.question:
        return {}
    notes = [*state.notes, note] if note else state.notes
    return {"condensed": question, "query": question, "queries": [*state.queries, question], "notes": notes}


def answered_directly(state: RagState, draft: Draft) -> Update:
    """Record an answer without any document, from what the model knows."""
    kind: AnswerKind = "abstained" if draft.abstained else "from the model"
    answer = Answer(text=draft.text, kind=kind, query=state.query)
    return {"answer": draft.text, "answers": [*state.answers, answer]}


def drafted(state: RagState, drafts: list[JudgedDraft], *, keep_unclear: bool) -> Update:
    """Record a draft for each retrieved document, in their order, and keep the documents whose draft judges them relevant."""
    return {**graded(state, [d.relevance for d in drafts], keep_unclear=keep_unclear), "drafts": drafts}


def redrafted(state: RagState, grades: list[Grade], *, keep_unclear: bool) -> Update:
    """Record the drafts again with other relevance grades."""
    pairs = zip(state.drafts, grades, strict=True)
    return drafted(state, [replace(d, relevance=g) for d, g in pairs], keep_unclear=keep_unclear)


def chosen(state: RagState, drafts: list[JudgedDraft]) -> Update:
    """Record the ranked drafts, best first. The first one becomes the answer, with its judgements as grades."""
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
    """Record the closing text of a run in which no draft can be used."""
    answer = Answer(text=text, kind="abstained", query=state.query)
    return {"documents": [], "answer": text, "answers": [*state.answers, answer]}


def evaluated(state: RagState, grades: list[Grade], thresholds: Thresholds) -> Update:
    """Record the evaluator's grades and the action that follows from them (CRAG, 4.3)."""
    action = action_of([g.passed for g in grades])
    return {
        "relevance": grades,
        "seen": see(state.seen, state.retrieved, grades),
        **acting(state, Evaluation(action=action, thresholds=thresholds)),
    }


def acting(state: RagState, evaluation: Evaluation) -> Update:
    """Record the action. Incorrect drops all retrieved documents, the others keep them."""
    return {"evaluation": evaluation, "documents": [] if evaluation.action == "incorrect" else state.retrieved}


def refined(state: RagState, documents: list[Document], strips: list[Strip]) -> Update:
    """Replace the documents that were cut into strips by their refined versions."""
    whole = {s.document for s in strips}
    others = [d for d in state.documents if d.id not in whole]
    return {"strips": [*state.strips, *strips], "documents": [*others, *documents]}


def gathered(state: RagState, query: str, found: list[Document], most: int) -> Update:
    """Record another search of a chain. Documents that are new are added, up to `most` in all."""
    new = new_documents(state.documents, found, most - len(state.documents))
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
    """Record the sentence of reasoning that ends this round of the chain."""
    *earlier, last = state.chain
    return {"chain": [*earlier, replace(last, sentence=sentence, final=final)], "steps": state.steps + 1}
