"""Reading a score from 0 to 1 out of whatever a model replied: 0.7, "0,7", 7/10, 70 %. One out of range is None, never cut."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence

from rag_graphs.engines.llm.fields import MAX_READ, fields_of, first, named
from rag_graphs.engines.llm.replies import without_fence, without_thinking

KEYS = ("score", "relevance", "rating", "grade", "value", "result", "answer", "relevance_score")
_NUMBER = r"[+-]?(?:\d{1,9}(?:[.,]\d{1,20})?|\.\d{1,20})(?:[eE][+-]?\d{1,3})?"
_SHARE = re.compile(
    rf"(?P<number>{_NUMBER})(?:\s{{0,3}}(?P<percent>%)|\s{{0,3}}(?:/|out of|of|von|de|sur|из)\s{{0,3}}(?P<whole>\d{{1,4}}))?"
    r"(?!\w|[.,]\d|\s*[%/]|\s*(?:-|–|to|or|and)\s*\.?\d)",
    re.IGNORECASE,
)
_LAST = re.compile(rf"(?:^|(?<![-–])(?<!\bto)(?<!\bor)(?<!\band)[\s:=*(]){_SHARE.pattern}[\s.*)`\"']*\Z", re.IGNORECASE)
_NUMBERED = re.compile(
    rf"^[ \t*#-]*(?:\w{{1,20}} )?\[?(\d{{1,3}})(?:[\]:)][ \t*:]*|\.[ \t]+)({_NUMBER} ?%?)[ \t*,;.]*$", re.MULTILINE
)
_SCORES = re.compile(r"[\"']score[\"']\s*:\s*[\"']?([^\"',}\]]{1,20})")
_LIST = re.compile(r"\[([^\[\]{}]*)\]")


def read_share(reply: str) -> float | None:
    """The score of a reply, in 0-1: under a key, or the number that it begins or ends with."""
    text = without_fence(without_thinking(reply[:MAX_READ]))
    said = named(text, KEYS)
    if said or text.startswith("{"):
        return share_of(first(said, KEYS))
    found = _SHARE.match(text.lstrip(" \n*`\"'")) or _LAST.search(text)
    return share_of(found.group()) if found else None


def share_of(text: str) -> float | None:
    """A number as a share of 1; None for anything else, and for a number that is none."""
    found = _SHARE.match(text.strip(" \t\n*`\"'(:="))
    if not found:
        return None
    number = float(found["number"].replace(",", "."))
    whole = 100 if found["percent"] else float(found["whole"] or 1)
    share = number / whole if whole else -1.0
    return share if 0 <= share <= 1 else None


def read_shares(reply: str, count: int) -> list[float | None]:
    """The scores of `count` numbered things: an object with their numbers as keys, lines “1: 0.7”, or a list of just as many.
    What is missing or unreadable is None; numbers from 0, and a list of another length, say of none which is whose."""
    text = without_fence(without_thinking(reply[:MAX_READ]))
    by_number = {int(n[0]): v.text for k, v in fields_of(text).items() if v.whole and (n := re.search(r"\d{1,3}\Z", k))}
    by_number = by_number or {int(line[1]): line[2] for line in _NUMBERED.finditer(text)}
    if by_number:
        return [share_of(by_number[n]) if n in by_number and 0 not in by_number else None for n in range(1, count + 1)]
    lists = [_SCORES.findall(text), *(_items(found[1]) for found in _LIST.finditer(text))]
    fitting = next((items for items in lists if len(items) == count), None)
    if fitting is None:
        return [read_share(reply)] if count == 1 else [None] * count
    return [share_of(str(item)) for item in fitting]


def _items(inside: str) -> Sequence[object]:
    """The items of a list, each to be read by itself."""
    try:
        items: list[object] = json.loads(f"[{inside}]")
    except (ValueError, RecursionError):
        return re.split(r"[,;]\s+|\n", inside.strip())
    return items
