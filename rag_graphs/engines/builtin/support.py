"""Whether the documents that a claim cites hold it."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from itertools import pairwise

from rag_graphs.engines.builtin.calibration import SAME
from rag_graphs.engines.builtin.claims import Claim, flat, numbers
from rag_graphs.engines.builtin.evidence import embedder_for, language_of
from rag_graphs.graphs.state import Document
from rag_graphs.language.function_words import all_function_words
from rag_graphs.language.lexical import coverage, terms, uniform, vocabulary
from rag_graphs.language.markdown import plain_sentences
from rag_graphs.language.text import detect_language
from rag_graphs.language.word_lists import word_lists
from rag_graphs.library.index.vector_cache import Vectors

NEARLY_ALL = 0.8
"""Share of a claim's content words that one place must hold for the claim to count as a rewording of it."""
HALF = 0.45
"""Share that is enough where the sentence vectors also agree."""

_NAME = re.compile(r"(?<=[\w,;:)] )[A-ZÀ-ÖØ-ÞА-ЯЁ][\w'’-]+")


@dataclass(frozen=True)
class Support:
    """Whether a claim is held; `problem` says why not, to follow the quoted claim."""

    held: bool
    problem: str = ""


def support(claim: Claim, documents: Sequence[Document], *, embeddings: str, vectors: Vectors) -> Support:
    """Checks a claim against the documents that it cites; one that cites nothing against all of them."""
    wrong = [n for n in claim.citations if not 1 <= n <= len(documents)]
    if wrong:
        given = f"only {len(documents)} were given" if documents else "no document was given"
        return Support(False, f"cites {_cited(wrong)}, but {given}")
    read = [documents[n - 1] for n in claim.citations] or list(documents)
    where = _cited(claim.citations) if claim.citations else "the documents"
    if not read:
        return Support(False, "rests on no document")
    if any(flat(claim.text.rstrip(" …")) in _wording(d) for d in read):
        return Support(True)
    strange = numbers(claim.text) - frozenset().union(*(numbers(d.text) for d in read))
    if strange:
        return Support(False, f"has the number {', '.join(sorted(strange))}, which is not in {where}")
    return _reworded(claim, read, where, embeddings, vectors)


def _reworded(claim: Claim, read: list[Document], where: str, embeddings: str, vectors: Vectors) -> Support:
    """Other words: most of the claim's words in one place, or half of them and sentence vectors that agree."""
    best = Support(False, f"is not stated in {where}")
    for document in read:
        foreign = _foreign(claim.text, document)
        if not foreign and (names := _unknown_names(claim.text, document)):
            best = Support(False, f"names {names}, which is not in {where}")
            continue
        for place in _places(document):
            share = coverage(terms(claim.text), vocabulary(place), uniform).share
            if share < HALF and not foreign:
                continue
            if not foreign and _is_negated(claim.text) != _is_negated(place):
                best = Support(False, f"says the opposite of what is in {where}")
            elif (share >= NEARLY_ALL and not foreign) or _agrees(claim.text, place, document, embeddings, vectors):
                return Support(True)
    return best


def _is_negated(text: str) -> bool:
    return bool(_negating().search(text))


@cache
def _negating() -> re.Pattern[str]:
    return word_lists(__file__, "sentence_forms").whole_words("negating")


def _agrees(text: str, place: str, document: Document, embeddings: str, vectors: Vectors) -> bool:
    name = embedder_for(embeddings, text, document)
    one, other = vectors.sentences(name, [text, place])
    scale = "across" if _foreign(text, document) else "minilm" if name == "minilm" else "e5"
    return float(one @ other) >= SAME[scale]  # type: ignore[index]


def _foreign(text: str, document: Document) -> bool:
    asked, written = detect_language(text), language_of(document)
    return bool(asked and written and asked != written)


def _places(document: Document) -> list[str]:
    """Each sentence, and each pair of neighbours: a claim often joins two."""
    found = plain_sentences(document.text)
    return [*found, *(f"{a} {b}" for a, b in pairwise(found))]


def _wording(document: Document) -> str:
    return flat(document.text) + " | " + flat(" ".join(plain_sentences(document.text)))


def _unknown_names(text: str, document: Document) -> str:
    held = vocabulary(f"{document.title} {document.heading} {document.text}")
    names = [n for n in _NAME.findall(text) if n.casefold() not in all_function_words()]
    strange = [n for n in names if not vocabulary(n) <= held]
    return ", ".join(f"“{n}”" for n in strange[:3])


def _cited(given: Sequence[int]) -> str:
    return "".join(f"[{n}]" for n in given)
