"""One step of reasoning between two searches: a sentence of the documents that brings the chain nearer to the answer, and the
end of the chain (interleaved retrieval, Trivedi et al. 2023, as Adaptive-RAG 3.1 uses it)."""

from __future__ import annotations

from rag_graphs.builtin.claims import flat
from rag_graphs.builtin.evidence import Evidence
from rag_graphs.builtin.lexical import Idf, coverage, terms, vocabulary
from rag_graphs.component_types import ReasonRequest, Thought

STEPS = 3


def reason(request: ReasonRequest, found: list[Evidence], idf: Idf) -> Thought:
    """The next sentence of the chain; final where the question is covered or nothing new can be quoted."""
    said = {flat(s) for s in request.chain}
    held = frozenset().union(*(vocabulary(s) for s in request.chain))
    left = [t for t in terms(request.question) if not set(t.tokens) <= held]
    ranked = sorted(
        (s for e in found for s in e.sentences if flat(s.text) not in said),
        key=lambda s: -(s.cosine + coverage(left, vocabulary(s.text), idf).share),
    )
    if not ranked:
        return Thought(sentence="", final=True)
    final = not left or len(request.chain) >= STEPS
    sentence = f"So the answer is: {ranked[0].text}" if final else ranked[0].text
    return Thought(sentence=sentence, final=final)
