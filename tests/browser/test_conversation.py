"""A conversation in Chromium: ask, follow up, see how that was understood, start the server anew, reload, go on."""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserContext, Locator, Page, expect

from tests.browser.test_ask import Complaints, button, load, main, wait_for_end
from tests.conftest import ROOT, clean_environment

pytestmark = pytest.mark.browser

FIRST = "How often do I feed a sourdough starter?"
FOLLOW_UP = "And where do I keep it?"


@contextmanager
def serving(data: Path, web: str, port: str = "0") -> Iterator[str]:
    """The app on a data folder that outlives it; gives its address."""
    process = subprocess.Popen(
        [sys.executable, "-m", "rag_graphs", "serve", "--port", port],
        cwd=ROOT,
        env=clean_environment(RAG_DATA_DIR=str(data), RAG_ALLOW_HOSTS=web, RAG_PACE="0"),
        stdout=subprocess.PIPE,
        text=True,
    )
    assert process.stdout is not None
    try:
        yield next(word for line in process.stdout for word in line.split() if word.startswith("http://"))
    finally:
        process.terminate()
        process.wait(timeout=20)
        process.stdout.close()


@pytest.fixture
def context(browser: Browser) -> Iterator[BrowserContext]:
    opened = browser.new_context(viewport={"width": 1440, "height": 1000})
    opened.set_default_timeout(60_000)
    yield opened
    opened.close()


def box(page: Page) -> Locator:
    return main(page).get_by_role("textbox", name="Question")


def ask(page: Page, question: str) -> None:
    before = turns(page).count()
    box(page).fill(question)
    box(page).press("Enter")
    expect(turns(page)).to_have_count(before + 1)
    wait_for_end(page)


def turns(page: Page) -> Locator:
    return main(page).locator(".turn")


def test_it_goes_on_after_the_server_was_started_anew(context: BrowserContext, web: str, tmp_path: Path) -> None:
    heard = Complaints()
    with serving(tmp_path, web) as app:
        page = heard.listen(context.new_page(), app)
        page.goto(app)
        load(page, web, "/sourdough", "/tables")
        mode = (
            main(page)
            .get_by_role("switch", name="Conversation")
            .or_(main(page).get_by_role("checkbox", name="Conversation"))
        )
        mode.focus()
        page.keyboard.press("Space")
        expect(main(page).get_by_text("Ask the first question.")).to_be_visible()
        ask(page, FIRST)
        expect(turns(page)).to_have_count(1)
        expect(box(page)).to_have_attribute("placeholder", "Ask a follow-up…")
        expect(box(page)).to_have_value("")

        ask(page, FOLLOW_UP)
        understood = main(page).locator(".asked")
        expect(understood).to_contain_text(FOLLOW_UP)
        expect(understood).to_contain_text(re.compile("Understood as: .*sourdough starter"))
        done = main(page).locator("svg.rg:visible .node.done title")
        expect(done.filter(has_text="condense_question")).to_have_count(1)
        expect(turns(page)).to_have_count(2)

        page.get_by_role("link", name="Sources").click()
        expect(page.get_by_role("heading", name="Sources", exact=True)).to_be_visible()
        page.get_by_role("link", name="Ask").click()
        expect(turns(page)).to_have_count(2)
        address = page.url
        assert re.search(r"[?&]conversation=[\w-]+", address)
        assert heard == []

    with serving(tmp_path, web, port=app.rpartition(":")[2]):
        page.goto(address)
        expect(turns(page)).to_have_count(2, timeout=60_000)
        button(page, FIRST).click()
        expect(main(page).locator(".asked")).to_contain_text(FIRST)
        expect(main(page).locator(".answer")).to_contain_text("Feed the sourdough starter")
        ask(page, "Does it smell of vinegar?")
        expect(turns(page)).to_have_count(3)

        foreign(context, address)
        page.get_by_role("link", name="Traces").click()
        main(page).get_by_role("button", name=FOLLOW_UP, exact=True).click()
        expect(main(page).get_by_text("Understood as:").first).to_be_visible()
        button(page, "Its conversation").click()
        expect(turns(page)).to_have_count(3, timeout=30_000)
        expect(main(page).locator(".asked")).to_contain_text(FOLLOW_UP)

        button(page, "New conversation").click()
        expect(main(page).get_by_text("Ask the first question.")).to_be_visible()
        button(page, "Earlier conversations").click()
        page.get_by_role("button", name=re.compile(f"^{re.escape(FIRST)}.*3 questions")).click()
        expect(turns(page)).to_have_count(3)


def foreign(context: BrowserContext, address: str) -> None:
    """Another visitor sees the run of the address, which is to be shared, and nothing of the conversation."""
    browser = context.browser
    assert browser is not None
    other = browser.new_context()
    page = other.new_page()
    page.goto(address)
    expect(main(page).get_by_text("names a conversation that is not yours or is gone")).to_be_visible(timeout=60_000)
    expect(turns(page)).to_have_count(0)
    assert "conversation=" not in page.url
    other.close()


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_a_phone_shows_it_without_scrolling_sideways(browser: Browser, app: str, web: str, scheme: Any) -> None:
    context = browser.new_context(viewport={"width": 400, "height": 800}, color_scheme=scheme)
    context.set_default_timeout(60_000)
    phone = context.new_page()
    phone.goto(app)
    load(phone, web, "/sourdough", "/tables")
    main(phone).get_by_text("Conversation", exact=True).click()
    ask(phone, FIRST)
    ask(phone, FOLLOW_UP)
    expect(turns(phone)).to_have_count(2)
    assert phone.evaluate("() => document.querySelector('[data-testid=stMain]').scrollWidth") <= 400
    context.close()
