"""Packing blocks into chunks that never exceed a bound, and cutting up blocks that do not fit."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import NamedTuple

# A tokenizer may count a thousand letters of a script that it does not know as one unknown word. No usual text has more
# bytes in UTF-8 to a token: 8 letters of English, 4 of Russian, not quite 3 of Thai or Chinese.
_BYTES_PER_TOKEN = 8

# Each pattern matches where a piece ends; the piece keeps what it matched.
_ENDS = (
    re.compile(r"\n\n+"),
    re.compile(r"\n"),
    re.compile(r"[.!?…]+[\"'”’»)\]]*\s+|[。！？｡؟۔।]+[」』”’）)]*\s*"),
    re.compile(r"[,;:、，；]\s*(?=\S)|[ฯๆ]\s*"),
    re.compile(r"\s+"),
)
_CHARACTER = re.compile(r"(?s).")


class _Part(NamedTuple):
    """A block, or a part of one."""

    text: str
    goes_on: bool = False  # from the middle of a block, so joined to the part before it without a blank line

    def after(self, before: str) -> str:
        if not before or self.goes_on:
            return before + self.text
        return f"{before.rstrip()}\n\n{self.text}"


class Cutter:
    """Cuts text into pieces of at most `bound` tokens, counted by `count`."""

    def __init__(self, count: Callable[[str], int], bound: int, overlap: int = 0) -> None:
        self._count = count
        self.bound = bound
        self._overlap = overlap

    def size_of(self, text: str) -> int:
        """Return the number of tokens, at least an eighth of the bytes. If the bytes alone exceed the bound, it counts no
        tokens."""
        least = -(-len(text.strip().encode("utf-8", "surrogatepass")) // _BYTES_PER_TOKEN)
        return least if least > self.bound else max(self._count(text), least)

    def pack(self, blocks: list[str]) -> list[str]:
        """Return the blocks of a section as chunks, in order."""
        chunks: list[str] = []
        current = ""
        for part in (part for block in blocks for part in self._parts(block)):
            longer = part.after(current)
            if current and self.size_of(longer) > self.bound:
                chunks.append(current)
                longer = part.after(self._tail(current))
                if self.size_of(longer) > self.bound:
                    longer = part.text
            current = longer
        return [text.strip("\n").rstrip() for text in [*chunks, current] if text.strip()]

    def _tail(self, text: str) -> str:
        """Return the end of a chunk that the next one repeats: whole sentences if some fit, else less."""
        if not self._overlap or text.endswith(("```", "~~~", "|")):
            return ""
        last = text.rpartition("\n\n")[2]
        for ends in (*_ENDS[2:], _CHARACTER):
            tail = ""
            for piece in reversed(list(_pieces(last, ends))):
                if self.size_of(piece + tail) > self._overlap:
                    break
                tail = piece + tail
            if tail.strip():
                return tail
        return ""

    def _parts(self, block: str) -> list[_Part]:
        """Return a block that fits unchanged, a table or code in parts that repeat its head, other text in smaller pieces."""
        if self.size_of(block) <= self.bound:
            return [_Part(block)]
        if framed := self._framed(block):
            return [_Part(text) for text in framed]
        finer = Cutter(self._count, self.bound - self._overlap)
        return [_Part(text, goes_on=i > 0) for i, text in enumerate(finer.cut(block))]

    def _framed(self, block: str) -> list[str]:
        """Return the parts of a table or of code, each with its head; [] for other text, or if a single line is too long."""
        if not (frame := _frame(block)):
            return []
        head, lines, foot = frame
        room = self.bound - self.size_of(head + foot) - 2
        if room < self.bound // 2:
            return []
        parts = [head + part.strip("\n") + foot for part in Cutter(self._count, room).cut(lines, 1)]
        return parts if all(self.size_of(part) <= self.bound for part in parts) else []

    def cut(self, text: str, level: int = 0) -> list[str]:
        """Cut a text into pieces under the bound, as large as possible: between paragraphs if that is enough, else between
        lines, sentences, clauses or words. Joined, the pieces are the text."""
        if self.size_of(text) <= self.bound:
            return [text]
        if level == len(_ENDS):
            return list(self._anywhere(text))
        out: list[str] = []
        current = ""
        filled = 0
        for piece in _pieces(text, _ENDS[level]):
            size = self.size_of(piece)
            if current and filled + size > self.bound:
                out += self.cut(current, level + 1)
                current, filled = "", 0
            current += piece
            filled += size
        return out + self.cut(current, level + 1) if current else out

    def _anywhere(self, text: str) -> Iterator[str]:
        """Yield as many characters at a time as fit."""
        while text:
            low, high = 1, min(len(text), self.bound * _BYTES_PER_TOKEN)
            while low < high:
                middle = (low + high + 1) // 2
                low, high = (middle, high) if self.size_of(text[:middle]) <= self.bound else (low, middle - 1)
            yield text[:low]
            text = text[low:]


def _pieces(text: str, ends: re.Pattern[str]) -> Iterator[str]:
    start = 0
    for match in ends.finditer(text):
        yield text[start : match.end()]
        start = match.end()
    if start < len(text):
        yield text[start:]


def _frame(block: str) -> tuple[str, str, str] | None:
    """Return (head, lines, foot) of fenced code or a table, or None for other text."""
    lines = block.split("\n")
    fence = re.match(r"`{3,}|~{3,}", lines[0])
    if fence and len(lines) > 2 and lines[-1].strip() == fence[0]:
        return lines[0] + "\n", "\n".join(lines[1:-1]), "\n" + lines[-1]
    if len(lines) > 3 and lines[0].startswith("|") and re.fullmatch(r"[|\s:-]+", lines[1]):
        return "\n".join(lines[:2]) + "\n", "\n".join(lines[2:]), ""
    return None
