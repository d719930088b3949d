"""The extractive generator: sentences of the documents, each followed by the number of the document that holds it."""

from __future__ import annotations

import re
from collections.abc import Iterator

from rag_graphs.engines.builtin.along import along
from rag_graphs.engines.builtin.careless import spoil
from rag_graphs.engines.builtin.claims import claims, flat
from rag_graphs.engines.builtin.evidence import Measure, language_of
from rag_graphs.engines.builtin.extract import Picked, pick
from rag_graphs.engines.builtin.own_phrases import phrase
from rag_graphs.graphs.components import GenerateRequest
from rag_graphs.graphs.state import Draft
from rag_graphs.language.text import detect_language

_STOPS = (".", "!", "?", "…", "。", "！", "？", "؟")
_QUOTES = "\"'”’»)」』"

_PIECE = re.compile(
    r"[\u0e00-\u0eff\u3040-\u30ff\u3400-\u9fff]{1,4}\s*|[^\s\u0e00-\u0eff\u3040-\u30ff\u3400-\u9fff]+\s*|\s+"
)


def write(request: GenerateRequest, measure: Measure, *, most: int, careless: bool) -> Iterator[str | Draft]:
    """Yields the answer word by word, then the Draft. Abstains where no document fits. A second attempt leaves out what was
    rejected; a careless first attempt has one fault."""
    picked = _choose(request, measure, most)
    if picked and careless and not request.previous:
        picked = spoil(picked, request.documents, request.rejected)
    text = _text(request, picked) if picked else phrase("abstain", request.question)
    yield from _PIECE.findall(text)
    yield Draft(text=text, abstained=not picked)


def _choose(request: GenerateRequest, measure: Measure, most: int) -> list[Picked]:
    if not request.documents:
        return []
    found = measure(request.question, request.documents)
    avoid = _rejected_sentences(request)
    picked = pick(request.question, request.documents, found, most=most, avoid=avoid)
    if request.chain:
        picked = along(request.chain, picked, request.documents, measure, most)
    before = [flat(c.text) for c in claims(request.previous)]
    if before and " ".join(flat(p.text) for p in picked) == " ".join(before):
        other = pick(request.question, request.documents, found, most=most, avoid={*avoid, *before})
        picked = other or picked[:-1]  # nothing else fits: say less, or nothing
    return picked


def _rejected_sentences(request: GenerateRequest) -> set[str]:
    """The sentences of the rejected attempt that the feedback quotes."""
    feedback = flat(request.feedback)
    texts = [flat(c.text) for c in claims(request.previous)]
    return {t for t in texts if t and (t in feedback or (len(t) > 60 and t[:60] in feedback))}


def _text(request: GenerateRequest, picked: list[Picked]) -> str:
    body = _joined(picked)
    asked = detect_language(request.question)
    written = {language_of(request.documents[n - 1]) for p in picked for n in p.numbers if n <= len(request.documents)}
    foreign = asked and written and asked not in written and "" not in written
    return f"{phrase('quoted', request.question)} {body}" if foreign else body


def _joined(picked: list[Picked]) -> str:
    """The sentences one after the other. One without a full stop (a list item, a line that ends with a colon) is a paragraph
    of its own: run into the next, the two would read, and be graded, as one sentence that no document holds."""
    gaps = [" " if p.text.rstrip(_QUOTES).endswith(_STOPS) else "\n\n" for p in picked[:-1]]
    return "".join(p.cited() + gap for p, gap in zip(picked, [*gaps, ""], strict=True))
