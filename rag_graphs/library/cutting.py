"""Packing blocks into chunks under a hard bound, and cutting up what does not fit."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

_CHARACTERS_PER_TOKEN = 8  # a tokenizer may count a line of a thousand letters as one unknown word

# Each pattern matches where a piece ends; the piece keeps what it matched.
_ENDS = (
    re.compile(r"\n\n+"),
    re.compile(r"\n"),
    re.compile(r"[.!?…]+[\"'”’»)\]]*\s+|[。！？｡؟۔।]+[」』”’）)]*\s*"),
    re.compile(r"[,;:、，；]\s*(?=\S)|[ฯๆ]\s*"),
    re.compile(r"\s+"),
)


class Cutter:
    """Cuts for one bound, in tokens by the given counter."""

    def __init__(self, count: Callable[[str], int], bound: int, overlap: int = 0) -> None:
        self._count = count
        self.bound = bound
        self._overlap = overlap

    def size_of(self, text: str) -> int:
        """Tokens, and at least an eighth of the characters; not counted where the characters alone are too many."""
        least = -(-len(text.strip()) // _CHARACTERS_PER_TOKEN)
        return least if least > self.bound else max(self._count(text), least)

    def pack(self, blocks: list[str]) -> list[str]:
        """The blocks of a section as chunks, in order."""
        parts = [part for block in blocks for part in self._parts(block)]
        chunks: list[str] = []
        current: list[str] = []
        for part in parts:
            if current and not self._fits([*current, part]):
                chunks.append(_join(current))
                tail = self._tail(current)
                current = tail if self._fits([*tail, part]) else []
            current.append(part)
        return [*chunks, _join(current)] if current else chunks

    def _fits(self, parts: list[str]) -> bool:
        return self.size_of(_join(parts)) <= self.bound

    def _tail(self, parts: list[str]) -> list[str]:
        """The end of a chunk that the next one repeats."""
        if not self._overlap:
            return []
        tail: list[str] = []
        for piece in reversed(list(self._fine(parts[-1]))):
            if self.size_of("".join([piece, *tail])) > self._overlap:
                break
            tail.insert(0, piece)
        return ["".join(tail)] if "".join(tail).strip() else []

    def _fine(self, text: str) -> Iterator[str]:
        for sentence in _pieces(text, _ENDS[2]):
            yield from [sentence] if self.size_of(sentence) <= self._overlap else _pieces(sentence, _ENDS[4])

    def _parts(self, block: str) -> list[str]:
        """A block that fits, as it is; a table or code in parts that repeat its head; other text in ever finer pieces."""
        if self.size_of(block) <= self.bound:
            return [block]
        if framed := _frame(block):
            head, lines, foot = framed
            room = self.bound - self.size_of(head + foot) - 2
            if room >= self.bound // 2:
                inner = Cutter(self._count, room)
                parts = [head + part.strip("\n") + foot for part in inner.cut(lines, 1)]
                if all(self.size_of(part) <= self.bound for part in parts):
                    return parts
        return self.cut(block)

    def cut(self, text: str, level: int = 0) -> list[str]:
        """Pieces under the bound, as large as can be; cut at the coarsest ends that serve. Joined, they are the text."""
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
        """As many characters at a time as fit."""
        while text:
            low, high = 1, min(len(text), self.bound * _CHARACTERS_PER_TOKEN)
            while low < high:
                middle = (low + high + 1) // 2
                low, high = (middle, high) if self.size_of(text[:middle]) <= self.bound else (low, middle - 1)
            yield text[:low]
            text = text[low:]


def _join(parts: list[str]) -> str:
    return "\n\n".join(part.strip("\n") for part in parts if part.strip())


def _pieces(text: str, ends: re.Pattern[str]) -> Iterator[str]:
    start = 0
    for match in ends.finditer(text):
        yield text[start : match.end()]
        start = match.end()
    if start < len(text):
        yield text[start:]


def _frame(block: str) -> tuple[str, str, str] | None:
    """(head, lines, foot) of fenced code or a table, or None for other text."""
    lines = block.split("\n")
    fence = re.match(r"`{3,}|~{3,}", lines[0])
    if fence and len(lines) > 2 and lines[-1].strip() == fence[0]:
        return lines[0] + "\n", "\n".join(lines[1:-1]), "\n" + lines[-1]
    if len(lines) > 3 and lines[0].startswith("|") and re.fullmatch(r"[|\s:-]+", lines[1]):
        return "\n".join(lines[:2]) + "\n", "\n".join(lines[2:]), ""
    return None
