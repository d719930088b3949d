"""Every page opens by its own address: the right page, no complaint in the browser's console."""

from __future__ import annotations

import pytest
from playwright.sync_api import Browser, expect

pytestmark = pytest.mark.browser


@pytest.mark.parametrize(
    ("address", "title"),
    [
        ("/sources", "Sources"),
        ("/strategies?strategy=crag", "Strategies"),
        ("/traces?run=sample-gives-up", "Traces"),
        ("/settings", "Settings"),
        ("/?run=sample-clean-hit", "Ask"),
    ],
)
def test_a_page_opens_by_its_address(browser: Browser, app: str, address: str, title: str) -> None:
    context = browser.new_context()
    page = context.new_page()
    complaints: list[str] = []
    page.on("console", lambda m: complaints.append(m.text) if m.type in ("error", "warning") else None)
    page.on("response", lambda r: complaints.append(f"{r.status} {r.url}") if r.status >= 400 else None)
    page.goto(app + address)
    expect(page).to_have_title(f"{title} · RAG Graphs", timeout=60_000)
    expect(page.get_by_text("Page not found")).to_have_count(0)
    context.close()
    assert complaints == []


def test_a_step_that_is_looked_at_survives_another_page(browser: Browser, app: str) -> None:
    context = browser.new_context()
    page = context.new_page()
    page.goto(f"{app}/?run=sample-clean-hit")
    step = page.get_by_role("slider", name="Step")
    expect(step).to_have_attribute("aria-valuetext", "End", timeout=60_000)
    page.get_by_role("button", name="One step back").click()
    expect(step).to_have_attribute("aria-valuetext", "4 Grade answer")
    page.get_by_role("link", name="Strategies", exact=True).click()
    expect(page).to_have_title("Strategies · RAG Graphs")
    page.get_by_role("link", name="Ask", exact=True).click()
    expect(step).to_have_attribute("aria-valuetext", "4 Grade answer")
    context.close()
