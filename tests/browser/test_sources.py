"""The Sources page in Chromium: load by address, read, search, choose by keyboard, leave and come back."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from rag_graphs.samples import collections

pytestmark = pytest.mark.browser

SAMPLES = sum(len(c.pages) for c in collections().values())


@pytest.fixture
def page(browser: Browser, app: str) -> Iterator[Page]:
    context = browser.new_context(viewport={"width": 1440, "height": 1000})
    context.set_default_timeout(30_000)
    opened = context.new_page()
    opened.goto(f"{app}/sources")
    expect(opened.get_by_role("heading", name="Sources", exact=True)).to_be_visible(timeout=30_000)
    yield opened
    context.close()


def load(page: Page, *addresses: str) -> None:
    """Load addresses into an empty library, which shows the ways in by itself."""
    page.get_by_text("Web addresses").click()
    page.get_by_role("textbox", name="Addresses, one or many").fill("\n".join(addresses))
    page.get_by_role("button", name="Load these pages").click()
    expect(page.get_by_text("Last load:")).to_be_visible(timeout=60_000)


def title(page: Page, name: str) -> Any:
    return page.get_by_role("heading", name=name, exact=True)


def test_load_read_search_leave_and_return(page: Page, web: str) -> None:
    load(page, f"http://{web}/bread", f"http://{web}/wall", f"http://{web}/tea")
    main = page.get_by_test_id("stMain")
    expect(main.get_by_text("1 could not be loaded.").first).to_be_visible()
    expect(main.get_by_role("button", name="Try again")).to_be_visible()

    expect(title(page, "Sourdough at home")).to_be_visible()
    expect(main.get_by_role("article").filter(has_text="wild yeast")).to_be_visible()
    expect(main.get_by_text("Home | Shop")).to_have_count(0)
    expect(main.get_by_role("link", name=f"{web}/bread")).to_have_attribute("href", f"http://{web}/bread")

    page.get_by_role("button", name="Test a search").click()
    query = page.get_by_role("textbox", name="Query")
    query.fill("How long is the loaf baked?")
    query.press("Enter")
    expect(main.get_by_text("best first.")).to_be_visible(timeout=60_000)
    expect(page.locator(".st-key-hit_1")).to_contain_text("closed iron pot")
    expect(page.locator(".st-key-hit_1")).to_contain_text("meaning")
    page.get_by_role("button", name="Close").click()

    page.get_by_role("link", name="Ask").click()
    expect(title(page, "Sources")).to_have_count(0)
    page.get_by_role("link", name="Sources").first.click()
    expect(main.get_by_text("2 loaded,")).to_be_visible()
    expect(main.get_by_role("button", name="Try again")).to_be_visible()

    page.reload()
    expect(main.get_by_text("2 loaded,")).to_be_visible()


def test_rows_are_chosen_by_keyboard(page: Page, web: str) -> None:
    load(page, f"http://{web}/bread", f"http://{web}/wall")
    expect(title(page, "Sourdough at home")).to_be_visible()
    page.get_by_test_id("data-grid-canvas").first.focus()
    page.keyboard.press("ArrowDown")
    expect(title(page, "Could not be loaded")).to_be_visible()
    page.keyboard.press("ArrowUp")
    expect(title(page, "Sourdough at home")).to_be_visible()


def test_a_click_while_loading_loses_nothing(page: Page) -> None:
    page.get_by_role("button", name="Load all samples").click()
    expect(page.get_by_role("button", name="Stop loading")).to_be_visible()
    page.get_by_role("button", name="Add sources").click()
    page.get_by_role("button", name="Close").click()
    expect(page.get_by_text(f"{SAMPLES} sources loaded.")).to_be_visible(timeout=120_000)
    expect(page.get_by_test_id("stMain").get_by_text(f"{SAMPLES} loaded,")).to_be_visible()


def test_a_hostile_page_reaches_no_one(page: Page, web: str) -> None:
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    load(page, f"http://{web}/tea")
    page.get_by_role("button", name="Test a search").click()
    page.get_by_role("textbox", name="Query").fill("green tea")
    page.keyboard.press("Enter")
    expect(page.locator(".st-key-hit_1")).to_contain_text("seventy degrees", timeout=60_000)
    assert not [url for url in asked if ":9/" in url]
    assert page.title() != "1"


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_a_phone_shows_everything_without_scrolling_sideways(browser: Browser, app: str, scheme: Any, web: str) -> None:
    context = browser.new_context(viewport={"width": 400, "height": 800}, color_scheme=scheme)
    context.set_default_timeout(30_000)
    page = context.new_page()
    page.goto(f"{app}/sources")
    load(page, f"http://{web}/bread", f"http://{web}/wall")
    expect(page.get_by_role("article").filter(has_text="wild yeast")).to_be_visible()
    wide = page.get_by_test_id("stMain").evaluate("main => main.scrollWidth - main.clientWidth")
    assert wide <= 0
    context.close()
