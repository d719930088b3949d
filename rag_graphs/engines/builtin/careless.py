"""The careless generator: spoils a first attempt in a known way, so that the groundedness loop can be shown and tested. It
is a switch that the screen names; an extract alone would always be grounded."""

from __future__ import annotations

import re
from dataclasses import replace

from rag_graphs.engines.builtin.claims import flat, numbers
from rag_graphs.engines.builtin.extract import Picked
from rag_graphs.graphs.state import Document
from rag_graphs.language.lexical import vocabulary
from rag_graphs.language.markdown import plain_sentences

_NUMBER = re.compile(r"\d+")


def spoil(picked: list[Picked], documents: list[Document], rejected: list[Document]) -> list[Picked]:
    """The sentences with one fault: a sentence of a rejected document, cited as if a kept one held it; where there is none, a
    changed number; where there is no number either, a citation of a document that was not given."""
    foreign = _foreign_sentence(documents, rejected)
    if foreign:
        return [*picked, Picked(foreign, picked[0].numbers[:1])]
    for index, sentence in enumerate(picked):
        changed = _with_another_number(sentence, documents)
        if changed:
            return [*picked[:index], changed, *picked[index + 1 :]]
    return [*picked[:-1], replace(picked[-1], numbers=(len(documents) + 1,))]


def _foreign_sentence(documents: list[Document], rejected: list[Document]) -> str:
    """A full sentence of a rejected document whose words mostly stand in none of the kept ones."""
    kept = frozenset().union(*(vocabulary(d.text) for d in documents))
    sentences = [s for d in rejected for s in plain_sentences(d.text) if len(s) >= 20 and s[-1] in ".。!"]
    strange = [s for s in sentences if _share(s, kept) < 0.6]
    return strange[0] if strange else ""


def _share(sentence: str, kept: frozenset[str]) -> float:
    own = vocabulary(sentence)
    return len(own & kept) / (len(own) or 1)


def _with_another_number(sentence: Picked, documents: list[Document]) -> Picked | None:
    known = frozenset().union(*(numbers(d.text) for d in documents))
    for match in _NUMBER.finditer(sentence.text):
        value = int(match.group())
        changed = next((str(v) for v in range(value + 7, value + 1000) if str(v) not in known), "")
        text = sentence.text[: match.start()] + changed + sentence.text[match.end() :]
        if changed and flat(text) != flat(sentence.text):
            return replace(sentence, text=text)
    return None
