"""Reading a page from its bytes: its kind, encoding, main text, title and language."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from urllib.parse import unquote, urlsplit

from rag_graphs.errors import SourceError
from rag_graphs.language.text import detect_language
from rag_graphs.library.bounds import PAGE_BYTES
from rag_graphs.library.read import junk
from rag_graphs.library.read.apart import read_apart
from rag_graphs.library.read.decode import decode
from rag_graphs.library.read.guard import within
from rag_graphs.library.read.html import read_html
from rag_graphs.library.read.kinds import DOCUMENTS, HTML, MARKDOWN, kind_of

MAX_SECONDS = 15.0  # for reading one page, however odd its markup
MAX_TITLE = 200  # characters
FEW = "few words: check that this is the {} that you meant"


@dataclass(frozen=True, kw_only=True)
class Page:
    """A page as it is stored. `text`: Markdown where the page had structure. `language`: an ISO 639-1 code or ""."""

    title: str
    text: str
    kind: str
    encoding: str
    language: str
    warnings: tuple[str, ...] = ()


def read(body: bytes, content_type: str = "", address: str = "") -> Page:
    """Read a page, a PDF or a Word document. Raises SourceError, whose kind says what it is instead ("image", "bot wall" …)
    or what is wrong with it."""
    kind = kind_of(body, content_type, address)
    if kind in DOCUMENTS:
        return _document(kind, body, address)
    if len(body) > PAGE_BYTES:
        raise SourceError(
            "too large",
            f"The page is larger than {PAGE_BYTES / 1e6:g} MB. Use a smaller page, or paste the part that matters.",
        )
    return within(MAX_SECONDS, lambda: _read(kind, body, content_type, address))


def from_text(text: str, title: str = "") -> Page:
    """Make a page of typed or pasted text, read as Markdown. Raises SourceError if there is no text."""
    text = tidy(text)
    if not re.search(r"\w", text):
        raise SourceError("empty page", "There is no text. Paste some.")
    name = title.strip() or _heading(text) or text.split("\n", 1)[0][:60]
    return Page(
        title=_short(name), text=text, kind="pasted text", encoding="", language=detect_language(text), warnings=()
    )


def _document(kind: str, body: bytes, address: str) -> Page:
    document = read_apart(kind, body)
    text = tidy(document.text)
    few = (FEW.format("document"),) if junk.count_words(text) < junk.FEW_WORDS else ()
    title = _short(document.title or _heading(text) or _last_part(address))
    language = detect_language(text)
    return Page(title=title, text=text, kind=kind, encoding="", language=language, warnings=document.warnings + few)


def _read(kind: str, body: bytes, content_type: str, address: str) -> Page:
    host = urlsplit(address).hostname or "The page"
    decoded = decode(body, content_type, html=kind == HTML)
    warnings: list[str] = []
    if decoded.damaged:
        characters = "1 character" if decoded.damaged == 1 else f"{decoded.damaged} characters"
        warnings.append(f"{characters} could not be read as {decoded.encoding.partition(' ')[0]}")
    stated = ""
    if kind == HTML:
        page = read_html(decoded.text)
        title, text, stated = page.title, tidy(page.text), page.language
        junk.refuse_junk(page.look, host)
    else:
        text = tidy(decoded.text)
        title = _heading(text) if kind == MARKDOWN else ""
        junk.refuse_junk(junk.Look(title=title, text=text), host)
    if junk.count_words(text) < junk.FEW_WORDS:
        warnings.append(FEW.format("page"))
    language = detect_language(text) or stated
    if stated and language != stated:
        warnings.append(f"the page says that its language is {stated!r}, its text looks like {language!r}")
    return Page(
        title=_short(title or _heading(text) or _last_part(address)),
        text=text,
        kind=kind,
        encoding=decoded.encoding,
        language=language,
        warnings=tuple(warnings),
    )


def tidy(text: str) -> str:
    """Normalise a text: composed characters, no control characters, no double blank lines, no spaces at line ends."""
    text = unicodedata.normalize("NFC", text.replace("\r\n", "\n").replace("\r", "\n").replace("\f", "\n"))
    text = re.sub(r"[\x00-\x08\x0b\x0e-\x1f\x7f\u200b\u2060\ufeff\ud800-\udfff]", "", text)
    text = re.sub(r"[^\S\n]+(?=\n|$)", "", text)
    return re.sub(r"\n{3,}", "\n\n", text).strip("\n")


def _heading(text: str) -> str:
    heading = re.search(r"^#{1,3} +(\S.*?)[ #]*$", text[:5000], re.MULTILINE)
    return heading[1] if heading else ""


def _short(title: str) -> str:
    title = " ".join(title.split())
    return title if len(title) <= MAX_TITLE else title[: MAX_TITLE - 1] + "…"


def _last_part(address: str) -> str:
    parts = urlsplit(address)
    name = unquote(parts.path.rstrip("/").rpartition("/")[2])
    return name or parts.hostname or "Untitled"
