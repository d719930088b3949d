"""Choosing the sentences of an extractive answer."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable
from dataclasses import dataclass
from functools import cache

from rag_graphs.engines.builtin.calibration import closeness
from rag_graphs.engines.builtin.claims import flat
from rag_graphs.engines.builtin.evidence import Evidence, Scored
from rag_graphs.engines.builtin.questions import holds, kind_of
from rag_graphs.engines.builtin.relevance import lenient_score
from rag_graphs.graphs.state import Document
from rag_graphs.language.lexical import Term, terms, vocabulary
from rag_graphs.language.word_lists import word_lists

FITS = 0.25
"""A document below this relevance score is not quoted, even if a graph passed it on."""
_MARGIN = 0.6
"""How far below the best sentence another may score."""


@dataclass(frozen=True)
class Picked:
    """A sentence for the answer and the numbers of the documents that hold it, counted from 1."""

    text: str
    numbers: tuple[int, ...]
    position: int = 0

    def cited(self) -> str:
        """The sentence as it stands in the answer."""
        return self.text + " " + "".join(f"[{n}]" for n in self.numbers)


@dataclass(frozen=True)
class _Candidate:
    scored: Scored
    number: int
    score: float
    vocabulary: frozenset[str]


def pick(
    question: str, documents: list[Document], found: list[Evidence], *, most: int, avoid: Collection[str] = ()
) -> list[Picked]:
    """At most `most` sentences that answer the question, in reading order; none where nothing fits. `avoid` holds sentences,
    flattened, that may not be used, nor parts of them."""
    candidates = [
        candidate
        for number, evidence in enumerate(found, 1)
        if lenient_score(evidence) >= FITS
        for candidate in _candidates(question, number, evidence)
        if not _avoided(flat(candidate.scored.text), avoid)
    ]
    chosen = _without_repetition(_of_one_language(candidates, found), most)
    return [_cite(c, documents) for c in _closed(_reading_order(chosen))]


def _of_one_language(candidates: list[_Candidate], found: list[Evidence]) -> list[_Candidate]:
    """Where the best sentence is in the question's language, the answer stays in it."""
    own = [c for c in candidates if found[c.number - 1].scale != "across"]
    best = max((c.score for c in candidates), default=0.0)
    return own if any(c.score == best for c in own) else candidates


def _avoided(sentence: str, avoid: Collection[str]) -> bool:
    return any(f" {sentence} " in f" {other} " for other in avoid)


def _candidates(question: str, number: int, evidence: Evidence) -> Iterable[_Candidate]:
    wanted = terms(question)
    whole = lenient_score(evidence)
    for scored in evidence.sentences:
        score = (
            closeness(evidence.scale, scored.cosine)
            + 0.6 * scored.coverage
            + 0.3 * whole
            + _form(question, wanted, scored.text)
        )
        yield _Candidate(scored, number, score, vocabulary(scored.text))


def _form(question: str, wanted: tuple[Term, ...], sentence: str) -> float:
    """What a sentence's form adds: it defines what is asked, holds the kind of answer, stands alone, is no question
    and announces nothing that is left out."""
    kind, bonus = kind_of(question), 0.0
    if kind == "what is" and _defines(wanted, sentence):
        bonus += 0.4
    bonus += {True: 0.2, False: -0.15, None: 0.0}[holds(kind, sentence, question)]
    if sentence.endswith(("?", "？", "؟")):
        bonus -= 0.4
    if _dangling().match(sentence):
        bonus -= 0.15
    if _announces(sentence):
        bonus -= 0.25
    if len(sentence) < 25 and len(sentence.split()) < 5:
        bonus -= 0.25
    return bonus


def _defines(wanted: tuple[Term, ...], sentence: str) -> bool:
    """What is asked for stands near the beginning, and a word like "is" follows it at once."""
    head = sentence[:90]
    copula = _defining().search(head)
    if not copula or not wanted:
        return False
    subject = head[: copula.end()]
    named = all(any(token in vocabulary(subject) for token in term.tokens) for term in wanted)
    return named and len(subject.split()) <= len(wanted) + 4


@cache
def _dangling() -> re.Pattern[str]:
    """Return how a sentence opens that leans on the one before it."""
    return word_lists(__file__, "sentence_forms").whole_words("dangling", before="")


@cache
def _defining() -> re.Pattern[str]:
    """Return what follows at once where something is defined, a word like "is"."""
    return word_lists(__file__, "sentence_forms").whole_words("defining")


def _without_repetition(candidates: list[_Candidate], most: int) -> list[_Candidate]:
    chosen: list[_Candidate] = []
    left = sorted(candidates, key=lambda c: -c.score)
    while left and len(chosen) < most:
        best = max(left, key=lambda c: c.score - 0.35 * _repeats(c, chosen))
        left.remove(best)
        if chosen and (best.score < chosen[0].score - _MARGIN or _repeats(best, chosen) > 0.75):
            continue
        chosen.append(best)
    return chosen


def _repeats(candidate: _Candidate, chosen: list[_Candidate]) -> float:
    """The largest share of the shorter one's words that it has in common with a chosen sentence."""
    own = candidate.vocabulary
    return max((len(own & c.vocabulary) / (min(len(own), len(c.vocabulary)) or 1) for c in chosen), default=0.0)


def _reading_order(chosen: list[_Candidate]) -> list[_Candidate]:
    """The document of the best sentence first; within a document, as it was written."""
    first = chosen[0].number if chosen else 0
    return sorted(chosen, key=lambda c: (c.number != first, c.number, c.scored.position))


def _closed(chosen: list[_Candidate]) -> list[_Candidate]:
    """Without sentences at the end that announce what is left out (code, a long list), unless nothing else was chosen."""
    kept = len(chosen)
    while kept and _announces(chosen[kept - 1].scored.text):
        kept -= 1
    return chosen[:kept] or chosen


def _announces(sentence: str) -> bool:
    return sentence.endswith((":", "："))


def _cite(candidate: _Candidate, documents: list[Document]) -> Picked:
    """Cites every document that holds the sentence word for word."""
    wording = flat(candidate.scored.text)
    others = [n for n, d in enumerate(documents, 1) if n != candidate.number and wording in flat(d.text)]
    return Picked(candidate.scored.text, (candidate.number, *others), candidate.scored.position)
