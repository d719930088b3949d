"""Loading a page from an address, a file or a pasted text, and making the catalogue's records of it."""

from __future__ import annotations

import hashlib
import re
import time
import unicodedata
from dataclasses import dataclass
from pathlib import Path

from rag_graphs.errors import SourceError
from rag_graphs.library.bounds import DOCUMENT_BYTES, PAGE_BYTES
from rag_graphs.library.fetch.fetch import fetch
from rag_graphs.library.index.catalogue import Content
from rag_graphs.library.read.read import Page, from_text, read
from rag_graphs.library.types import LoadedSource

_LONGEST_NAME = 120  # characters


@dataclass(frozen=True, kw_only=True)
class Loaded:
    """A page with its final address (after redirects) and its size in bytes as it arrived."""

    page: Page
    address: str
    size: int
    collection: str = ""


def from_url(url: str, allowed: frozenset[str]) -> Loaded:
    """Load a page from the web. Raises SourceError."""
    reply = fetch(url, allowed=allowed)
    return Loaded(page=read(reply.body, reply.content_type, reply.address), address=reply.address, size=len(reply.body))


def from_file(path: str) -> Loaded:
    """Read a file of this machine. Raises SourceError."""
    try:
        with Path(path).expanduser().open("rb") as file:
            body = file.read(DOCUMENT_BYTES + 1)
    except FileNotFoundError:
        raise SourceError("not found", f"There is no file {path}. Check its name and folder.") from None
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or "not a file name"
        raise SourceError("not readable", f"The file {path} cannot be read ({reason}).") from None
    return _from_bytes(body, path)


def from_upload(name: str, body: bytes) -> Loaded:
    """Read the bytes of an uploaded file. Its name is its address. Raises SourceError."""
    return _from_bytes(body, file_name(name))


def file_name(name: str) -> str:
    """Return an uploaded file's name for showing: without folders and invisible characters, at most 120 characters. No file is
    ever opened by it."""
    last = re.split(r"[\\/]", unicodedata.normalize("NFC", name))[-1]
    plain = " ".join("".join(c if c.isprintable() else " " for c in last).split()).lstrip(". ")
    return (plain if len(plain) <= _LONGEST_NAME else f"{plain[: _LONGEST_NAME - 21]}…{plain[-20:]}") or "file"


def _from_bytes(body: bytes, address: str) -> Loaded:
    if len(body) > DOCUMENT_BYTES:
        raise SourceError("too large", f"The file is larger than {DOCUMENT_BYTES / 1e6:g} MB. Use a smaller one.")
    return Loaded(page=read(body, "", address), address=address, size=len(body))


def from_pasted(text: str, title: str) -> Loaded:
    """Make a page of typed or pasted text. Raises SourceError."""
    size = len(text.encode("utf-8", "replace"))
    if size > PAGE_BYTES:
        raise SourceError("too large", f"The text is larger than {PAGE_BYTES / 1e6:g} MB. Paste less of it.")
    page = from_text(text, title)
    return Loaded(page=page, address=f"pasted text: {page.title}", size=size)


def is_url(address: str) -> bool:
    """Return whether an address is meant for the web and not as a file: it has a scheme, or begins with a host's name."""
    if re.match(r"[a-z][a-z0-9+.-]*:(//|\D)", address, re.IGNORECASE) and not re.match(
        r"[a-z]:[\\/]", address, re.IGNORECASE
    ):
        return True
    return bool(re.match(r"(www\.|localhost[:/])", address, re.IGNORECASE))


def as_records(loaded: Loaded) -> tuple[LoadedSource, Content]:
    """Make the catalogue's records. A content's id is a hash of title and text, a source's a hash of that and its address."""
    page = loaded.page
    content_id = _hash(page.title, page.text)
    content = Content(id=content_id, title=page.title, language=page.language, text=page.text)
    source = LoadedSource(
        id=_hash(content_id, loaded.address),
        content=content_id,
        address=loaded.address,
        title=page.title,
        kind=page.kind,
        encoding=page.encoding,
        language=page.language,
        characters=len(page.text),
        size=loaded.size,
        collection=loaded.collection,
        loaded=time.time(),
        warnings=page.warnings,
    )
    return source, content


def _hash(*parts: str) -> str:
    return hashlib.sha256("\0".join(parts).encode("utf-8", "replace")).hexdigest()[:24]
