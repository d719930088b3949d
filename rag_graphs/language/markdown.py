"""Readable sentences out of the Markdown of a document: no marks, no code, no table rules."""

from __future__ import annotations

import re
from functools import lru_cache

from rag_graphs.language.text import blocks, sentences

FENCE = re.compile(r"^[ \t]*(```|~~~).*?(?:^[ \t]*\1[`~]*[ \t]*$|\Z)", re.MULTILINE | re.DOTALL)
"""A block of code between fences; one that is never closed goes to the end."""
_HEADING = re.compile(r"^[ \t]{0,3}#{1,6}[ \t].*$|^.*\n[ \t]*(?:={3,}|-{3,})[ \t]*$", re.MULTILINE)
_TABLE_RULE = re.compile(r"^[ \t]*\|?[ \t:|-]*-{3,}[ \t:|-]*$", re.MULTILINE)
_TABLE_ROW = re.compile(r"^[ \t]*\|(.*?)\|?[ \t]*$", re.MULTILINE)
_REPLACED = (
    (
        re.compile(r"<!--.*?-->|</?(?:br|p|div|li|ul|ol|td|th|tr|table|h\d)\b[^<>]{0,300}>", re.DOTALL | re.IGNORECASE),
        " ",
    ),
    (re.compile(r"</?[A-Za-z][^<>]{0,300}>"), ""),
    (re.compile(r"!\[[^\]]*\]\([^)]*\)"), " "),
    (re.compile(r"\[([^\]]+)\]\([^)\s]*(?:\s\"[^\"]*\")?\)"), r"\1"),
    (re.compile(r"\s*\[(?:\^[^\]]+|\d{1,3}(?:[,–-]\s?\d{1,3})*|citation needed|edit)\]"), ""),
    (re.compile(r"(\*\*\*|\*\*|__|~~)(?=\S)(.+?)(?<=\S)\1"), r"\2"),
    (re.compile(r"(?<![\w*])([*_])(?=\S)([^*_\n]+?)(?<=\S)\1(?![\w*])"), r"\2"),
    (re.compile(r"`+([^`\n]*)`+"), r"\1"),
)
_MARK = re.compile(r"^(?:[>\s]*(?:[-*+•]|\d{1,3}[.)])\s+(?:\[[ xX]\]\s+)?|[>\s]+)+")
_ANY_HEADING_MARK = re.compile(r"^\s*#{1,6}\s+", re.MULTILINE)
_HAS_LETTER = re.compile(r"[^\W\d_]")
LONGEST = 500
"""Characters of a sentence at most; a longer one (a page without full stops) is cut at a space."""


@lru_cache(maxsize=2048)
def _sentences(text: str) -> tuple[str, ...]:
    body = _TABLE_RULE.sub("", _HEADING.sub("\n", FENCE.sub("\n\n", text)))
    found = _split(_TABLE_ROW.sub(lambda row: "\n\n" + _cells(row.group(1)) + "\n\n", body))
    return tuple(found or _split(_ANY_HEADING_MARK.sub("", text.replace("|", " "))))


def plain_sentences(text: str) -> list[str]:
    """The sentences of a document's running text, list items and table rows, cleaned. Headings and code are left out; where
    nothing else is there, they are taken after all. Bracketed numbers are dropped: they would look like citations."""
    return list(_sentences(text))


def _split(text: str) -> list[str]:
    for pattern, by in _REPLACED:
        text = pattern.sub(by, text)
    found: list[str] = []
    leads: list[int] = []  # where the sentence stands that announced the list being read
    for block in blocks(text):
        item = _MARK.match(block) is not None
        cleaned = [_MARK.sub("", s).strip() for s in sentences(block)]
        kept = [_cut(s) for s in cleaned if _HAS_LETTER.search(s)]
        if kept and item and leads:
            _join(found, leads[-1], kept[0])
        if kept and not item:
            leads = [len(found) + len(kept) - 1] if kept[-1].endswith((":", "：")) else []
        found.extend(kept)
    return found


def _join(found: list[str], lead: int, item: str) -> None:
    """A sentence that announces a list takes its items in, as far as they fit: alone it would announce nothing."""
    opened = found[lead].endswith((":", "："))
    joined = f"{found[lead]} {item}" if opened else f"{found[lead].rstrip('.;,。')}; {item}"
    if len(joined) <= LONGEST:
        found[lead] = joined


def _cells(row: str) -> str:
    return ", ".join(cell.strip() for cell in row.split("|") if cell.strip())


def _cut(sentence: str) -> str:
    if len(sentence) <= LONGEST:
        return sentence
    head = sentence[:LONGEST]
    return (head.rpartition(" ")[0] or head) + " …"
