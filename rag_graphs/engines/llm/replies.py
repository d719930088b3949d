"""What a model's reply holds besides what was asked for: thinking, fences, preambles, a marker. All of it is taken off,
also while the reply is still coming in."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from rag_graphs.language.clean_text import MAX_QUERY, clean_query

MAX_KEYWORD = 80
"""Characters of a keyword at most: it is a word or a name."""

_TAG = re.compile(r"[<\[](?P<close>/)?(?:think|thinking|thought|reasoning|reflection|analysis)[>\]]", re.IGNORECASE)
_LONGEST_TAG = len("</reflection>")
_FENCED = re.compile(r"^\s*```[^\n`]*\n(.*?)\n?\s*```\s*$", re.DOTALL)
_CITATION = re.compile(
    r"[\[【]\s*(?:documents?|docs?\.?|sources?|nr\.?|no\.?|#)?\s*(\d{1,3}(?:\s*[,;、&]\s*\d{1,3})*)\s*[\]】]",
    re.IGNORECASE,
)
_MARK = re.compile(r"^\s*(?:[-*•]|\d{1,2}[.)])\s+")
_PREAMBLE = re.compile(
    r"^(?:(?:sure|certainly|of course|okay|ok)\b[^\n:!.]*[:!.]"
    r"|here(?:'s| is| are)\b[^\n:]*:"
    r"|(?:the )?(?:(?:new|rewritten|improved|revised|better|search|web|alternative|optimi[sz]ed|stand-?alone|follow-?up) ){0,3}"
    r"(?:query|question)(?: is| would be)?\s*:)\s*",
    re.IGNORECASE,
)


def without_thinking(text: str) -> str:
    """`text` without thinking: closed blocks, one that was never closed, and one whose opening tag is missing."""
    kept: list[str] = []
    at, thinking = 0, False
    for tag in _TAG.finditer(text):
        if tag["close"]:
            kept, at = (kept if thinking else []), tag.end()
        elif not thinking:
            kept.append(text[at : tag.start()])
        thinking = not tag["close"]
    return "".join(kept if thinking else [*kept, text[at:]]).strip()


def without_fence(text: str) -> str:
    """The inside of a reply that is one fenced block; any other text as it is."""
    inside = _FENCED.match(text)
    return (inside.group(1) if inside else text).strip()


def query_of(text: str, limit: int = MAX_QUERY) -> str:
    """The query or question of a reply: without thinking, fence, preamble, list marks and quotes; one line, at most `limit`
    characters."""
    text = without_fence(without_thinking(text))
    if text[:1] in "{[":
        return clean_query(text, limit)
    while (shorter := _PREAMBLE.sub("", text, count=1).strip()) != text and shorter:
        text = shorter
    line = next((line for line in text.splitlines() if line.strip()), "")
    return clean_query(_MARK.sub("", line).replace("**", ""), limit)


def keywords_of(text: str, most: int = 3) -> str:
    """The keywords of a reply, separated by commas: those of a line, of a list with one a line, or of JSON."""
    text = without_fence(without_thinking(text))
    text = re.sub(
        r"^\s*(?:[\w ]{0,30}\b)?keywords?\b[^:\n]{0,40}:\s*", "", _PREAMBLE.sub("", text, count=1), flags=re.IGNORECASE
    )
    if text[:1] in "{[":
        text = re.sub(r"^\{[^\[]*|[\[\]{}]", " ", text)
    parts = re.split(r"[,;、，；\n]+", "\n".join(_MARK.sub("", line) for line in text.splitlines()))
    words = [clean_query(part.replace("**", "").strip(" .\t"), MAX_KEYWORD) for part in parts]
    return ", ".join(list(dict.fromkeys(word for word in words if word))[:most])


def citations(text: str) -> str:
    """`text` with every citation in the one form [1][3]."""
    return _CITATION.sub(lambda m: "".join(f"[{n}]" for n in re.findall(r"\d+", m.group(1))), text)


def visible(pieces: Iterable[str]) -> Iterator[str]:
    """The pieces of a reply as they come, without thinking. A tag may be spread over several pieces."""
    held, thinking = "", False
    for piece in pieces:
        held += piece
        while tag := _TAG.search(held):
            if not thinking and tag.start():
                yield held[: tag.start()]
            held, thinking = held[tag.end() :], not tag["close"]
        keep = _possible_tag(held)
        if not thinking and keep < len(held):
            yield held[: len(held) - keep]
        held = held[len(held) - keep :]
    if held and not thinking:
        yield held


def _possible_tag(text: str) -> int:
    """How many characters at the end of `text` may be the beginning of a tag."""
    start = max(text.rfind("<", -_LONGEST_TAG), text.rfind("[", -_LONGEST_TAG))
    return len(text) - start if start >= 0 and not re.search(r"[>\]\s]", text[start:]) else 0


class MarkerFilter:
    """Takes a marker out of a stream of text and remembers that it was there. The marker is never let through, not even
    in parts: text that may be its beginning is held back."""

    def __init__(self, marker: str) -> None:
        self.marker = marker
        self.leading = False
        self.seen = False

    def feed(self, pieces: Iterable[str]) -> Iterator[str]:
        """The pieces without the marker, and without white space and marks around a leading one."""
        held, begun = "", False
        for piece in pieces:
            held += piece
            while (at := held.find(self.marker)) >= 0:
                before = held[:at]
                self.leading = self.leading or not (begun or before.strip(" \n*`[\"'#"))
                self.seen = True
                held = ("" if self.leading and not begun else before) + held[at + len(self.marker) :]
            if not begun:
                held = held.lstrip(" \n*`]\"':.,-–—" if self.seen else " \n")
            keep = max((n for n in range(1, len(self.marker)) if held.endswith(self.marker[:n])), default=0)
            if not begun and held.strip(" \n*`[\"'#") == self.marker[:keep]:
                continue
            if keep < len(held):
                begun = True
                yield held[: len(held) - keep]
                held = held[len(held) - keep :]
        if held:
            yield held
