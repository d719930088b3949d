"""Joining the lines of a printed page into paragraphs: hyphenated words are rejoined, and repeated page headers dropped."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence

EDGE = 3  # lines at the top and at the bottom of a page that may be page headers or footers
_LIGATURES = {
    "\ufb00": "ff",
    "\ufb01": "fi",
    "\ufb02": "fl",
    "\ufb03": "ffi",
    "\ufb04": "ffl",
    "\ufb05": "st",
    "\ufb06": "st",
}
_CLEAN = str.maketrans({**_LIGATURES, "\u00a0": " ", "\t": " "})
_LEADERS = re.compile(r"(?:\s?[.·…_]){5,}")
_NUMBER = re.compile(r"\d{1,5}")
_WORD = re.compile(r"[^\W\d_]+(?:-[^\W\d_]+)*")
_ENDED = re.compile(r"[.!?…。！？:;：；][\"'”’»)\]」』]*$")
_ITEM = re.compile(
    r"[•●▪‣◦·○■□➢–—*-]\s|\(?(?:\d{1,3}|[a-zA-Z]|[ivx]{1,5})[.)]\s|\d+(?:\.\d+)+\.?\s|-{1,2}[a-zA-Z]|[|{}<>$#]"
)
_NO_SPACES = re.compile(r"[\u3000-\u30ff\u3400-\u9fff\uff00-\uffef]")
_LONG = 0.72  # of a page's line length: a shorter line ends its paragraph


def lines_of(text: str) -> list[str]:
    """Return the lines of a page that are not empty, with plain spaces and without ligatures."""
    clean = (re.sub(r" {2,}", " ", _LEADERS.sub(" … ", line.translate(_CLEAN))).strip() for line in text.splitlines())
    return [line for line in clean if line]


def without_repeats(pages: Sequence[list[str]]) -> list[list[str]]:
    """Return the pages without page headers, footers and page numbers. These are lines at an edge that are repeated on other
    pages, with the same text or with a number that counts the pages. The first page keeps its first lines: they are often
    the title."""
    if len(pages) == 1:
        return [_unnumbered(pages[0])]
    counted = Counter(
        key for n, page in enumerate(pages) for key in {k for line in _edges(page) for k in _keys(line, n)}
    )
    least = 2 if len(pages) < 4 else 3
    repeated = {key for key, times in counted.items() if times >= least}

    def is_repeated(line: str, n: int) -> bool:
        return not repeated.isdisjoint(_keys(line, n))

    return [_trimmed(page, [is_repeated(line, n) for line in page], keep_top=n == 0) for n, page in enumerate(pages)]


def _edges(page: list[str]) -> list[str]:
    return page if len(page) <= 2 * EDGE else page[:EDGE] + page[-EDGE:]


def _keys(line: str, page: int) -> Iterator[tuple[str, int | None]]:
    """Yield the line itself, and for each number in it the line without that number and the number minus the page's."""
    if not line.isdigit():
        yield line, None
    for number in _NUMBER.finditer(line):
        yield f"{line[: number.start()]}\0{line[number.end() :]}", int(number[0]) - page


def _trimmed(page: list[str], repeated: list[bool], *, keep_top: bool) -> list[str]:
    first, last = 0, len(page)
    while not keep_top and first < min(EDGE, last) and repeated[first]:
        first += 1
    while last > first and len(page) - last < EDGE and repeated[last - 1]:
        last -= 1
    return page[first:last]


def _unnumbered(page: list[str]) -> list[str]:
    return (
        page[:-1] if len(page) > 1 and re.fullmatch(r"[-– ]*(?:[Pp]age )?1(?: of 1| ?/ ?1)?[-– ]*", page[-1]) else page
    )


def vocabulary(pages: Iterable[list[str]]) -> frozenset[str]:
    """Return all words of the lines in small letters, except words that are divided at the end of a line."""
    return frozenset(
        word.casefold()
        for page in pages
        for line in page
        for word in _WORD.findall(line.rstrip("-\u00ad"))
        if len(word) > 1
    )


def paragraphs(lines: Sequence[str], words: frozenset[str]) -> list[str]:
    """Join lines into paragraphs. `words`: all words of the document; they tell whether a hyphen at the end of a line only
    divides a word or belongs to it."""
    lengths = sorted(len(line) for line in lines)
    width = lengths[int(0.75 * (len(lengths) - 1))] if lengths else 0
    texts: list[str] = []
    before = ""
    for line in lines:
        if texts and _goes_on(before, line, width):
            texts[-1] = joined(texts[-1], line, words)
        else:
            texts.append(line)
        before = line
    return [text.replace("\u00ad", "") for text in texts]


def _goes_on(line: str, after: str, width: int) -> bool:
    """Return whether a paragraph goes on from one line to the next."""
    if line.endswith("\u00ad") or (re.search(r"[^\W\d_]-$", line) and after[0].islower()):
        return True
    if _ITEM.match(after):
        return False
    if len(line) >= _LONG * width:
        return not line.endswith((":", "："))
    return len(line) >= 0.4 * width and after[0].islower() and not _ENDED.search(line)


def joined(text: str, line: str, words: frozenset[str]) -> str:
    """Join a text and its next line: without the hyphen of a divided word, and without a space in scripts that have none."""
    if text.endswith("\u00ad"):
        return text[:-1] + line
    start = re.search(r"([^\W\d_]+(?:-[^\W\d_]+)*)-$", text)
    if start and line[:1].islower():
        rest = _WORD.match(line)
        end = rest[0] if rest else ""
        hyphened = f"{start[1]}-{end}".casefold() in words and f"{start[1]}{end}".casefold() not in words
        return (text if hyphened else text[:-1]) + line
    if _NO_SPACES.fullmatch(text[-1:]) and _NO_SPACES.match(line):
        return text + line
    return f"{text} {line}"


def is_unfinished(text: str, after: str) -> bool:
    """Return whether a sentence at the end of a page goes on at the top of the next."""
    no_spaces = _NO_SPACES.fullmatch(text[-1:]) and _NO_SPACES.match(after)
    return not _ENDED.search(text) and (after[:1].islower() or bool(no_spaces))


def literal(text: str) -> str:
    """Escape the lines of a text that Markdown would read as a heading or as the start of a code block."""
    return re.sub(r"^(\s*)(#{1,6}\s|`{3}|~{3})", r"\1\\\2", text, flags=re.MULTILINE)
