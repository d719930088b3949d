"""How much retrieval a question needs, by its wording (Adaptive-RAG, 3.2). The paper trains a classifier on which effort led to
right answers; here rules look for the forms of questions that need one fact to look up another. English first; German, Spanish,
French, Korean, Chinese and Japanese by their commonest forms; a question in any other language is B."""

from __future__ import annotations

from rag_graphs.engines.builtin.complexity_forms import FORMS, WHY
from rag_graphs.engines.builtin.direct import sourceless
from rag_graphs.graphs.state import Complexity

READ = 400
"""Characters of a question that are read: no form is longer, and patterns on a long text would be slow."""
QUOTED = 60
"""Characters of a question that a reason quotes."""


def classify(question: str) -> Complexity:
    """A: no source needed. C: the wording shows that one search is not enough. B: all else."""
    if direct := sourceless(question):
        return Complexity(label="A", reason=direct.reason)
    plain = " ".join(question.split())[:READ]
    for form, pattern in FORMS:
        if match := pattern.search(plain):
            return Complexity(label="C", reason=f"{WHY[form]}: “{_short(match.group().strip())}”.")
    return Complexity(label="B", reason="Nothing in its wording asks for more than one search.")


def _short(text: str) -> str:
    return text if len(text) <= QUOTED else f"{text[: QUOTED // 2].rstrip()} … {text[-QUOTED // 2 :].lstrip()}"
