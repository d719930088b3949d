"""The built-in relevance grader. It grades all documents of a set at once, from measurements that its reasons name."""

from __future__ import annotations

from collections.abc import Iterator

from rag_graphs.engines.builtin.calibration import LENIENT, NEAR, STRICT
from rag_graphs.engines.builtin.evidence import Evidence, language_of
from rag_graphs.engines.builtin.questions import WANTED, holds, kind_of
from rag_graphs.graphs.state import Document, Grade
from rag_graphs.language.lexical import terms

NAMED = 5
"""Words that a reason names at most."""


def grade_all(question: str, documents: list[Document], found: list[Evidence], *, strict: bool) -> Iterator[Grade]:
    """The relevance grade of each document, in order. Lenient: it is on the question's subject. Strict: it states the answer,
    as far as wording, meaning and the expected kind of answer tell."""
    best = max((e.cosine for e in found), default=0.0)
    for document, evidence in zip(documents, found, strict=True):
        score = strict_score(question, evidence, best) if strict else lenient_score(evidence)
        passed = score >= 0.5
        yield Grade(
            aspect="relevance",
            passed=passed,
            label="relevant" if passed else "not relevant",
            score=round(score, 3),
            reason=_reason(question, document, evidence, strict=strict, passed=passed),
        )


def lenient_score(evidence: Evidence) -> float:
    """How likely the document is on the question's subject, 0-1."""
    return LENIENT[evidence.scale].score(evidence.coverage, evidence.cosine, evidence.sentence_cosine)


def strict_score(question: str, evidence: Evidence, best_cosine: float) -> float:
    """How likely the document states the answer, 0-1."""
    gap = best_cosine - evidence.cosine
    score = STRICT[evidence.scale].score(evidence.coverage, evidence.cosine, evidence.sentence_cosine, gap)
    return score if gives_the_kind(question, evidence) else score * 0.45


def gives_the_kind(question: str, evidence: Evidence) -> bool:
    """Whether some sentence holds the kind of answer that is asked for, as far as its form tells."""
    kind = kind_of(question)
    verdicts = [holds(kind, s.text, question) for s in evidence.sentences]
    return kind not in WANTED or not verdicts or any(v is not False for v in verdicts)


def _reason(question: str, document: Document, evidence: Evidence, *, strict: bool, passed: bool) -> str:
    parts = [in_words(question, document, evidence)]
    if evidence.scale == "across":
        return parts[0]
    if strict and not gives_the_kind(question, evidence):
        parts.append(f"No sentence gives {WANTED[kind_of(question)]}.")
    if strict and not passed and lenient_score(evidence) >= 0.5:
        parts.append("On the subject, but it does not seem to state the answer.")
    return " ".join(parts)


def in_words(question: str, document: Document, evidence: Evidence) -> str:
    """The measurements of a document as a sentence: the shared key words and the closest sentence."""
    near = f"closest sentence {evidence.sentence_cosine:.2f}, {_nearness(evidence)}"
    if evidence.scale != "across":
        return f"{_wording(question, evidence)}; {near}."
    shared = f" It shares {_quoted(list(evidence.shared))}." if evidence.shared else ""
    return f"Written in another language ({language_of(document)}), so meaning decides: {near}.{shared}"


def _nearness(evidence: Evidence) -> str:
    fairly, near = NEAR[evidence.scale]
    return (
        "near" if evidence.sentence_cosine >= near else "fairly near" if evidence.sentence_cosine >= fairly else "far"
    )


def _wording(question: str, evidence: Evidence) -> str:
    wanted = [t.surface for t in terms(question)]
    if not wanted:
        return "The question has no key word to look for"
    if not evidence.shared:
        return "Shares no key word of the question"
    missing = [w for w in wanted if w not in evidence.shared]
    but = f" but not {_quoted(missing)}" if missing and len(missing) <= NAMED else ""
    return f"Shares {_quoted(list(evidence.shared))}{but}"


def _quoted(words: list[str]) -> str:
    return ", ".join(f"“{w}”" for w in words[:NAMED]) + (" and more" if len(words) > NAMED else "")
