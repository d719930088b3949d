"""Decomposing a document into strips: units of two or three sentences (CRAG, section 4.4)."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from rag_graphs.language.markdown import FENCE
from rag_graphs.language.text import block_spans, sentence_spans, trimmed

LONGEST = 600
"""Characters of a unit at most: a longer sentence, or code, is cut at a line or a space."""
LONG = 350
"""Characters from which on a unit may be a strip by itself."""

_MARKED = re.compile(r"\s*(?:[-*+•|>#]|\d{1,3}[.)]\s)")
_LEADS = re.compile(r"#{1,6}[ \t][^\n]*\Z|.*[:：]\Z", re.DOTALL)

_ALONE, _TOO_LONG, _ACROSS, _TORN, _THIRD = 100, 40, 10, 20, 1
"""What a way to group costs: a short unit alone, each LONGEST that a strip is over, a strip across two paragraphs, a
paragraph in two strips, a third sentence."""


@dataclass(frozen=True)
class Unit:
    """A sentence, list item, table row or block of code with the heading before it. `opens`: a paragraph begins with it."""

    start: int
    end: int
    opens: bool

    @property
    def length(self) -> int:
        """In characters."""
        return self.end - self.start


def decompose(text: str) -> list[tuple[int, int]]:
    """The strips of a text as (start, end), in order: one where it has one or two sentences, else units of two or three, as
    its paragraphs suggest. Between strips is white space alone. No line of a list, a heading or code is torn, unless it is
    longer than LONGEST characters; a unit of LONG characters may stand alone."""
    units = _led(text, [u for unit in _units(text) for u in _bounded(text, unit)])
    return [(group[0].start, group[-1].end) for group in _grouped(units)]


def _units(text: str) -> Iterator[Unit]:
    """Sentences of the running text; list items, headings and blocks of code as a whole."""
    position = 0
    for fence in [*FENCE.finditer(text), None]:
        code = fence.span() if fence else (len(text), len(text))
        for start, end in block_spans(text[position : code[0]]):
            yield from _in_block(text, position + start, position + end)
        start, end = trimmed(text, *code)
        if start < end:
            yield Unit(start, end, opens=True)
        position = code[1]


def _in_block(text: str, start: int, end: int) -> Iterator[Unit]:
    start, end = trimmed(text, start, end)
    spans = [(start + a, start + b) for a, b in sentence_spans(text[start:end])]
    if _MARKED.match(text, start) and end - start <= LONGEST:
        spans = [(start, end)]
    if text[start] == "#":
        line = text.find("\n", start, end)
        rest = end if line < 0 else line
        spans = [trimmed(text, start, rest), *((rest + a, rest + b) for a, b in sentence_spans(text[rest:end]))]
    for i, (a, b) in enumerate(spans):
        yield Unit(a, b, opens=i == 0)


def _bounded(text: str, unit: Unit) -> Iterator[Unit]:
    """The unit in pieces of at most LONGEST characters, cut at the end of a line or else at a space, where there is one."""
    start, opens = unit.start, unit.opens
    while unit.end - start > LONGEST:
        cut = _cut(text, start + LONGEST // 2, start + LONGEST)
        a, b = trimmed(text, start, cut)
        if a < b:
            yield Unit(a, b, opens)
        start, opens = trimmed(text, cut, unit.end)[0], False
    yield Unit(start, unit.end, opens)


def _cut(text: str, least: int, most: int) -> int:
    places = (text.rfind(mark, least, most) for mark in ("\n", " "))
    return next((place for place in places if place >= 0), most)


def _led(text: str, units: list[Unit]) -> list[Unit]:
    """A heading, and a sentence that ends with a colon, joins what it leads to."""
    found: list[Unit] = []
    for unit in units:
        before = found[-1] if found else None
        joined = Unit(before.start, unit.end, before.opens) if before else unit
        if before and joined.length <= LONGEST and _LEADS.match(text[before.start : before.end]):
            found[-1] = joined
        else:
            found.append(unit)
    return found


def _grouped(units: list[Unit]) -> list[list[Unit]]:
    """Groups of two or three units; of all ways the one that costs least, as if lines of a paragraph were broken anew."""
    cost, size = [0], [0]
    for end in range(1, len(units) + 1):
        ways = [(cost[end - n] + _cost(units, end - n, end), n) for n in (2, 3, 1) if n <= end]
        best = min(ways)
        cost.append(best[0])
        size.append(best[1])
    groups: list[list[Unit]] = []
    end = len(units)
    while end:
        groups.append(units[end - size[end] : end])
        end -= size[end]
    return groups[::-1]


def _cost(units: list[Unit], start: int, end: int) -> int:
    group = units[start:end]
    length = group[-1].end - group[0].start
    whole = len(group) == 1 and len(units) == 1
    cost = _TORN if start and not group[0].opens else 0
    cost += _ACROSS * sum(u.opens for u in group[1:]) + _THIRD * (len(group) == 3)
    if len(group) == 1 and not whole and length < LONG:
        cost += _ALONE
    return cost + _TOO_LONG * ((length - 1) // LONGEST)
