"""Converting an HTML element to Markdown: headings, paragraphs, lists, definitions, code and tables."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from rag_graphs.library.read.html_tables import to_table
from rag_graphs.library.read.inline import MAX_DEPTH, inline, one_line, paragraph
from rag_graphs.library.read.page import Element, text_of

_BLOCKS = frozenset(
    re.findall(
        r"\w+",
        "address article aside blockquote body center dd details dialog dir div dl dt fieldset figcaption figure footer form "
        "h1 h2 h3 h4 h5 h6 header hgroup hr html li main menu nav ol p pre section summary table tbody td tfoot th thead tr ul",
    )
)
_BACK = "\0"  # before a heading that applies again after the description of a function or class


def to_markdown(element: Element) -> str:
    """Return an element as Markdown. It raises for no nesting, however odd."""
    if element.tag == "pre":
        return _fenced(element)
    return "\n\n".join(_settled(_Writer().blocks(element, 0))).strip()


class _Writer:
    """Converts elements to blocks. It remembers the section's heading, because signatures of functions and classes become
    headings below it."""

    def __init__(self) -> None:
        self._level = 1
        self._heading = ""

    def blocks(self, element: Element, depth: int) -> Iterator[str]:
        """Yield the blocks inside an element, in order. Text between blocks becomes paragraphs."""
        if depth > MAX_DEPTH:
            yield text_of(element)
            return
        run = [element.text or ""]
        for child in element:
            if _is_block(child):
                yield paragraph("".join(run))
                yield from self._block(child, depth + 1)
                run = []
            else:
                run.append(inline(child, depth))
            run.append(child.tail or "")
        yield paragraph("".join(run))

    def _block(self, element: Element, depth: int) -> Iterator[str]:
        tag = element.tag
        if re.fullmatch("h[1-6]", tag):
            yield self._head(element, int(tag[1]))
        elif tag == "pre":
            yield _fenced(element)
        elif tag in ("ul", "ol", "menu", "dir"):
            yield self._list(element, depth)
        elif tag == "table" and (table := to_table(element)):
            yield table
        elif tag == "blockquote":
            yield from _quoted(_settled(self.blocks(element, depth)))
        elif tag == "dl":
            yield from (self._signatures if _has_signature(element) else self._definitions)(element, depth)
        else:
            yield from self.blocks(element, depth)

    def _head(self, element: Element, level: int) -> str:
        text = one_line(inline(element)).replace("`", "")
        if not text:
            return ""
        self._level = level
        self._heading = f"{'#' * level} {text}"
        return self._heading

    def _signatures(self, element: Element, depth: int) -> Iterator[str]:
        """Yield functions and classes, as Sphinx marks them: each signature as the heading of its description. Afterwards the
        section goes on."""
        around, level = self._heading, self._level
        for child in element:
            if child.tag == "dt":
                yield self._head(child, min(6, level + 1))
            elif _is_block(child):
                yield from self.blocks(child, depth + 1)
        self._heading, self._level = around, level
        yield _BACK + around

    def _definitions(self, element: Element, depth: int) -> Iterator[str]:
        """Yield each term and its meaning in one block, so that a split keeps them together."""
        terms: list[str] = []
        for child in element:
            if child.tag == "dt":
                terms.append(one_line(inline(child)))
            elif child.tag == "div":
                yield from self._definitions(child, depth + 1)
            elif child.tag == "dd":
                meaning = _settled(self.blocks(child, depth + 1))
                term = ", ".join(t for t in terms if t)
                if term and meaning and not meaning[0].startswith(("```", "|", "#", "- ", "1. ")):
                    meaning[0] = f"{term}: {meaning[0]}"
                elif term:
                    meaning.insert(0, f"{term}:")
                terms = []
                yield from meaning
        yield ", ".join(t for t in terms if t)

    def _list(self, element: Element, depth: int) -> str:
        items: list[str] = []
        for child in element:
            if not isinstance(child.tag, str):
                continue
            mark = f"{len(items) + 1}. " if element.tag == "ol" else "- "
            inside = "\n".join(_settled(self.blocks(child, depth + 1)))
            if inside:
                items.append(mark + inside.replace("\n", "\n" + " " * len(mark)))
        return "\n".join(items)


def _settled(blocks: Iterable[str]) -> list[str]:
    """Return the blocks that hold text. If a section goes on after a signature's description, its heading is repeated."""
    settled: list[str] = []
    again = ""
    for block in blocks:
        if block.startswith(_BACK):
            again = block[1:]
        elif block.strip():
            if again and not block.startswith("#"):
                settled.append(again)
            again = ""
            settled.append(block)
    return settled


def _quoted(blocks: list[str]) -> list[str]:
    """Mark blocks as a quotation, unless they hold a table or code: then the quotation only serves to indent it."""
    if any(b.startswith(("|", "```")) for b in blocks):
        return blocks
    return ["\n".join(f"> {line}".rstrip() for line in "\n\n".join(blocks).splitlines())]


def _has_signature(element: Element) -> bool:
    return any(c.tag == "dt" and "sig" in (c.get("class") or "").split() for c in element)


def _is_block(element: Element) -> bool:
    """Return whether an element is a block, or an inline element around blocks, such as a link around a whole card."""
    if not isinstance(element.tag, str):
        return False
    return element.tag in _BLOCKS or any(d.tag in _BLOCKS for d in element.iterdescendants())


def _fenced(element: Element) -> str:
    for line_break in element.iter("br"):
        line_break.tail = "\n" + (line_break.tail or "")
    code = "".join(element.itertext()).strip("\n").rstrip()
    fence = "`" * max(3, max((len(m) for m in re.findall("`{3,}", code)), default=2) + 1)
    return f"{fence}\n{code}\n{fence}" if code.strip() else ""
