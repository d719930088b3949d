"""One step of reasoning between two searches, and the end of the chain (interleaved retrieval, Trivedi et al. 2023, as in
Adaptive-RAG 3.1).

The next search receives the sentence. A sentence of the documents alone finds what it came from; what leads on are the names in
it that the question does not hold, beside the words of the question that it leaves open. So a step names what to look up, and
only the last one quotes: docs/measurements.md compares both. Korean, Chinese and the like have no capitals to tell names by:
there a step looks for the open words alone.
"""

from __future__ import annotations

from dataclasses import dataclass

from rag_graphs.engines.builtin.along import reached_by
from rag_graphs.engines.builtin.evidence import Evidence, Measure
from rag_graphs.engines.builtin.extract import pick
from rag_graphs.engines.builtin.names import has_capitals, new_names
from rag_graphs.engines.builtin.own_phrases import phrase
from rag_graphs.graphs.components import ReasonRequest, Thought
from rag_graphs.graphs.state import Document
from rag_graphs.language.lexical import Idf, Term, coverage, terms, vocabulary

LOOKUPS = 2
"""Things to look up in one chain at most: a third brought more documents, and no more of those sought."""
COVERED = 0.9
"""Share of the question's wording, weighted by rarity, that documents about what was named have to hold for it to be covered."""
NAMED = 0.5
"""Weight of a document whose title stands in the question, beside a sentence's coverage of the question (1)."""
LONGEST = 200
"""Characters of the names in a step."""


@dataclass(frozen=True)
class _Lead:
    """A sentence that leads on: the names in it that are new, and the words of the question that it leaves open."""

    names: list[str]
    left: list[str]
    score: float

    def __str__(self) -> str:
        named = ""
        for name in self.names:
            joined = f"{named}, {name}" if named else name
            if named and len(joined) > LONGEST:
                break
            named = joined
        return f"{named}: {', '.join(self.left)}?" if named else f"{', '.join(self.left)}?"


def reason(request: ReasonRequest, found: list[Evidence], idf: Idf, measure: Measure) -> Thought:
    """What to look up next: new names of the sentence that holds most of the question, and the words still open. Final, with
    the best sentence of the documents, where the question is covered, nothing new is named, or enough was looked up."""
    asked = terms(request.question)
    held = vocabulary(request.question).union(*(vocabulary(s) for s in request.chain))
    over = len(request.chain) >= LOOKUPS or _covered(asked, request.documents, held, idf)
    lead = None if over else _lead(request, found, asked, held, idf)
    if lead is None or str(lead) in request.chain:
        return Thought(sentence=_answer(request, found, measure), final=True)
    return Thought(sentence=str(lead))


def _covered(asked: tuple[Term, ...], documents: list[Document], held: frozenset[str], idf: Idf) -> bool:
    """Whether at least two documents whose titles were named together hold the wording of the question."""
    named = [d for d in documents if d.title and vocabulary(d.title) <= held]
    words = frozenset().union(*(vocabulary(f"{d.title} {d.text}") for d in named))
    return len(named) > 1 and coverage(asked, words, idf).share >= COVERED


def _lead(
    request: ReasonRequest, found: list[Evidence], asked: tuple[Term, ...], held: frozenset[str], idf: Idf
) -> _Lead | None:
    """The best sentence that names something without a document so far; None where there is none."""
    known = held.union(*(vocabulary(d.title) for d in request.documents))
    leads, caseless = [], not has_capitals(request.question)
    for document, evidence in zip(request.documents, found, strict=True):
        title = vocabulary(document.title)
        in_question = len(title & vocabulary(request.question)) / (len(title) or 1)
        for scored in evidence.sentences:
            names = new_names(scored.text, known)
            words = vocabulary(scored.text) | title
            left = [t.surface for t in asked if not set(t.tokens) <= words]
            if left and (names or caseless):
                leads.append(_Lead(names, left, coverage(asked, words, idf).share + NAMED * in_question))
    return max(leads, key=lambda lead: lead.score, default=None)


def _answer(request: ReasonRequest, found: list[Evidence], measure: Measure) -> str:
    """The sentence about what was looked up last with success, or else the best one for the question."""
    documents = request.documents
    reached = [p for step in reversed(request.chain) for p in reached_by(step, documents, measure)]
    best = reached or pick(request.question, documents, found, most=1)
    if not best:
        return phrase("abstain", request.question)
    return f"{phrase('so the answer', request.question)} {best[0].text}"
