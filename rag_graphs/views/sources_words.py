"""Write what the Sources page says about sources: rows, sentences, addresses."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from rag_graphs.samples import collections
from rag_graphs.views import render
from rag_graphs.views.languages import language_name
from rag_graphs.views.translation import _, plural

if TYPE_CHECKING:
    from pandas import DataFrame

    from rag_graphs.graphs.state import Document
    from rag_graphs.library import LoadedSource, LoadReport

MOST_ADDRESSES = 100
EMBEDDERS = {"minilm": "all-MiniLM-L6-v2", "e5": "multilingual-e5-small"}


@dataclass(frozen=True, kw_only=True)
class Row:
    """Describe a line of the table: a source, or an address that could not be loaded (`failed`). `key` tells the rows
    apart."""

    key: str
    status: str
    title: str
    language: str = ""
    chunks: int | None = None
    kilobytes: float | None = None
    failed: bool = False


def table_rows(sources: Sequence[LoadedSource], failures: Sequence[LoadReport]) -> list[Row]:
    """Return the sources in their order, then what could not be loaded."""
    loaded = [
        Row(
            key=s.id,
            status=source_status(s),
            title=s.title,
            language=language_name(s.language),
            chunks=s.chunks or None,
            kilobytes=s.size / 1000,
        )
        for s in sources
    ]
    failed = [
        Row(key=f.address, status=f"✕ {_(f.status)}", title=short_address(f.address), failed=True) for f in failures
    ]
    return loaded + failed


def table_frame(rows: Sequence[Row]) -> DataFrame:
    """Return the rows as a table. Counts are nullable whole numbers: a source that could not be loaded has none, not 0 and
    not a fraction."""
    from pandas import DataFrame

    return DataFrame(
        {
            _("Status"): [r.status for r in rows],
            _("Title"): [r.title for r in rows],
            _("Language"): [r.language for r in rows],
            _("Chunks"): [r.chunks for r in rows],
            _("Size"): [r.kilobytes for r in rows],
        }
    ).astype({_("Chunks"): "Int64", _("Size"): "Float64"})


def source_status(source: LoadedSource) -> str:
    """Return "✓ loaded", or "!" with the first words of the source's first warning."""
    if not source.warnings:
        return f"✓ {_('loaded')}"
    return f"! {source.warnings[0].partition(':')[0].partition('.')[0][:24]}"


def count_sentence(sources: Sequence[LoadedSource], failures: int) -> str:
    """Say what the library holds, for example "8 loaded, 76 chunks. 2 could not be loaded."."""
    sentence = _("{count} loaded.").format(count=len(sources))
    if all(source.chunks for source in sources):
        chunks = plural(sum(s.chunks for s in sources), "{n} chunk", "{n} chunks")
        sentence = _("{count} loaded, {chunks}.").format(count=len(sources), chunks=chunks)
    return sentence + " " + _("{count} could not be loaded.").format(count=failures) if failures else sentence


def complete_collections(sources: Sequence[LoadedSource]) -> set[str]:
    """Return the keys of the sample collections of which every page is loaded."""
    there = Counter(source.collection for source in sources)
    return {key for key, collection in collections().items() if there[key] >= len(collection.pages)}


def source_facts(source: LoadedSource) -> list[str]:
    """Return short facts for a line below the title."""
    facts = [
        language_name(source.language),
        plural(source.chunks, "{n} chunk", "{n} chunks") if source.chunks else "",
        plural(source.characters, "{n} character", "{n} characters"),
        size_words(source.size),
        source.encoding,
    ]
    return [f for f in facts if f]


def size_words(size: int) -> str:
    """Write a number of bytes as people do: "820 B", "4.1 kB", "2.0 MB"."""
    if size < 1000:
        return f"{size} B"
    return f"{size / 1000:.1f} kB" if size < 1_000_000 else f"{size / 1_000_000:.1f} MB"


def addresses(text: str) -> list[str]:
    """Return the addresses in a pasted text, each once, in their order; the marks that often surround them are taken off."""
    words = (word.strip("<>\"',;[]").lstrip("(").rstrip(",;") for word in re.split(r"\s+", text))
    return list(dict.fromkeys(whole for word in words if (whole := _closed(word))))


def _closed(address: str) -> str:
    """Return an address without closing brackets at its end that no bracket in it opens: Wikipedia has addresses that end in
    a bracket."""
    while address.endswith(")") and address.count(")") > address.count("("):
        address = address[:-1].rstrip(",;>")
    return address


def link(source: LoadedSource) -> str:
    """Return the source's address if a browser may follow it, else empty. Samples and pasted texts have no real address."""
    return "" if source.collection else render.safe_address(source.address)


def short_address(address: str, longest: int = 64) -> str:
    """Return an address without its scheme, its middle left out where it is long."""
    bare = re.sub(r"^https?://", "", address).rstrip("/") or address
    return bare if len(bare) <= longest else f"{bare[: longest - 22]}…{bare[-20:]}"


def chunk_place(document: Document) -> str:
    """Say where a chunk stands: the title and the headings above it, without saying the title twice."""
    if document.heading.startswith(document.title):
        return document.heading
    return " › ".join(part for part in (document.title, document.heading) if part)


def embedders_sentence(names: dict[str, str]) -> str:
    """Say which model compares the sources of which language. `names`: language code to embedder."""
    by_model: dict[str, list[str]] = {}
    for code, name in names.items():
        by_model.setdefault(name, []).append(language_name(code))
    parts = [
        _("{languages}: {model}").format(languages=", ".join(sorted(set(ls))), model=EMBEDDERS.get(name, name))
        for name, ls in by_model.items()
    ]
    return _("Embedding model by language of the source: {list}.").format(list="; ".join(parts))
