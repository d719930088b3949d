"""The sample pages themselves: complete, readable, addressed, and in the languages that are promised."""

import re
from importlib import resources
from urllib.parse import urlsplit

import pytest

from rag_graphs.language.text import detect_language
from rag_graphs.samples import SamplePage, collections, web_pages

LIBRARY = [page for collection in collections().values() for page in collection.pages]
PAGES = LIBRARY + web_pages()
EACH_PAGE = pytest.mark.parametrize("page", PAGES, ids=[p.address.partition("//")[2] for p in PAGES])


def length(page: SamplePage) -> float:
    """Words; a Chinese character counts as half a word."""
    han = len(re.findall(r"[\u4e00-\u9fff]", page.text))
    return len(re.sub(r"[\u4e00-\u9fff]", " ", page.text).split()) + han / 2


def test_there_are_about_twenty_library_pages_and_fifteen_web_pages() -> None:
    assert 18 <= len(LIBRARY) <= 26
    assert 13 <= len(web_pages()) <= 18


def test_the_library_speaks_several_languages() -> None:
    assert {p.language for p in LIBRARY} == {"en", "es", "ko", "nl", "zh"}


def test_each_collection_is_described() -> None:
    for key, collection in collections().items():
        assert collection.key == key
        assert collection.title
        assert collection.summary.endswith(".")
        assert collection.language in {p.language for p in collection.pages}


@EACH_PAGE
def test_a_page_has_a_title_and_two_to_four_headings(page: SamplePage) -> None:
    lines = page.text.splitlines()
    assert lines[0] == f"# {page.title}"
    assert 2 <= sum(line.startswith("## ") for line in lines) <= 4


@EACH_PAGE
def test_a_page_is_short(page: SamplePage) -> None:
    assert 60 <= length(page) <= 450


@EACH_PAGE
def test_a_page_is_in_the_language_that_its_name_says(page: SamplePage) -> None:
    assert detect_language(page.text) == page.language


def test_addresses_are_unique_and_belong_to_nobody() -> None:
    addresses = [p.address for p in PAGES]
    assert len(set(addresses)) == len(addresses)
    assert all((urlsplit(a).hostname or "").endswith(".example") for a in addresses)
    assert "https://sample.rag-graphs.example/relationships/small-bids" in addresses


def test_no_file_of_the_folders_is_left_out() -> None:
    root = resources.files("rag_graphs.samples")
    folders = {f.name for f in (root / "library").iterdir() if f.is_dir()}
    assert folders == set(collections())


@pytest.mark.parametrize("key", ["weather", "model-news", "attacking-points"])
def test_a_page_with_invented_figures_says_so(key: str) -> None:
    page = next(p for p in web_pages() if p.key == key)
    assert re.search(r"sample page|예시 페이지", page.title)
    assert re.search(r"not a forecast|no real event|실제 기록이 아닙니다", page.text)
