"""How much retrieval a question needs, by its wording (Adaptive-RAG, 3.2). The paper trains a classifier on which effort led to
right answers; here rules look for the forms of questions that need one fact to look up another, in the languages of
`data/complex_questions.toml`; a question in any other language is B."""

from __future__ import annotations

import re
from functools import cache

from rag_graphs.engines.builtin.direct import sourceless
from rag_graphs.graphs.state import Complexity
from rag_graphs.language.word_lists import word_lists

READ = 400
"""Characters of a question that are read: no form is longer, and patterns on a long text would be slow."""
QUOTED = 60
"""Characters of a question that a reason quotes."""


def classify(question: str) -> Complexity:
    """A: no source needed. C: the wording shows that one search is not enough. B: all else."""
    if direct := sourceless(question):
        return Complexity(label="A", reason=direct.reason)
    plain = " ".join(question.split())[:READ]
    for why, pattern in _forms():
        if match := pattern.search(plain):
            return Complexity(label="C", reason=f"{why}: “{_short(match.group().strip())}”.")
    return Complexity(label="B", reason="Nothing in its wording asks for more than one search.")


@cache
def _forms() -> list[tuple[str, re.Pattern[str]]]:
    """Why a question of a form is complex, and how the form looks."""
    lists = word_lists(__file__, "complex_questions")
    parts = {f"{{{name}}}": f"(?:{'|'.join(lists.forms('parts', name))})" for name in lists.table("parts")}
    found = []
    for language in lists.having():
        if language in ("reasons", "parts"):
            continue
        for asks in lists.table(language):
            for form in lists.forms(language, asks):
                whole = re.sub(r"\{[a-z]+\}", lambda name: parts.get(name.group(), name.group()), form)
                found.append((lists.text("reasons", asks), lists.compile(whole, language, asks)))
    return found


def _short(text: str) -> str:
    return text if len(text) <= QUOTED else f"{text[: QUOTED // 2].rstrip()} … {text[-QUOTED // 2 :].lstrip()}"
