"""The Ask page in Chromium: load by address, ask, watch, step, stop, come back by address; nothing leaves the machine."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserContext, Locator, Page, expect

pytestmark = pytest.mark.browser

QUESTION = "How often do I feed a sourdough starter?"

# looks at the diagram in every frame that the browser paints: is it there, and is it still the same element?
WATCH = """() => {
  const seen = window.seen = {frames: 0, blank: 0, elements: new Set(), active: new Set()};
  const look = () => {
    const graphs = [...document.querySelectorAll('.st-key-stage svg.rg')].filter(g => g.getBoundingClientRect().height > 50);
    seen.frames += 1;
    if (!graphs.length) seen.blank += 1;
    graphs.forEach(g => {
      seen.elements.add(g);
      g.querySelectorAll('.node.active > title').forEach(t => seen.active.add(t.textContent));
    });
    requestAnimationFrame(look);
  };
  look();
}"""


class Complaints(list[str]):
    """What the browser said that it should not have: errors in the console, requests to other hosts."""

    def listen(self, page: Page, app: str) -> Page:
        page.on("console", lambda message: self.append(message.text) if message.type == "error" else None)
        page.on("pageerror", lambda error: self.append(str(error)))
        page.on("request", lambda request: self.append(request.url) if _foreign(request.url, app) else None)
        return page


def _foreign(url: str, app: str) -> bool:
    ours = (app, app.replace("http", "ws", 1), "data:", "blob:")
    return not url.startswith(ours)


@pytest.fixture
def complaints() -> Iterator[Complaints]:
    heard = Complaints()
    yield heard
    assert heard == []


@pytest.fixture
def context(browser: Browser) -> Iterator[BrowserContext]:
    opened = browser.new_context(viewport={"width": 1440, "height": 1000})
    opened.set_default_timeout(60_000)
    yield opened
    opened.close()


@pytest.fixture
def page(context: BrowserContext, app: str, complaints: Complaints) -> Page:
    """A newcomer's first page."""
    opened = complaints.listen(context.new_page(), app)
    opened.goto(app)
    expect(opened.get_by_role("button", name="Play this run")).to_be_visible(timeout=60_000)
    return opened


def main(page: Page) -> Locator:
    """The page without the header, which has a Stop of its own."""
    return page.get_by_test_id("stMain")


def button(page: Page, name: str) -> Locator:
    return main(page).get_by_role("button", name=name, exact=True)


def load(page: Page, web: str, *paths: str) -> None:
    main(page).get_by_label("Addresses, one a line").fill("\n".join(f"http://{web}{path}" for path in paths))
    button(page, "Load these pages").click()
    expect(main(page).get_by_label("Question")).to_be_visible(timeout=90_000)
    expect(main(page).get_by_text(f"{len(paths)} sources loaded", exact=True)).to_be_visible(timeout=90_000)


def ask(page: Page, question: str = QUESTION) -> None:
    box = main(page).get_by_label("Question")
    box.fill(question)
    box.press("Enter")


def choose_pace(page: Page, pace: str) -> None:
    set_up = main(page).get_by_role("button", name=re.compile("built-in engine"))
    set_up.click()
    page.get_by_role("radio", name=pace).or_(page.get_by_role("button", name=pace)).first.click()
    # the choice has reached the server once the page was drawn again: a question asked sooner runs at the old pace
    page.wait_for_timeout(100)
    expect(page.get_by_test_id("stApp")).to_have_attribute("data-test-script-state", "notRunning")
    page.keyboard.press("Escape")
    expect(page.get_by_text("These apply to the next run.")).to_be_hidden()


def wait_for_end(page: Page) -> None:
    expect(button(page, "Replay")).to_be_visible(timeout=90_000)


def now(page: Page) -> Locator:
    return main(page).locator(".now")


def test_load_by_address_ask_watch_step_and_come_back(
    browser: Browser, page: Page, app: str, web: str, complaints: Complaints
) -> None:
    load(page, web, "/sourdough", "/tables")
    choose_pace(page, "calm")
    page.evaluate(WATCH)
    ask(page)
    expect(button(page, "Stop")).to_be_visible()
    expect(now(page)).to_contain_text("Grading documents")
    expect(main(page).locator(".doc.yes").first).to_be_visible()
    wait_for_end(page)
    expect(now(page)).to_contain_text("Useful")
    expect(main(page).locator(".answer a.cite").first).to_be_visible()
    seen = page.evaluate(
        "() => ({...window.seen, elements: window.seen.elements.size, active: [...window.seen.active]})"
    )
    assert seen["frames"] > 60
    assert seen["blank"] == 0
    assert set(seen["active"]) == {"retrieve", "grade_documents", "generate", "grade_answer"}

    button(page, "One step back").click()
    expect(now(page)).to_contain_text("Step 4 of 4: the answer is graded")
    button(page, "One step back").click()
    expect(now(page)).to_contain_text("Step 3 of 4: the answer is written")
    expect(main(page).locator("svg.rg:visible .node.active title")).to_have_text("generate")
    main(page).get_by_role("slider").press("End")
    expect(now(page)).to_contain_text("Useful")

    other = browser.new_context()
    again = complaints.listen(other.new_page(), app)
    again.goto(page.url)
    expect(now(again)).to_contain_text("Useful", timeout=60_000)
    expect(main(again).get_by_label("Question")).to_have_value(QUESTION)
    other.close()


def test_a_click_and_a_page_change_during_a_run_lose_nothing(
    browser: Browser, page: Page, app: str, web: str, complaints: Complaints
) -> None:
    load(page, web, "/sourdough", "/tables")
    choose_pace(page, "slow")
    ask(page)
    expect(now(page)).to_contain_text("Grading documents")
    main(page).get_by_role("tab", name="State").click()
    main(page).get_by_text("Corrective RAG", exact=True).click()
    expect(main(page).get_by_text("Corrective RAG is chosen for the next one.")).to_be_visible()
    expect(button(page, "Stop")).to_be_visible()

    address = page.url
    watcher = browser.new_context()
    second = complaints.listen(watcher.new_page(), app)
    second.goto(address)
    expect(now(second)).not_to_contain_text("Ask a question", timeout=60_000)

    page.get_by_role("link", name="Sources").click()
    expect(page.get_by_role("heading", name="Sources", exact=True)).to_be_visible()
    page.get_by_role("link", name="Ask").click()
    wait_for_end(page)
    assert page.url.split("?")[1] == address.split("?")[1]
    expect(now(page)).to_contain_text("Useful")
    expect(main(page).locator("details.st")).to_have_count(4)
    wait_for_end(second)
    expect(now(second)).to_contain_text("Useful")
    watcher.close()


def test_stop_ends_a_run_at_once_and_keeps_what_it_found(page: Page, web: str) -> None:
    load(page, web, "/sourdough", "/tables")
    choose_pace(page, "slow")
    ask(page)
    expect(main(page).locator(".doc").first).to_be_visible()
    button(page, "Stop").click()
    wait_for_end(page)
    expect(now(page)).to_contain_text("Stopped")
    expect(main(page).get_by_text("Stopped before an answer was written.")).to_be_visible()
    expect(main(page).locator(".doc").first).to_be_visible()


def test_a_newcomer_plays_a_recorded_run_by_keyboard(page: Page) -> None:
    button(page, "Play this run").focus()
    page.keyboard.press("Enter")
    expect(main(page).get_by_text("Watch retrieval correct itself")).to_be_hidden()
    wait_for_end(page)
    main(page).get_by_role("slider").press("ArrowLeft")
    expect(now(page)).to_contain_text("Step ")
    reader = main(page).locator(".doc summary").first
    reader.focus()
    page.keyboard.press("Enter")
    expect(main(page).locator(".doc .full").first).to_be_visible()


def test_a_citation_leads_to_its_document(page: Page) -> None:
    button(page, "Play this run").click()
    wait_for_end(page)
    cite = main(page).locator("a.cite").first
    number = cite.inner_text()
    cite.click()
    card = main(page).locator(f"#doc{number}")
    expect(card).to_be_in_viewport()
    assert page.url.endswith(f"#doc{number}")


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_a_narrow_screen_shows_everything_without_scrolling_sideways(
    browser: Browser, app: str, complaints: Complaints, scheme: Any
) -> None:
    context = browser.new_context(viewport={"width": 400, "height": 800}, color_scheme=scheme)
    phone = complaints.listen(context.new_page(), app)
    phone.goto(app)
    button(phone, "Play this run").click(timeout=60_000)
    wait_for_end(phone)
    for place in (now(phone), main(phone).locator(".answer"), main(phone).locator(".doc").first):
        expect(place).to_be_visible()
    assert phone.evaluate("() => document.querySelector('[data-testid=stMain]').scrollWidth") <= 400
    context.close()


def test_an_address_that_leads_nowhere_has_a_way_on(page: Page, app: str) -> None:
    page.goto(f"{app}/?run=no-such-run")
    expect(main(page).get_by_text("There is no run with this address.")).to_be_visible()
    button(page, "Go to the start").click()
    expect(button(page, "Play this run")).to_be_visible()
