"""What the Sources page says, without drawing it."""

from __future__ import annotations

from typing import Any

import pytest

from rag_graphs import Document, LoadedSource, LoadReport
from rag_graphs.views import sources_words as words
from rag_graphs.views.languages import LANGUAGES, language_name


def source(**values: Any) -> LoadedSource:
    facts: dict[str, Any] = {
        "id": "1",
        "content": "c",
        "address": "https://example.org/a",
        "title": "A page",
        "kind": "HTML",
        "encoding": "UTF-8 from header",
        "language": "en",
        "characters": 1200,
        "size": 4100,
        "chunks": 6,
    }
    return LoadedSource(**facts | values)


def test_addresses_are_found_in_whatever_was_pasted() -> None:
    text = "  https://example.org/a\n<https://example.org/b>, https://example.org/a\texample.org/c\n\n"
    assert words.addresses(text) == ["https://example.org/a", "https://example.org/b", "example.org/c"]
    assert words.addresses(" \n ") == []
    assert words.addresses("(https://example.org/wiki/A_(b)), https://example.org/c)") == [
        "https://example.org/wiki/A_(b)",
        "https://example.org/c",
    ]


def test_a_comma_inside_an_address_stays() -> None:
    assert words.addresses("https://example.org/a,b") == ["https://example.org/a,b"]


@pytest.mark.parametrize(
    ("address", "collection", "expected"),
    [
        ("https://example.org/a", "", "https://example.org/a"),
        ("https://sample.example/a", "relationships", ""),
        ("javascript:alert(1)", "", ""),
        ("text:notes", "", ""),
        ("http://[broken", "", ""),
    ],
)
def test_only_real_web_addresses_are_links(address: str, collection: str, expected: str) -> None:
    assert words.link(source(address=address, collection=collection)) == expected


def test_long_addresses_lose_their_middle() -> None:
    short = words.short_address("https://example.org/" + "x" * 100 + "/the-end")
    assert len(short) <= 64
    assert short.startswith("example.org/")
    assert short.endswith("/the-end")
    assert words.short_address("https://example.org/") == "example.org"


@pytest.mark.parametrize(("size", "said"), [(820, "820 B"), (4100, "4.1 kB"), (2_000_000, "2.0 MB")])
def test_sizes_are_in_words(size: int, said: str) -> None:
    assert words.size_words(size) == said


def test_the_count_names_failures_only_where_there_are_some() -> None:
    assert words.count_sentence([source()], 0) == "1 loaded, 6 chunks."
    assert words.count_sentence([source(), source(chunks=1)], 2) == "2 loaded, 7 chunks. 2 could not be loaded."
    assert words.count_sentence([], 1) == "0 loaded, 0 chunks. 1 could not be loaded."


def test_failures_follow_the_sources_in_the_table() -> None:
    failed = LoadReport(address="https://example.com/x", status="bot wall", ok=False, message="…")
    warned = source(id="2", warnings=("few words: check that this is the page that you meant",))
    rows = words.table_rows([source(), warned], [failed])
    assert [row.status for row in rows] == ["✓ loaded", "! few words", "✕ bot wall"]
    frame = words.table_frame(rows)
    assert str(frame["Chunks"].dtype) == "Int64"
    assert frame["Chunks"].tolist()[:2] == [6, 6]
    assert frame["Size"].tolist()[:2] == [4.1, 4.1]
    assert frame[["Chunks", "Size"]].isna().to_numpy().tolist() == [[False, False], [False, False], [True, True]]


def test_a_chunk_s_place_says_nothing_twice() -> None:
    chunk = Document(id="1", text="…", source="s", title="Bids", heading="Bids › What a bid is")
    assert words.chunk_place(chunk) == "Bids › What a bid is"
    assert words.chunk_place(Document(id="1", text="…", source="s", title="Bids", heading="Week 1")) == "Bids › Week 1"
    assert words.chunk_place(Document(id="1", text="…", source="s", title="Bids")) == "Bids"


def test_embedding_models_are_told_by_language() -> None:
    said = words.embedders_sentence({"en": "minilm", "ko": "e5", "es": "e5"})
    assert said.endswith("English: all-MiniLM-L6-v2; Korean, Spanish: multilingual-e5-small.")


def test_languages_have_names() -> None:
    assert language_name("ko") == "Korean"
    assert language_name("zh-Hant") == "Chinese"
    assert language_name("") == "unknown"
    assert language_name("tlh") == "tlh"
    assert len(LANGUAGES) == len(set(LANGUAGES.values()))
