"""How much retrieval a question needs, by its wording (Adaptive-RAG, 3.2). The paper trains a classifier; here rules look for
the forms of questions that need a second fact to find the first."""

from __future__ import annotations

import re

from rag_graphs.builtin.direct import sourceless
from rag_graphs.state import Complexity

_FORMS = (
    (
        re.compile(
            r"\b(?:which|who|what)\b.*\b(?:older|younger|first|earlier|later|bigger|larger|longer|more)\b.*\bor\b",
            re.IGNORECASE,
        ),
        "It compares two things.",
    ),
    (re.compile(r"\bboth\b.*\band\b", re.IGNORECASE), "It asks about two things at once."),
    (
        re.compile(r"\bof the \w+ (?:who|that|which|of|in which)\b|\b\w+['’]s \w+['’]s\b", re.IGNORECASE),
        "It asks about something that has to be found first.",
    ),
)


def classify(question: str) -> Complexity:
    """A: no source needed. C: the wording shows that one search is not enough. B: all else."""
    if direct := sourceless(question):
        return Complexity(label="A", reason=direct.reason)
    for form, reason in _FORMS:
        if form.search(question):
            return Complexity(label="C", reason=reason)
    return Complexity(label="B", reason="Nothing in its wording asks for more than one search.")
