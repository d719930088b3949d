"""The Sources page: files of the visitor's own machine, and starter lists."""

from __future__ import annotations

from urllib.parse import urlsplit

import pytest
from streamlit.testing.v1 import AppTest

from rag_graphs.samples.starters import Starter, starters
from rag_graphs.ui.sources.files import LARGEST, MOST, TYPES, distinct
from rag_graphs.views.sources_words import addresses
from tests.app.fake_library import FakeLibrary
from tests.app.test_sources import WALL, column, html, labels, library, load, page, press, said, start

__all__ = ["library", "page"]  # fixtures

CAPE = ("cape.pdf", b"The northern cape\nTwo brothers built it.", "application/pdf")
LAMP = ("lamp.md", b"The lamp\nIt burns oil.", "text/markdown")
SCAN = ("scan.pdf", b"%PDF", "application/pdf")


def upload(page: AppTest, *files: tuple[str, bytes, str]) -> AppTest:
    if not any(s.key == "add_way" for s in page.segmented_control):
        press(page, "Add sources")
    page.segmented_control(key="add_way").set_value("file")
    page.run()
    page.file_uploader[0].set_value(list(files))
    page.run()
    page.button(key="load_files").click()
    page.run()
    assert not page.exception
    return page


def test_files_are_loaded_like_pages(page: AppTest, library: FakeLibrary) -> None:
    library.broken["scan.pdf"] = ("scanned PDF", "The PDF has no text layer.")
    upload(start(page), CAPE, SCAN, LAMP)
    assert column(page, "Status") == ["✓ loaded", "✓ loaded", "✕ scanned PDF"]
    assert column(page, "Title") == ["The northern cape", "The lamp", "scan.pdf"]
    assert "2 sources loaded. 1 could not be loaded." in html(page)
    assert "The PDF has no text layer." in html(page)
    assert library.asked == ["cape.pdf", "scan.pdf", "lamp.md"]
    assert not page.file_uploader  # the panel has made room


def test_a_failed_file_is_not_kept_and_not_tried_again(page: AppTest, library: FakeLibrary) -> None:
    library.broken["scan.pdf"] = ("scanned PDF", "The PDF has no text layer.")
    upload(start(page), SCAN)
    [(job, _)] = page.session_state["sources_page"].failures.values()
    assert job.data == b""
    assert "Try again" not in labels(page)
    load(page, WALL, "https://example.com/2")
    assert labels(page).count("Try again") == 2
    press(page, "Try all again")
    assert library.asked.count("scan.pdf") == 1
    assert "Dismiss" in labels(page)


def test_the_field_is_empty_after_a_load(page: AppTest) -> None:
    upload(start(page), CAPE)
    press(page, "Add sources")
    assert page.file_uploader[0].value == []


def test_what_the_field_takes(page: AppTest) -> None:
    page.session_state["add_way"] = "file"
    start(page)
    assert page.file_uploader[0].allowed_type == [f".{kind}" for kind in TYPES]
    assert page.file_uploader[0].proto.max_upload_size_mb == LARGEST
    press(page, "Load these files")
    assert page.warning[0].value.startswith("There is no file yet.")


@pytest.mark.parametrize(
    ("files", "complaint"),
    [
        (
            [(f"{n}.txt", b"x", "text/plain") for n in range(MOST + 1)],
            f"These are {MOST + 1} files; {MOST} are the most",
        ),
        (
            [(f"{n}.txt", bytes(16_000_000), "text/plain") for n in range(4)],
            "Together these files are larger than 60 MB",
        ),
    ],
)
def test_too_many_and_too_much(
    page: AppTest, library: FakeLibrary, files: list[tuple[str, bytes, str]], complaint: str
) -> None:
    upload(start(page), *files)
    assert page.warning[0].value.startswith(complaint)
    assert library.asked == []


def test_files_of_one_name_have_results_of_their_own() -> None:
    assert distinct(["a.pdf", "a.pdf", "b", "a.pdf", "b"]) == ["a.pdf", "a (2).pdf", "b", "a (3).pdf", "b (2)"]


def test_a_file_is_no_link_and_is_not_loaded_again(page: AppTest) -> None:
    upload(start(page), ("https:example.org.pdf", b"Words\nMore.", "application/pdf"))
    assert "href" not in html(page)
    assert "Load again" not in labels(page)


def test_a_starter_list_fills_the_field_and_loads_nothing(page: AppTest, library: FakeLibrary) -> None:
    start(page).segmented_control(key="add_way").set_value("address")
    page.run()
    page.text_area(key="add_addresses").set_value("https://example.org/mine")
    starter = starters()[0]
    page.button(key=f"starter_{starter.key}").click()
    page.run()
    page.button(key=f"starter_{starter.key}").click()
    page.run()
    assert page.text_area(key="add_addresses").value.split() == ["https://example.org/mine", *starter.addresses]
    assert "Starter lists:" in said(page)
    assert library.asked == []
    press(page, "Load these pages")
    assert library.asked == ["https://example.org/mine", *starter.addresses]


@pytest.mark.parametrize("starter", starters(), ids=lambda s: s.key)
def test_starter_lists_are_public_addresses(starter: Starter) -> None:
    found = list(starter.addresses)
    assert 3 <= len(found) <= 6
    assert addresses("\n".join(found)) == found
    for address in found:
        parts = urlsplit(address)
        assert (parts.scheme, parts.query, parts.fragment) == ("https", "", "")
        assert parts.hostname in ("en.wikipedia.org", "docs.langchain.com", "arxiv.org")
