"""Recognising the kind of a file by its first bytes as well as by its content type, which is often wrong."""

from __future__ import annotations

import re
from urllib.parse import urlsplit

from rag_graphs.errors import SourceError

HTML, TEXT, MARKDOWN, PDF, WORD = "HTML", "plain text", "Markdown", "PDF", "Word document"
DOCUMENTS = frozenset([PDF, WORD])

_MAGIC: tuple[tuple[bytes, str], ...] = (
    (b"%PDF-", PDF),
    (b"\x89PNG", "image"),
    (b"GIF8", "image"),
    (b"\xff\xd8\xff", "image"),
    (b"BM\x00", "image"),
    (b"II*\x00", "image"),
    (b"\x00\x00\x01\x00", "image"),
    (b"{\\rtf", "Office document"),
    (b"\x1f\x8b", "archive"),
    (b"7z\xbc\xaf\x27\x1c", "archive"),
    (b"Rar!\x1a\x07", "archive"),
    (b"BZh", "archive"),
    (b"\xfd7zXZ\x00", "archive"),
    (b"ID3", "audio"),
    (b"OggS", "audio"),
    (b"fLaC", "audio"),
    (b"\x7fELF", "program"),
    (b"MZ\x90\x00", "program"),
    (b"\x00asm", "program"),
    (b"SQLite format 3\x00", "database"),
    (b"wOFF", "font"),
    (b"wOF2", "font"),
)
_OLD_OFFICE = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"  # newer files with a password begin with it too
_TYPES = {"image": "image", "audio": "audio", "video": "audio or video", "font": "font"}
_TAGS = re.compile(rb"<(!doctype\s+html|html|head|body|title|meta|div|p|h1|article|main|table)\b", re.IGNORECASE)
_ADVICE = {
    "Office document": "of Office files only Word documents (.docx) are read. Save it as one, or as a PDF",
    "encrypted": "it opens only with a password. Save a copy without one, and load that",
    "archive": "archives are not opened. Load the pages inside one by one",
    "data": "data files are not read. Load a page that explains the data",
}


def kind_of(body: bytes, content_type: str, address: str) -> str:
    """Return HTML, plain text, Markdown, PDF or Word document. For anything else it raises SourceError, whose kind names it
    ("image" …)."""
    media = content_type.partition(";")[0].strip().lower()
    if other := _by_magic(body) or _TYPES.get(media.partition("/")[0], ""):
        if other in DOCUMENTS:
            return other
        raise _not_read(other, media)
    if media in ("text/html", "application/xhtml+xml"):
        if _TAGS.search(body.replace(b"\0", b"")[:200_000]):
            return HTML
    elif _looks_like_html(body):
        return HTML
    if re.search(r"(^|[/+])(json|xml|yaml|csv|javascript|css|zip|octet-stream)$", media) and not _named_text(address):
        raise _not_read("data", media)
    if media == "application/pdf" or media.startswith(("application/vnd.", "application/msword")):
        reason = f"The server says that this is {media[:60]}, but it does not begin like one"
        raise SourceError("damaged", f"{reason}. Use another address.")
    if _is_binary(body):
        raise _not_read("data", media)
    return MARKDOWN if "markdown" in media or _path(address).endswith((".md", ".markdown")) else TEXT


def _not_read(kind: str, media: str) -> SourceError:
    advice = _ADVICE.get(kind, "use a web page, a PDF, a Word document or a text instead")
    claim = f", although the server says {media}" if media.startswith("text/") else ""
    return SourceError(kind, f"This is {_article(kind)}{claim}; {advice}.")


def _article(kind: str) -> str:
    names = {
        "data": "a data file",
        "audio": "an audio file",
        "audio or video": "a recording",
        "encrypted": "an Office document",
    }
    return names.get(kind) or f"{'an' if kind[0] in 'aeiouAEIOU' else 'a'} {kind}"


def _by_magic(body: bytes) -> str:
    if kind := next((kind for magic, kind in _MAGIC if body.startswith(magic)), ""):
        return kind
    if b"%PDF-" in body[:1024] and not _looks_like_html(body):
        return PDF
    if body.startswith((_OLD_OFFICE, b"PK\x03\x04")):
        return _by_parts(body)
    if body[4:8] == b"ftyp" or body[:4] == b"RIFF":
        return "image" if body[8:12] in (b"WEBP", b"avif", b"heic") else "audio or video"
    return "image" if re.match(rb"\s*(<\?xml[^>]*>\s*)?<svg\b", body[:1000], re.IGNORECASE) else ""


def _by_parts(body: bytes) -> str:
    """Return the kind of a ZIP or old Office file by the names of its parts, which are never compressed."""
    if body.startswith(_OLD_OFFICE):
        return "encrypted" if "EncryptedPackage".encode("utf-16-le") in body else "Office document"
    if b"word/document.xml" in body:
        return WORD
    return "Office document" if b"[Content_Types]" in body[:4000] or b"mimetype" in body[:4000] else "archive"


def _looks_like_html(body: bytes) -> bool:
    start = (
        body[:1500]
        .replace(b"\0", b"")
        .removeprefix(b"\xef\xbb\xbf")
        .removeprefix(b"\xff\xfe")
        .removeprefix(b"\xfe\xff")
    )
    return bool(re.match(rb"(\s|<\?xml[^>]*>|<!--.*?-->)*<(!doctype\s+html|html|head|body)\b", start, re.I | re.S))


def _is_binary(body: bytes) -> bool:
    """Return whether bytes hold control characters as no text does. UTF-16 is text although every other byte may be zero."""
    sample = body[:8000]
    if sample.startswith((b"\xff\xfe", b"\xfe\xff")) or not sample:
        return False
    odd = sum(b < 9 or 13 < b < 27 or 27 < b < 32 for b in sample.replace(b"\0", b""))
    zeros = sample.count(0)
    wide = abs(sample[::2].count(0) - sample[1::2].count(0)) > 0.9 * zeros
    return odd > 0.02 * len(sample) or (zeros > 0.02 * len(sample) and not wide)


def _path(address: str) -> str:
    try:
        return urlsplit(address).path.lower()
    except ValueError:
        return ""


def _named_text(address: str) -> bool:
    return _path(address).endswith((".md", ".markdown", ".txt", ".html", ".htm"))
