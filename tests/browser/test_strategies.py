"""The Strategies page in a browser: the table of paper and code on a phone, and the script that is downloaded."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

pytestmark = pytest.mark.browser
SCROLLING_ROWS = """() => [...document.querySelectorAll('.stHorizontalBlock')].filter(row =>
    /auto|scroll/.test(getComputedStyle(row).overflowY) && row.scrollHeight > row.clientHeight).map(row => row.className)"""


def test_a_strategy_is_downloaded_as_a_script(browser: Browser, app: str, tmp_path: Path) -> None:
    context = browser.new_context()
    page = context.new_page()
    page.goto(f"{app}/strategies?strategy=crag-refined")
    button = page.get_by_role("button", name="Download as a script")
    expect(button).to_be_visible(timeout=60_000)
    with page.expect_download() as waiting:
        button.click()
    assert waiting.value.suggested_filename == "crag_refined.py"
    waiting.value.save_as(tmp_path / "crag_refined.py")
    source = (tmp_path / "crag_refined.py").read_text(encoding="utf-8")
    assert "def refined_action(state: RagState) -> str:" in source
    compile(source, "crag_refined.py", "exec")
    context.close()


def test_the_table_becomes_cards_on_a_phone(browser: Browser, app: str) -> None:
    context = browser.new_context(viewport={"width": 400, "height": 850})
    page = context.new_page()
    page.goto(f"{app}/strategies?strategy=adaptive")
    row = page.get_by_role("row", name="Routing by source")
    expect(row).to_be_visible(timeout=60_000)
    expect(page.get_by_role("columnheader", name="In the paper")).to_have_count(0)
    expect(row).to_contain_text("In common LangGraph versions")
    width = row.evaluate("row => row.getBoundingClientRect().right")
    assert width <= 400
    assert page.evaluate("document.documentElement.scrollWidth") <= 400
    context.close()


@pytest.mark.parametrize(
    "address", ["strategies?strategy=crag-refined", "?run=sample-chain", "traces?run=sample-drafts"]
)
def test_no_row_has_a_scrollbar_of_its_own(browser: Browser, app: str, address: str) -> None:
    context = browser.new_context(viewport={"width": 1280, "height": 900})
    page = context.new_page()
    page.goto(f"{app}/{address}")
    expect(page.locator("svg.rg.wide")).to_be_visible(timeout=60_000)
    last = "Download as a script" if address.startswith("strategies") else "One step back"
    expect(page.get_by_role("button", name=last)).to_be_visible()
    assert page.evaluate(SCROLLING_ROWS) == []
    context.close()
