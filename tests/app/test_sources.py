"""The Sources page in every state, on a library without network and models."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace
from typing import Any
from unittest.mock import patch

import pytest
from streamlit.testing.v1 import AppTest

from rag_graphs.samples import collections
from rag_graphs.store import Store
from rag_graphs.ui.shared import session
from rag_graphs.ui.shared.visit import Job
from rag_graphs.ui.sources import queue as sources_state
from tests.app.fake_library import FakeLibrary

SAMPLES = sum(len(c.pages) for c in collections().values())
PAGE = Path(__file__).resolve().parents[2] / "pages" / "library" / "sources.py"
BIDS, HABITS, WALL = "https://example.org/bids", "https://example.org/habits", "https://example.com/trust"
HOSTILE = '<img src="https://evil.example/x.png"> ![](https://evil.example/y.png) [a](javascript:alert(1))'


@pytest.fixture
def library() -> FakeLibrary:
    return FakeLibrary(
        pages={
            BIDS: "Small bids\nA bid is a request to connect.\nTurn towards it.",
            HABITS: "Why habits stick\nA cue, a routine, a reward.",
        },
        broken={WALL: ("bot wall", "The site answered with a check for robots. Paste the text instead.")},
    )


@pytest.fixture
def page(library: FakeLibrary, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> AppTest:
    space = SimpleNamespace(library=library, store=Store(tmp_path))
    monkeypatch.setattr(session, "workspace", lambda: space)
    app = AppTest.from_file(str(PAGE), default_timeout=20)
    app.session_state["visitor_id"] = "visitor-of-the-tests"
    return app


def start(page: AppTest) -> AppTest:
    page.run()
    assert not page.exception
    return page


def press(page: AppTest, label: str, nth: int = 0) -> AppTest:
    [button for button in page.button if button.label == label][nth].click()
    page.run()
    assert not page.exception
    return page


def load(page: AppTest, *addresses: str) -> AppTest:
    """Load addresses through the panel, which an empty library shows by itself."""
    if not any(s.key == "add_way" for s in page.segmented_control):
        press(page, "Add sources")
    page.segmented_control(key="add_way").set_value("address")
    page.run()
    page.text_area(key="add_addresses").set_value("\n".join(addresses))
    return press(page, "Load these pages")


def choose(page: AppTest, row: int) -> AppTest:
    page.session_state["sources_page"].selected = keys(page)[row]
    page.run()
    assert not page.exception
    return page


def keys(page: AppTest) -> list[str]:
    state = page.session_state["sources_page"]
    return [*page.session_state["source_ids"], *state.failures]


def column(page: AppTest, name: str) -> list[Any]:
    return page.dataframe[0].value[name].tolist()


def html(page: AppTest) -> str:
    return "\n".join(element.proto.body for element in page.get("html"))


def said(page: AppTest) -> str:
    return "\n".join(element.value for element in page.markdown)


def counted(page: AppTest) -> str:
    return next(element.value for element in page.markdown if " loaded, " in element.value)


def labels(page: AppTest) -> list[str]:
    return [button.label for button in page.button]


def test_an_empty_library_offers_the_samples(page: AppTest) -> None:
    start(page)
    assert page.segmented_control(key="add_way").value == "samples"
    assert f"Load all samples ({SAMPLES} pages)" in labels(page)
    assert all(c.title in html(page) for c in collections().values())
    assert not page.dataframe
    assert "Add sources" not in labels(page)  # the panel is open already


def test_all_samples_load_with_one_click(page: AppTest) -> None:
    press(start(page), f"Load all samples ({SAMPLES} pages)")
    assert len(page.dataframe[0].value) == SAMPLES
    assert counted(page).startswith(f"{SAMPLES} loaded, ")
    assert {"English", "Korean", "Spanish", "Chinese", "Dutch"} <= set(column(page, "Language"))
    press(page, "Add sources")
    page.segmented_control(key="add_way").set_value("samples")
    page.run()
    assert labels(page).count("✓ loaded") == len(collections())


def test_a_sample_address_is_not_a_link_and_is_not_fetched_again(page: AppTest) -> None:
    start(page).button(key="load_baseball-es").click()
    page.run()
    assert "rag-graphs.example" in html(page)
    assert "href" not in html(page)
    assert "Load again" not in labels(page)
    assert "Remove" in labels(page)


def test_one_bad_address_harms_no_other(page: AppTest) -> None:
    load(start(page), BIDS, WALL, HABITS)
    assert column(page, "Status") == ["✓ loaded", "✓ loaded", "✕ bot wall"]
    assert column(page, "Title") == ["Small bids", "Why habits stick", "example.com/trust"]
    assert counted(page) == "2 loaded, 5 chunks. 1 could not be loaded."
    assert "2 sources loaded. 1 could not be loaded." in html(page)
    assert "The site answered with a check for robots. Paste the text instead." in html(page)
    assert page.text_area == []  # the panel has made room


def test_results_stay_until_they_are_hidden(page: AppTest) -> None:
    load(start(page), BIDS)
    page.run()
    assert "Last load&#58;" in html(page)
    press(page, "Hide")
    assert "Last load&#58;" not in html(page)
    assert len(page.dataframe[0].value) == 1


def test_a_failure_can_be_tried_again_and_is_gone_when_it_loads(page: AppTest, library: FakeLibrary) -> None:
    load(start(page), WALL)
    library.pages[WALL] = "Trust\nIt grows slowly."
    press(page, "Try again")
    assert column(page, "Status") == ["✓ loaded"]
    assert counted(page) == "1 loaded, 2 chunks."
    assert library.asked == [WALL, WALL]


def test_a_failure_can_be_dismissed(page: AppTest) -> None:
    load(start(page), BIDS, WALL)
    press(page, "Dismiss")
    assert column(page, "Title") == ["Small bids"]


def test_many_failures_are_handled_at_once(page: AppTest) -> None:
    load(start(page), BIDS, *(f"https://example.com/{n}" for n in range(5)))
    assert labels(page).count("Try again") == 3  # cards; the table leads to the others
    press(page, "Dismiss all")
    assert counted(page) == "1 loaded, 3 chunks."


def test_a_chosen_failure_is_explained(page: AppTest) -> None:
    load(start(page), BIDS, *(f"https://example.com/{n}" for n in range(5)))
    choose(page, 5)
    assert any(s.value == "Could not be loaded" for s in page.subheader)
    assert page.button(key="failed_chosen_retry").label == "Try again"


def test_no_address_and_too_many_are_said(page: AppTest, library: FakeLibrary) -> None:
    load(start(page), "  ")
    assert page.warning[0].value.startswith("There is no address yet.")
    load(page, *(f"https://example.org/{n}" for n in range(101)))
    assert page.warning[0].value.startswith("These are 101 addresses; 100 are the most")
    assert library.asked == []


def test_a_full_queue_is_said_and_takes_nothing(page: AppTest, library: FakeLibrary) -> None:
    start(page).segmented_control(key="add_way").set_value("address")
    page.run()
    with patch.object(sources_state, "MOST_WAITING", 2):
        state = page.session_state["sources_page"]
        state.waiting, state.total = [Job(kind="address", what=HABITS)], 1
        page.text_area(key="add_addresses").set_value(f"{BIDS}\n{WALL}")
        press(page, "Load these pages")
    assert page.warning[0].value.startswith("3 would wait to be loaded; 2 are the most.")
    assert page.text_area(key="add_addresses").value == f"{BIDS}\n{WALL}", "it can be tried again"
    assert set(library.asked) == {HABITS}


def test_a_full_library_takes_nothing_new_but_what_is_loaded_again(page: AppTest, library: FakeLibrary) -> None:
    load(start(page), HABITS)
    with patch.object(sources_state, "MOST_SOURCES", 1):
        load(page, BIDS)
        assert library.asked == [HABITS]
        assert "Your library holds 1 sources, which are the most. Remove some, then try again." in html(page)
        assert column(page, "Title")[:1] == ["Why habits stick"]
        library.pages[HABITS] = "Why habits stay\nA cue."
        choose(page, 0)
        press(page, "Load again")
    assert column(page, "Title")[:1] == ["Why habits stay"]


def test_pasted_text_needs_no_title(page: AppTest) -> None:
    start(page).segmented_control(key="add_way").set_value("text")
    page.run()
    press(page, "Load this text")
    assert page.warning[0].value == "There is no text yet. Paste or write some."
    page.text_area(key="add_text").set_value("# Notes on tea\nBlack tea steeps for four minutes.")
    press(page, "Load this text")
    assert column(page, "Title") == ["Notes on tea Black tea steeps for"]
    assert "Load again" not in labels(page)  # there is nowhere to fetch it from


def test_loading_twice_duplicates_nothing(page: AppTest) -> None:
    load(start(page), BIDS)
    load(page, BIDS)
    assert len(page.dataframe[0].value) == 1
    assert "already there" in html(page)


def test_loading_again_replaces_what_changed(page: AppTest, library: FakeLibrary) -> None:
    load(start(page), BIDS)
    library.pages[BIDS] = "Small bids, revised\nAnother text."
    press(page, "Load again")
    assert column(page, "Title") == ["Small bids, revised"]
    assert "Another text." in html(page)


def test_loading_again_keeps_the_source_when_the_page_is_gone(page: AppTest, library: FakeLibrary) -> None:
    load(start(page), BIDS)
    del library.pages[BIDS]
    press(page, "Load again")
    assert column(page, "Status") == ["✓ loaded", "✕ not found"]


def test_remove_takes_one_source_out(page: AppTest) -> None:
    load(start(page), BIDS, HABITS)
    choose(page, 1)
    press(page, "Remove")
    assert column(page, "Title") == ["Small bids"]


def test_all_are_removed_only_after_a_question(page: AppTest) -> None:
    load(start(page), BIDS, HABITS, WALL)
    press(page, "Remove all sources…")
    assert "Remove 2 sources from your library?" in said(page)
    press(page, "Keep them")
    assert len(page.dataframe[0].value) == 3
    press(page, "Remove all sources…")
    press(page, "Remove all")
    assert not page.dataframe
    assert page.segmented_control(key="add_way")  # the empty library offers its ways in again


def test_chunks_are_read_page_by_page(page: AppTest, library: FakeLibrary) -> None:
    library.pages[BIDS] = "\n".join(f"Line {n}." for n in range(1, 13))
    load(start(page), BIDS)
    assert "Line 5." in html(page)
    assert "Line 6." not in html(page)
    source = page.session_state["source_ids"][0]
    page.session_state[f"chunk_page_{source}"] = 3
    page.run()
    assert "Line 11." in html(page)
    assert 'aria-label="chunk 12 of 12"' in html(page)
    assert "Line 5." not in html(page)


def test_facts_of_a_source_are_in_words(page: AppTest) -> None:
    load(start(page), BIDS)
    for fact in ("English", "3 chunks", "58 characters", "58 B", "utf-8 (header)"):
        assert f"<span>{fact}</span>" in html(page)
    assert f'href="{BIDS.replace(":", "&#58;")}"' in html(page)
    assert 'rel="noopener noreferrer"' in html(page)


def test_a_warning_is_in_the_table_and_beside_the_chunks(page: AppTest, library: FakeLibrary) -> None:
    library.warn[BIDS] = "few words: only 12 were found"
    load(start(page), BIDS)
    assert column(page, "Status") == ["! few words"]
    assert "! few words&#58; only 12 were found" in html(page)


def test_a_search_shows_ranked_chunks_with_their_scores(page: AppTest) -> None:
    load(start(page), BIDS, HABITS)
    press(page, "Test a search")
    page.text_input(key="probe_query").set_value("bid reward")
    page.run()
    assert "3 chunks from 2 sources, best first." in html(page)
    assert "meaning</span><b>0.90</b>" in html(page)
    assert "words</span><b>4.00</b>" in html(page)
    assert "combined</span><b>0.017</b>" in html(page)
    assert any("English: all-MiniLM-L6-v2" in c.value for c in page.caption)
    page.number_input(key="probe_k").set_value(1)
    page.run()
    assert "1 chunk from 1 source, best first." in html(page)


def test_a_search_leads_to_the_chunk_in_its_source(page: AppTest, library: FakeLibrary) -> None:
    library.pages[BIDS] = "\n".join(f"Line {n}." for n in range(1, 13))
    load(start(page), HABITS, BIDS)
    press(page, "Test a search")
    page.text_input(key="probe_query").set_value("12")
    page.run()
    press(page, "Show in its source")
    assert 'aria-label="chunk 12 of 12"' in html(page)
    press(page, "Test a search")
    assert page.text_input(key="probe_query").value == "12"  # the query is still there


def test_a_search_without_a_hit_says_so(page: AppTest) -> None:
    load(start(page), BIDS)
    press(page, "Test a search")
    page.text_input(key="probe_query").set_value("quasar")
    page.run()
    assert page.info[0].value.startswith("Nothing was found.")


def test_another_chunk_size_is_kept_and_indexes_again(page: AppTest, library: FakeLibrary) -> None:
    load(start(page), BIDS)
    size = page.number_input(key="setting_chunk_size")
    assert (size.value, size.label) == (250, "Tokens in a chunk, at most")
    size.set_value(120)
    page.run()
    assert not page.exception
    assert page.session_state["choices"]["chunk_size"] == 120
    assert library.prepared == page.session_state["source_ids"]
    assert column(page, "Chunks") == [3]
    assert page.number_input(key="setting_chunk_overlap").max == 60


def test_nothing_of_a_page_becomes_markup(page: AppTest, library: FakeLibrary) -> None:
    library.pages[BIDS] = f"{HOSTILE}\n{HOSTILE} bid"
    library.broken[WALL] = ("bot wall", HOSTILE)
    load(start(page), BIDS, WALL, f"javascript:{HOSTILE}")
    press(page, "Test a search")
    page.text_input(key="probe_query").set_value("bid")
    page.run()
    assert "<img" not in html(page)
    assert 'href="javascript' not in html(page)
    everything = [*page.markdown, *page.caption, *page.info, *page.subheader, *page.title]
    assert all("evil.example" not in element.value for element in everything)
    assert all("evil.example" not in label for label in labels(page))


def test_what_waits_is_loaded_by_the_next_run_of_the_page(page: AppTest, library: FakeLibrary) -> None:
    """A click in the middle of a load, or another page, ends the script: the queue goes on where it was."""
    load(start(page), BIDS)
    state = page.session_state["sources_page"]
    state.waiting, state.total = [Job(kind="address", what=HABITS)], 1
    page.run()
    assert column(page, "Title") == ["Small bids", "Why habits stick"]
    assert state.waiting == []


def test_the_sources_are_there_at_the_next_visit(page: AppTest) -> None:
    load(start(page), BIDS)
    again = AppTest.from_file(str(PAGE), default_timeout=20)
    again.session_state["visitor_id"] = "visitor-of-the-tests"
    start(again)
    assert column(again, "Title") == ["Small bids"]
