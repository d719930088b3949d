"""Pure helpers that make the updates of the state: what nodes return, and what a fork or an edit changes.

Nodes and forks share them, so that flipping a grade also changes the kept documents and whatever else follows from it.
"""

from __future__ import annotations

from dataclasses import replace

from rag_graphs.state import Answer, AnswerKind, Document, Draft, Grade, RagState, Seen, Update, best_attempt


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
    """A web search returned these documents (or failed): they join the kept ones."""
    return {
        "documents": [*state.documents, *documents],
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
