"""Reading the text of a Word document (.docx). It runs in a separate process: see apart.py.

python-docx opens the file and its styles, but the text is collected here, because its `Paragraph.text` leaves out content
controls and insertions under review.
"""

from __future__ import annotations

import io
import re
import zipfile
from collections.abc import Iterator
from typing import Any

from rag_graphs.errors import SourceError
from rag_graphs.library.bounds import Bounds, Extracted
from rag_graphs.library.read.html_tables import markdown_table
from rag_graphs.library.read.lines import literal
from rag_graphs.library.read.titles import sensible
from rag_graphs.library.read.word_styles import Styles, local, value_of

Element = Any
"""An lxml element of python-docx."""

_MOST_PARTS = 5000
_LONGEST_PART = 30_000_000  # bytes of XML; parsing it takes ten times as much memory
_COLUMNS = 63  # the most that Word itself allows
# elements without text of the document: deletions under review, a second copy of a drawing, properties, embedded objects
_LEFT_OUT = frozenset(("del", "moveFrom", "Fallback", "pPr", "rPr", "tblPr", "object", "instrText", "txbxContent"))


def read_word(body: bytes, bounds: Bounds) -> Extracted:
    """Read headings, paragraphs, lists, tables, text boxes and footnotes, in their order. Macros, embedded objects and links
    to other files are not opened. Raises SourceError."""
    _check(body, bounds)
    import docx

    document = docx.Document(io.BytesIO(body))
    blocks: list[str] = []
    length = 0
    notes: tuple[str, ...] = ()
    for block in _Reader(document).blocks(document.element.body):
        blocks.append(block)
        length += len(block) + 2
        if length > bounds.characters:
            notes = (f"only the first {bounds.characters} characters were read: the document is very long",)
            break
    text = "\n\n".join(blocks)[: bounds.characters]
    if not re.search(r"\w", text):
        raise SourceError("empty page", "The Word document holds no text. Use another file, or paste the text.")
    own = re.search(r"^#{1,3} +(\S.*)$", text[:5000], re.MULTILINE)
    return Extracted(title=own[1] if own else sensible(document.core_properties.title), text=text, warnings=notes)


def _check(body: bytes, bounds: Bounds) -> None:
    """Refuse documents that are too large when decompressed, and related formats. The sizes that the parts state can be
    trusted, because no more than that is decompressed."""
    with zipfile.ZipFile(io.BytesIO(body)) as archive:
        parts = archive.infolist()
        texts = [p.file_size for p in parts if p.filename.lower().endswith((".xml", ".rels"))]
        if len(parts) > _MOST_PARTS or sum(p.file_size for p in parts) > bounds.unpacked or max(texts) > _LONGEST_PART:
            raise SourceError(
                "too large", "The Word document unfolds into far too much. Save the text alone, and load that."
            )
        kinds, rels = archive.read("[Content_Types].xml"), archive.read("_rels/.rels")
    if b"macroEnabled" in kinds or b"template.main" in kinds:
        raise SourceError(
            "Word document", "The Word file carries macros or is a template. Save it as .docx, and load that."
        )
    if b"purl.oclc.org/ooxml" in rels:
        raise SourceError(
            "Word document", "The Word file is in the strict form. Save it as a usual .docx, and load that."
        )


class _Reader:
    """Converts the body of one document to blocks of Markdown."""

    def __init__(self, document: Any) -> None:
        self._styles = Styles(document)
        self._notes = _footnotes(document)

    def blocks(self, parent: Element) -> Iterator[str]:
        items: list[str] = []
        for block, is_item in self._blocks(parent):
            if is_item:
                items.append(block)
                continue
            if items:
                yield "\n".join(items)
                items = []
            yield block
        if items:
            yield "\n".join(items)

    def _blocks(self, parent: Element) -> Iterator[tuple[str, bool]]:
        """Yield each block, and whether it is an item of a list."""
        for child in parent:
            name = local(child)
            if name == "p":
                yield from self._paragraph(child)
            elif name == "tbl":
                yield from self._table(child)
            elif name not in _LEFT_OUT:
                yield from self._blocks(child)

    def _paragraph(self, element: Element) -> Iterator[tuple[str, bool]]:
        text = "\n".join(line for line in (" ".join(x.split()) for x in _text(element).split("\n")) if line)
        level, indent = self._styles.heading(element), self._styles.item(element)
        if text and level:
            yield f"{'#' * level} {' '.join(text.split())}", False
        elif text and indent is not None:
            yield f"{'  ' * indent}- " + text.replace("\n", "\n" + "  " * (indent + 1)), True
        elif text:
            yield literal(text), False
        for inner in element.iter():
            if local(inner) == "footnoteReference" and (note := self._notes.get(value_of(inner, "id"), "")):
                yield f"Note: {note}", False
            elif local(inner) == "txbxContent" and not any(local(a) == "Fallback" for a in inner.iterancestors()):
                yield from self._blocks(inner)

    def _table(self, table: Element) -> Iterator[tuple[str, bool]]:
        """Yield a table, or the blocks of its cells if it only serves as a layout."""
        cells = [cell for row in _inside(table, "tr") for cell in _inside(row, "tc")]
        nested = any(local(e) == "tbl" for cell in cells for e in cell.iter()) or any(
            self._styles.heading(p) for cell in cells for p in _inside(cell, "p")
        )
        rendered = "" if nested else markdown_table([_row(row) for row in _inside(table, "tr")])
        if rendered:
            yield rendered, False
            return
        for cell in cells:
            yield from self._blocks(cell)


def _row(row: Element) -> list[str]:
    """Return the cells of a row. A cell that spans several columns is followed by empty ones."""
    texts: list[str] = []
    for cell in _inside(row, "tc"):
        span = next((value_of(e) for e in cell.iter() if local(e) == "gridSpan"), "1")
        texts.append(" ".join(" ".join(_text(p) for p in cell).split()).replace("|", "\\|"))
        texts += [""] * (min(int(span), _COLUMNS) - 1 if span.isdigit() else 0)
    return texts[:_COLUMNS]


def _inside(element: Element, name: str) -> Iterator[Element]:
    """Yield the children of that name, also those inside content controls and insertions."""
    for child in element:
        if local(child) == name:
            yield child
        elif local(child) in ("sdt", "sdtContent", "customXml", "ins"):
            yield from _inside(child, name)


def _text(element: Element) -> str:
    return "".join(_pieces(element))


def _pieces(element: Element) -> Iterator[str]:
    for child in element:
        name = local(child)
        if name == "t":
            yield child.text or ""
        elif name in ("tab", "ptab"):
            yield " "
        elif name in ("br", "cr"):
            yield "\n"
        elif name == "noBreakHyphen":
            yield "-"
        elif name not in _LEFT_OUT and not (name == "r" and _is_hidden(child)):
            yield from _pieces(child)


def _is_hidden(run: Element) -> bool:
    return any(
        local(e) in ("vanish", "webHidden") and value_of(e) not in ("0", "false")
        for properties in run
        if local(properties) == "rPr"
        for e in properties
    )


def _footnotes(document: Any) -> dict[str, str]:
    """Return the document's footnotes by their ids, without those in other files."""
    from docx.oxml import parse_xml

    notes: dict[str, str] = {}
    for relation in document.part.rels.values():
        if not relation.is_external and relation.reltype.endswith("/footnotes"):
            for note in parse_xml(relation.target_part.blob):
                notes[value_of(note, "id")] = " ".join(_text(note).split())
    return notes
