"""The built-in graders of answers: groundedness sentence by sentence, usefulness by coverage and the kind of answer."""

from __future__ import annotations

from collections.abc import Sequence

from rag_graphs.engines.builtin.calibration import USEFUL
from rag_graphs.engines.builtin.claims import Claim, claims
from rag_graphs.engines.builtin.evidence import Scale, embedder_for, scale_of
from rag_graphs.engines.builtin.questions import WANTED, holds, kind_of
from rag_graphs.engines.builtin.support import support
from rag_graphs.graphs.state import Document, Grade
from rag_graphs.language.lexical import Idf, coverage, terms, vocabulary
from rag_graphs.language.phrases import is_abstaining
from rag_graphs.language.text import detect_language
from rag_graphs.library.index.vector_cache import Vectors

QUOTED = 200
"""Characters of a claim that a reason quotes."""

SHORT = 8
"""Words of an answer ("In 1847.") that need not repeat the question."""


def grade_groundedness(documents: Sequence[Document], answer: str, *, embeddings: str, vectors: Vectors) -> Grade:
    """Passed if every claim is held by the documents that it cites; the score is the share of the claims that are."""
    if is_abstaining(answer):
        return _grade(
            "groundedness",
            True,
            "grounded",
            1.0,
            "The answer claims nothing: it says that the documents do not hold it.",
        )
    found = claims(answer)
    if not found:
        return _grade("groundedness", None, "unclear", None, "The answer holds no sentence to check.")
    verdicts = [(c, support(c, documents, embeddings=embeddings, vectors=vectors)) for c in found]
    failed = [(c, v.problem) for c, v in verdicts if not v.held]
    score = 1 - len(failed) / len(found)
    if not failed:
        return _grade("groundedness", True, "grounded", score, _all_held(found))
    reason = " ".join(f"“{_short(c.text)}” {problem}." for c, problem in failed[:3])
    return _grade("groundedness", False, "not grounded", score, reason)


def _all_held(found: list[Claim]) -> str:
    count = "The sentence is" if len(found) == 1 else f"All {len(found)} sentences are"
    uncited = sum(not c.citations for c in found)
    return f"{count} in the documents." + (f" {uncited} without a citation." if uncited else "")


def grade_usefulness(question: str, answer: str, *, embeddings: str, vectors: Vectors, idf: Idf) -> Grade:
    """Passed if the answer covers what is asked, in words or in meaning, and holds the kind of thing that is asked for."""
    if is_abstaining(answer):
        return _grade("usefulness", False, "not useful", 0.0, "The answer says that it was not found.")
    texts = [c.text for c in claims(answer)]
    if not texts:
        return _grade("usefulness", False, "not useful", 0.0, "The answer is empty.")
    text = " ".join(texts)
    name = embedder_for(embeddings, question, Document(id="", text=text, source=""))
    asked = vectors.query(name, question)
    cosines = [float(v @ asked) for v in vectors.sentences(name, texts)]
    held = coverage(terms(question), vocabulary(text), idf)
    scale = scale_of(name, detect_language(question), detect_language(text))
    score = USEFUL[scale].score(held.share, 0.0, max(cosines))
    kind = kind_of(question)
    if holds(kind, text, question) is False:
        reason = f"The question asks for {WANTED[kind]}; the answer gives none."
        return _grade("usefulness", False, "not useful", round(min(score, 0.45) * 0.5, 3), reason)
    if holds(kind, text, question) and len(text.split()) <= SHORT:
        return _grade(
            "usefulness", True, "useful", round(max(score, 0.6), 3), f"A short answer that gives {WANTED[kind]}."
        )
    passed = score >= 0.5
    return _grade(
        "usefulness",
        passed,
        "useful" if passed else "not useful",
        round(score, 3),
        _wording(held.missing, passed, scale),
    )


def _wording(missing: tuple[str, ...], passed: bool, scale: Scale) -> str:
    if scale == "across":
        return "Near to the question in meaning." if passed else "Not near enough to the question in meaning."
    left = ", ".join(f"“{w}”" for w in missing[:4])
    if passed:
        return "Speaks of what is asked." + (f" It does not mention {left}." if left else "")
    return f"Does not speak of {left}." if left else "Shares the question's words, but is not near to it in meaning."


def _grade(aspect: str, passed: bool | None, label: str, score: float | None, reason: str) -> Grade:
    error = reason if passed is None else ""
    return Grade(aspect=aspect, passed=passed, label=label, score=score, reason=reason, error=error)  # type: ignore[arg-type]


def _short(text: str) -> str:
    return text if len(text) <= QUOTED else text[:QUOTED].rsplit(" ", 1)[0] + " …"
