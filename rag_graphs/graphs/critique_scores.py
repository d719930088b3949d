"""Self-RAG's critique score of a draft, from its three judgements (Asai et al. 2023, section 3.3 and appendix A).

Where the model gives probabilities, a judgement's score is its normalised probability (equation 4). Where it gives none, its
verdict counts as certain. All functions are pure, so a page can rank recorded drafts again under other weights.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from rag_graphs.graphs.state import Grade, JudgedDraft

RELEVANCE = {"relevant": 1.0, "irrelevant": 0.0}
"""ISREL: the value of each word of the scale."""
SUPPORT = {"fully supported": 1.0, "partially supported": 0.5, "no support": 0.0}
"""ISSUP: the value of each word of the scale."""
USE = {"5": 1.0, "4": 0.5, "3": 0.0, "2": -0.5, "1": -1.0}
"""ISUSE: the value of each word of the scale."""
USEFUL_FROM = 4
"""The lowest ISUSE of an answer that counts as useful: it answers the question, with at most a small gap."""


@dataclass(frozen=True, kw_only=True)
class Weights:
    """The weights of ISREL, ISSUP and ISUSE (equation 4), and of the text's own probability (the first term of equation 3).
    The paper's experiments use 1.0, 1.0 and 0.5 for the first three."""

    relevance: float = 1.0
    support: float = 1.0
    use: float = 0.5
    likelihood: float = 0.0


def recorded_weights(settings: Mapping[str, Any]) -> Weights:
    """Return the weights that a recorded run used. Where its settings hold no valid weight, take the paper's."""

    def weight(name: str, usual: float) -> float:
        value = settings.get(f"weight_{name}")
        return float(value) if isinstance(value, int | float) and 0 <= value <= 5 else usual

    usual = Weights()
    return Weights(
        relevance=weight("relevance", usual.relevance),
        support=weight("support", usual.support),
        use=weight("use", usual.use),
        likelihood=weight("likelihood", usual.likelihood),
    )


@dataclass(frozen=True, kw_only=True)
class Score:
    """A draft's critique score in its four parts, each already weighted."""

    relevance: float
    support: float
    use: float
    likelihood: float

    @property
    def total(self) -> float:
        """Return the sum of the parts: f of equation 3."""
        return self.relevance + self.support + self.use + self.likelihood


def expected(grade: Grade, worth: Mapping[str, float]) -> float:
    """Return the expected value of a judgement: sum over the scale of worth(word) * p(word) / sum of p (equation 4 and
    appendix A). A verdict without probabilities counts as certain; one that could not be read counts as the worst."""
    probabilities = {word: grade.probabilities.get(word, 0.0) for word in worth}
    total = sum(probabilities.values())
    if total > 0:
        return sum(worth[word] * p for word, p in probabilities.items()) / total
    return worth.get(grade.label, min(worth.values()))


def relevance_score(grade: Grade) -> float:
    """Return s_rel = P(relevant) / (P(relevant) + P(irrelevant)), in 0-1."""
    return expected(grade, RELEVANCE)


def support_score(grade: Grade) -> float:
    """Return s_sup = (P(fully) + 0.5 P(partially)) / (P(fully) + P(partially) + P(no)), in 0-1."""
    return expected(grade, SUPPORT)


def use_score(grade: Grade) -> float:
    """Return s_use = sum over 1-5 of w(i) P(i) / sum of P(i) with w = -1, -0.5, 0, 0.5, 1, in -1 to 1."""
    return expected(grade, USE)


def critique_score(draft: JudgedDraft, weights: Weights) -> Score:
    """Return f = w_text * p(text) + w_rel * s_rel + w_sup * s_sup + w_use * s_use (equations 3 and 4). p(text) is the geometric
    mean of the tokens' probabilities, 0 where the model gave none."""
    return Score(
        relevance=weights.relevance * relevance_score(draft.relevance),
        support=weights.support * support_score(draft.support),
        use=weights.use * use_score(draft.use),
        likelihood=weights.likelihood * (draft.likelihood or 0.0),
    )


def ranked(drafts: Sequence[JudgedDraft], weights: Weights) -> list[tuple[JudgedDraft, Score]]:
    """Return the drafts with their scores, the best first. Drafts with equal scores stay in the order of their documents."""
    scored = [(draft, critique_score(draft, weights)) for draft in drafts]
    return sorted(scored, key=lambda pair: -pair[1].total)


def by_probability(drafts: Sequence[JudgedDraft]) -> bool | None:
    """Return whether the judgements of these drafts come with probabilities (True) or are verdicts alone (False); None for a
    mixture of both."""
    kinds = {bool(g.probabilities) for d in drafts for g in (d.relevance, d.support, d.use)}
    return None if len(kinds) > 1 else True in kinds
