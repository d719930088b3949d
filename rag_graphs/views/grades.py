"""Grades as badges: in the scale's own words where it has some, else in those of the question that was asked."""

from __future__ import annotations

from rag_graphs.graphs.state import Grade
from rag_graphs.views.render import verdict
from rag_graphs.views.translation import _

SCALES = frozenset({"fully supported", "partially supported", "no support", "1", "2", "3", "4", "5"})
"""Self-RAG's scales of an answer, whose words say all: another number beside them would not be the one that counts."""


def badge(grade: Grade) -> str:
    """A grade of an answer or of a draft, with its reason as a tip."""
    score = "" if grade.score is None or grade.label in SCALES else f" {grade.score:.2f}"
    return verdict(kind_of(grade), words_of(grade) + score, tip=grade.error or grade.reason)


def kind_of(grade: Grade) -> str:
    """The colour of a badge: what stands in the middle of its scale is neither good nor bad."""
    if grade.label in ("partially supported", "3"):
        return "part"
    return "unclear" if grade.passed is None else "yes" if grade.passed else "no"


def words_of(grade: Grade) -> str:
    """The verdict in words."""
    own = {
        "relevant": _("relevant"),
        "irrelevant": _("irrelevant"),
        "fully supported": _("fully supported"),
        "partially supported": _("partially supported"),
        "no support": _("no support"),
    }
    if grade.label in own:
        return own[grade.label]
    if grade.aspect == "usefulness" and grade.label in ("1", "2", "3", "4", "5"):
        return _("useful {n} of 5").format(n=grade.label)
    known = {
        ("relevance", True): _("relevant"),
        ("relevance", False): _("not relevant"),
        ("relevance", None): _("relevant? unclear"),
        ("groundedness", True): _("grounded"),
        ("groundedness", False): _("not grounded"),
        ("usefulness", True): _("useful"),
        ("usefulness", False): _("not useful"),
        ("groundedness", None): _("grounded? unclear"),
        ("usefulness", None): _("useful? unclear"),
    }
    return known[(grade.aspect, grade.passed)]
