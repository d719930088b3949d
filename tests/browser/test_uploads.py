"""Files of one's own in Chromium: chosen, loaded, read, found, and what becomes of one that holds only pictures."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, FilePayload, Page, expect

from tests.library.papers import paragraph, pdf, stream, word

pytestmark = pytest.mark.browser

BREAD = [
    [
        "Sourdough at home",
        "A sourdough starter is flour and water in which wild yeast lives. Feed it once a day",
        "with the same weight of flour and water.",
    ],
    [
        "Bake the loaf in a closed iron pot at 240 degrees for thirty minutes, then open the",
        "pot and bake for another fifteen minutes. The crust sings when it cools.",
    ],
]
TEA = paragraph("Tea", '<w:outlineLvl w:val="0"/>') + paragraph(
    "Green tea is steeped at seventy degrees for two minutes, black tea with boiling water for four. Leaves can be used twice."
)
HOSTILE_NAME = "<img src=x onerror=alert(1)>.txt"


def payload(name: str, body: bytes) -> FilePayload:
    return {"name": name, "mimeType": "application/octet-stream", "buffer": body}


FILES = [
    payload("bread.pdf", pdf(BREAD, "Sourdough at home")),
    payload("tea.docx", word(TEA)),
    payload("scan.pdf", pdf([stream(b"/I Do")], picture=True)),
    payload(HOSTILE_NAME, b"Water that is too hot makes green tea bitter, so let the kettle stand before you pour it."),
]


@pytest.fixture(params=[(1440, 1000), (400, 800)], ids=["desk", "phone"])
def page(browser: Browser, app: str, request: pytest.FixtureRequest) -> Iterator[Page]:
    width, height = request.param
    context = browser.new_context(viewport={"width": width, "height": height})
    context.set_default_timeout(30_000)
    opened = context.new_page()
    opened.goto(f"{app}/sources")
    expect(opened.get_by_role("heading", name="Sources", exact=True)).to_be_visible(timeout=30_000)
    yield opened
    context.close()


def test_files_are_loaded_read_and_found(page: Page) -> None:
    faults: list[str] = []
    page.on("console", lambda message: faults.append(message.text) if message.type == "error" else None)
    main = page.get_by_test_id("stMain")
    page.get_by_test_id("stButtonGroup").get_by_text("Files").click()
    main.locator("input[type=file]").set_input_files(FILES)
    main.get_by_role("button", name="Load 4 files").click()
    expect(main.get_by_text("3 sources loaded. 1 could not be loaded.")).to_be_visible(timeout=120_000)

    results = main.get_by_role("list", name="Results")
    expect(results.get_by_role("listitem")).to_have_count(4)
    expect(results.get_by_text("scanned PDF")).to_be_visible()
    expect(main.get_by_text("no text layer").first).to_be_visible()
    expect(main.get_by_role("button", name="Try again")).to_have_count(0)
    expect(page.locator("img[src=x]")).to_have_count(0)

    expect(main.get_by_role("heading", name="Sourdough at home", exact=True)).to_be_visible()
    expect(main.get_by_text("bread.pdf").first).to_be_visible()
    expect(main.get_by_role("article").first).to_contain_text("Feed it once a day with the same weight")

    main.get_by_role("button", name="Test a search").click()
    query = main.get_by_role("textbox", name="Query")
    query.fill("How long is the loaf baked in the iron pot?")
    query.press("Enter")
    expect(page.locator(".st-key-hit_1")).to_contain_text("another fifteen minutes", timeout=60_000)
    expect(page.locator(".st-key-hit_1")).to_contain_text("Page")
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    assert not faults


def test_a_starter_list_fills_the_field(page: Page) -> None:
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    page.get_by_text("Web addresses").click()
    page.get_by_role("button", name="Wikipedia on RAG").click()
    field = page.get_by_role("textbox", name="Addresses, one or many")
    expect(field).to_have_value("\n".join(f"https://en.wikipedia.org/wiki/{name}" for name in (
        "Retrieval-augmented_generation", "Large_language_model", "Hallucination_(artificial_intelligence)",
        "Vector_database", "Okapi_BM25", "Prompt_engineering",
    )))  # fmt: skip
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    assert not [url for url in asked if "wikipedia" in url]
