"""Reading the text of a PDF, page by page. It runs in a separate process: see apart.py."""

from __future__ import annotations

import re
import time
import warnings
from collections.abc import Iterator
from itertools import pairwise
from typing import TYPE_CHECKING

from rag_graphs.errors import SourceError
from rag_graphs.library.bounds import Bounds, Extracted
from rag_graphs.library.read.junk import count_words
from rag_graphs.library.read.lines import (
    is_unfinished,
    joined,
    lines_of,
    literal,
    paragraphs,
    vocabulary,
    without_repeats,
)
from rag_graphs.library.read.titles import first_line, sensible

if TYPE_CHECKING:
    from langchain_core.documents import Document

PAGE = "###### Page {}"  # of the lowest level, so that it is not mistaken for a heading of the text
_FEW = 5  # words on a page, up to which its text may be in pictures
_PICTURE = re.compile(rb"/Subtype\s*/Image\b|/ImageMask\s+true")
_SENTENCE = re.compile(r".*?[.!?…。！？][\"'”’»)\]」』]*(?=\s|$)", re.DOTALL)
_LONGEST_REST = 400  # characters of a sentence that may be moved back to the page where it began
_SCAN = (
    "The PDF has no text layer: its pages are pictures, as a scanner makes them. Run text recognition (OCR) over it, "
    "for example with ocrmypdf, and load the result."
)


def read_pdf(body: bytes, bounds: Bounds) -> Extracted:
    """Read the pages that the bounds allow, each under a heading such as "Page 12", counted from the first page of the file.
    Raises SourceError."""
    texts: list[str] = []
    notes: list[str] = []
    title, total = "", 0
    started = time.process_time()
    for page in _pages(body):
        texts.append(page.page_content)
        title, total = str(page.metadata.get("title", "")), int(page.metadata["total_pages"])
        cut = len(texts) == bounds.pages or sum(map(len, texts)) > bounds.characters
        if (cut or time.process_time() - started > bounds.seconds) and len(texts) < total:
            notes.append(f"only the first {len(texts)} of {total} pages were read: the document is very long")
            break
    _refuse_pictures(texts, body)
    if bare := sum(not text.strip() for text in texts):
        notes.append(f"{bare} of {len(texts)} pages hold no text, perhaps only pictures")
    pages = without_repeats([lines_of(text) for text in texts])
    return Extracted(
        title=sensible(title) or first_line(next((p for p in pages if p), [])),
        text=_markdown(pages)[: bounds.characters],
        warnings=tuple(notes),
    )


def _pages(body: bytes) -> Iterator[Document]:
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", message=".*langchain-community.*is being sunset", category=DeprecationWarning)
        from langchain_community.document_loaders.parsers.pdf import PyPDFParser
    from langchain_core.documents.base import Blob
    from pypdf.errors import EmptyFileError, FileNotDecryptedError, WrongPasswordError

    try:
        yield from PyPDFParser().lazy_parse(Blob.from_data(body, mime_type="application/pdf"))
    except (FileNotDecryptedError, WrongPasswordError):
        raise SourceError(
            "encrypted", "The PDF opens only with a password. Save a copy without one, and load that."
        ) from None
    except EmptyFileError:
        raise SourceError("empty page", "The PDF is empty. Use another file.") from None


def _refuse_pictures(texts: list[str], body: bytes) -> None:
    """Raise SourceError if the pages hold no readable text."""
    whole = "\n".join(texts)
    words = count_words(whole)
    if words <= _FEW * len(texts) and _PICTURE.search(body):
        raise SourceError("scanned PDF", _SCAN)
    if not words:
        raise SourceError("empty page", "The PDF holds no text. Use another file, or paste the text.")
    marks = sum(c.isprintable() and not "\ue000" <= c <= "\uf8ff" and c != "\ufffd" for c in whole if not c.isspace())
    if marks < 0.7 * sum(not c.isspace() for c in whole):
        raise SourceError(
            "unreadable text",
            "The PDF does not say which letters its signs stand for. Run text recognition (OCR) over it, or paste the text.",
        )


def _markdown(pages: list[list[str]]) -> str:
    words = vocabulary(pages)
    blocks = [paragraphs(lines, words) for lines in pages]
    for here, after in pairwise(blocks):
        if here and after and is_unfinished(here[-1], after[0]):
            rest = _SENTENCE.match(after[0][:_LONGEST_REST])
            if rest:
                here[-1] = joined(here[-1], rest[0], words)
                after[0] = after[0][rest.end() :].lstrip()
    parts = [
        "\n\n".join([PAGE.format(n), *(literal(b) for b in page if b)]) for n, page in enumerate(blocks, 1) if any(page)
    ]
    return "\n\n".join(parts)
