"""Panels of their own in Chromium, on a stand-in for a model server: a slider moved by keyboard ranks the drafts again."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from tests.browser.content import TWO
from tests.servers.openai import OpenAIServer
from tests.servers.script import Script, draft_says

pytestmark = pytest.mark.browser

DRAFTS = {
    "Feed the sourdough": draft_says("Once a day [1].", "relevant", "fully", 2),
    "Bake the sourdough": draft_says("For fifty minutes [1].", "relevant", "no", 5),
}


@pytest.fixture(scope="module")
def model() -> Iterator[OpenAIServer]:
    def draft(prompt: str) -> Any:
        return next(said for text, said in DRAFTS.items() if text in prompt)

    with OpenAIServer(script=Script({"draft": draft})) as started:
        yield started


@pytest.fixture
def page(browser: Browser, serve: Any, web: str, model: OpenAIServer) -> Iterator[Page]:
    app = serve(RAG_ALLOW_HOSTS=web, RAG_PACE="0", RAG_MODEL="openai:small", OPENAI_BASE_URL=model.base_url)
    context = browser.new_context(viewport={"width": 1440, "height": 1200})
    context.set_default_timeout(60_000)
    opened = context.new_page()
    complaints: list[str] = []
    opened.on("console", lambda m: complaints.append(m.text) if m.type == "error" else None)
    opened.on("pageerror", lambda error: complaints.append(str(error)))
    opened.goto(app)
    main(opened).get_by_label("Addresses, one a line").fill("\n".join(f"http://{web}{path}" for path in TWO))
    main(opened).get_by_role("button", name="Load these pages").click()
    expect(main(opened).get_by_text("2 sources loaded", exact=True)).to_be_visible(timeout=90_000)
    yield opened
    context.close()
    assert complaints == []


def main(page: Page) -> Locator:
    return page.get_by_test_id("stMain")


def choose(page: Page, name: str) -> None:
    radio, button = (main(page).get_by_role(role, name=name, exact=True) for role in ("radio", "button"))
    radio.or_(button).first.click()


def ask(page: Page) -> None:
    box = main(page).get_by_label("Question")
    box.fill("How is sourdough made?")
    box.press("Enter")


def button(page: Page, name: str) -> Locator:
    return main(page).get_by_role("button", name=name, exact=True)


def first(page: Page) -> Locator:
    """The card of the draft that is ranked first."""
    return main(page).locator(".draft").first


def more_use(page: Page) -> None:
    """Weigh use higher, by keyboard, until the other draft is first."""
    slider = main(page).get_by_role("slider", name="Use (ISUSE)")
    slider.focus()
    for _ in range(6):
        slider.press("ArrowRight")
    expect(first(page).locator(".ti")).to_have_text("Sourdough in the oven")
    expect(slider).to_be_focused()


def test_a_slider_moved_by_keyboard_ranks_the_drafts_again_and_asks_no_model(page: Page, model: OpenAIServer) -> None:
    choose(page, "Critique scores")
    expect(main(page).locator(".now")).to_contain_text("Self-RAG with critique scores")
    ask(page)
    expect(button(page, "Replay")).to_be_visible(timeout=90_000)
    expect(first(page)).to_contain_text("The answer of this run.")
    expect(first(page).locator(".ti")).to_have_text("Sourdough starter")

    asked = len(model.requests)
    more_use(page)
    expect(first(page)).to_contain_text("With these weights it would be the answer.")
    expect(main(page).locator(".what")).to_contain_text("would have won instead of “Sourdough starter”")
    expect(main(page).locator(".answer")).to_contain_text("Once a day")
    button(page, "Back to the run’s weights").click()
    expect(first(page).locator(".ti")).to_have_text("Sourdough starter")
    assert len(model.requests) == asked

    # while a run waits in its middle, and after it has gone on
    main(page).get_by_role("button", name="2 sources").click()
    page.get_by_text("Step by step: wait before each node").click()
    page.keyboard.press("Escape")
    ask(page)
    for node in ("Retrieve", "Draft answers", "Rank drafts"):
        button(page, "Next").click()
        expect(main(page).get_by_text(f"Next: {node}", exact=True)).to_be_visible()
    asked = len(model.requests)
    more_use(page)
    assert len(model.requests) == asked
    button(page, "Run on").click()
    expect(button(page, "Replay")).to_be_visible(timeout=90_000)
    expect(first(page).locator(".ti")).to_have_text("Sourdough in the oven")
    expect(main(page).locator(".answer")).to_contain_text("Once a day")
