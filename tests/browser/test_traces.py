"""Traces in Chromium: play a shipped run, step back, flip a grade, compare, export; and step mode with an edited query."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserContext, Locator, Page, expect

from tests.browser.test_ask import load

pytestmark = pytest.mark.browser

LONG = 90_000


@pytest.fixture
def context(browser: Browser) -> Iterator[BrowserContext]:
    opened = browser.new_context(viewport={"width": 1440, "height": 1000}, accept_downloads=True)
    opened.set_default_timeout(60_000)
    yield opened
    opened.close()


@pytest.fixture
def complaints() -> Iterator[list[str]]:
    """Errors in the browser, and requests to other hosts."""
    heard: list[str] = []
    yield heard
    assert heard == []


@pytest.fixture
def page(context: BrowserContext, app: str, complaints: list[str]) -> Page:
    """A newcomer's first page."""
    opened = context.new_page()
    opened.on("console", lambda m: complaints.append(m.text) if m.type == "error" else None)
    opened.on("pageerror", lambda error: complaints.append(str(error)))
    ours = (app, app.replace("http", "ws", 1), "data:", "blob:")
    opened.on("request", lambda r: None if r.url.startswith(ours) else complaints.append(r.url))
    opened.goto(app)
    expect(button(opened, "Play this run")).to_be_visible(timeout=LONG)
    return opened


def main(page: Page) -> Locator:
    return page.get_by_test_id("stMain")


def button(page: Page, name: str | re.Pattern[str]) -> Locator:
    return main(page).get_by_role("button", name=name, exact=True)


def now(page: Page) -> Locator:
    return main(page).locator(".now")


def test_play_a_shipped_run_flip_a_grade_compare_and_export(page: Page, tmp_path: Path) -> None:
    button(page, "Play this run").click()
    expect(button(page, "Replay")).to_be_visible(timeout=LONG)
    button(page, "One step back").click()
    expect(now(page)).to_contain_text("Step 4 of 4")
    button(page, "What if?").click()

    expect(main(page).get_by_role("heading", name="What if?")).to_be_visible(timeout=LONG)
    expect(now(page)).to_contain_text("Step 4 of 4: the answer is graded")
    main(page).get_by_role("slider").press("Home")
    expect(now(page)).to_contain_text("Step 1 of 4")
    button(page, "One step on").click()
    expect(now(page)).to_contain_text("Step 2 of 4: the documents are graded")
    main(page).get_by_role("button", name=re.compile(r"^2 .* is relevant$")).click()

    expect(now(page)).to_contain_text("They part after step 2, Grade documents", timeout=LONG)
    expect(main(page).locator(".side")).to_have_count(2)
    expect(main(page).locator(".side .path .sh")).to_have_count(4)
    expect(main(page).get_by_text("The answer", exact=False).first).to_be_visible()

    main(page).get_by_role("button", name="Export").click()
    with page.expect_download() as report:
        page.get_by_role("button", name="A report to read and print (HTML)").click()
    saved = tmp_path / "report.html"
    report.value.save_as(saved)
    written = saved.read_text(encoding="utf-8")
    assert "<svg" in written
    assert "<script" not in written

    page.keyboard.press("Escape")
    button(page, "All runs").click()
    expect(main(page).get_by_role("heading", name="Traces")).to_be_visible()
    expect(main(page).locator(".run")).to_have_count(1)


def test_a_replay_is_played_paused_and_stepped_by_keyboard(context: BrowserContext, serve: Any) -> None:
    page = context.new_page()
    page.goto(serve())  # at the pace that the program has by itself, or it would be over before it is paused
    page.get_by_role("link", name="Traces").click()
    main(page).locator(".st-key-recorded button").first.click()
    play = button(page, "Play")
    play.focus()
    page.keyboard.press("Enter")
    expect(main(page).get_by_role("progressbar")).to_be_visible()
    expect(main(page).locator("svg.rg:visible .node.active")).to_be_visible()
    button(page, "Pause").focus()
    page.keyboard.press("Enter")
    expect(now(page)).to_contain_text("Step ")
    expect(play).to_be_visible()
    main(page).get_by_role("slider").press("End")
    expect(now(page)).not_to_contain_text("Step ")


def test_step_mode_with_an_edited_query(page: Page, web: str) -> None:
    load(page, web, "/sourdough", "/tables")
    main(page).get_by_role("button", name=re.compile("built-in engine")).click()
    page.get_by_text("Step by step: wait before each node").click()
    page.keyboard.press("Escape")
    box = main(page).get_by_label("Question")
    box.fill("How often do I feed a sourdough starter?")
    box.press("Enter")

    expect(main(page).get_by_text("Next: Retrieve")).to_be_visible(timeout=LONG)
    expect(main(page).locator("svg.rg:visible .node.next title")).to_have_text("retrieve")
    words = main(page).get_by_label("Search with other words")
    words.fill("feed the starter with flour and water")
    words.press("Enter")
    expect(main(page).get_by_text("Next: Grade documents")).to_be_visible(timeout=LONG)
    expect(main(page).locator(".q ins").first).to_be_visible()
    button(page, "Run on").click()
    expect(button(page, "Replay")).to_be_visible(timeout=LONG)


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_a_narrow_screen_shows_runs_and_what_ifs(browser: Browser, app: str, scheme: Any) -> None:
    context = browser.new_context(viewport={"width": 400, "height": 800}, color_scheme=scheme)
    phone = context.new_page()
    phone.goto(f"{app}/traces")
    main(phone).locator(".st-key-recorded button").first.click(timeout=LONG)
    expect(main(phone).get_by_role("heading", name="What if?")).to_be_visible(timeout=LONG)
    assert phone.evaluate("() => document.querySelector('[data-testid=stMain]').scrollWidth") <= 400
    context.close()
