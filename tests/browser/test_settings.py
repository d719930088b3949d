"""The Settings page in Chromium: enter a key, check the set-up, ask with it; the key is nowhere in the browser afterwards."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.test_ask import load
from tests.servers.openai import OpenAIServer

pytestmark = pytest.mark.browser

KEY = "sk-planted-in-chromium-96"
PATIENT = 60_000


@pytest.fixture(scope="module")
def model() -> Iterator[OpenAIServer]:
    with OpenAIServer(key=KEY, models=("small", "large")) as server:
        yield server


@pytest.fixture
def page(browser: Browser, app: str) -> Iterator[Page]:
    context = browser.new_context(viewport={"width": 1400, "height": 1000})
    context.set_default_timeout(PATIENT)
    opened = context.new_page()
    opened.goto(f"{app}/settings")
    expect(opened.get_by_role("heading", name="Settings", exact=True)).to_be_visible(timeout=PATIENT)
    yield opened
    context.close()


def said(page: Page, words: str) -> None:
    expect(page.get_by_test_id("stMain").get_by_text(words).first).to_be_visible(timeout=PATIENT)


def section(page: Page, name: str) -> None:
    page.get_by_test_id("stMain").get_by_role("radio", name=name).click()


def choose(page: Page, box: str, option: str) -> None:
    page.get_by_role("combobox", name=box).first.click()
    page.get_by_role("option", name=option, exact=True).click()


def test_a_key_is_entered_checked_used_and_nowhere_to_be_found(page: Page, web: str, model: OpenAIServer) -> None:
    address = page.get_by_role("textbox", name="Address of OpenAI or a compatible server")
    address.fill(model.base_url)
    address.press("Enter")
    said(page, "Changed · default: https://api.openai.com/v1")
    choose(page, "Grades and routes", "OpenAI or compatible")
    said(page, "refused the key. Check the key in the settings.")

    key = page.get_by_label("Key for OpenAI", exact=True)
    expect(key).to_have_attribute("type", "password")
    key.fill(KEY)
    page.get_by_role("button", name="Use this key").click()
    said(page, "Set, in the memory of this session only.")
    said(page, "It offers 2 models: large, small")
    expect(key).to_have_value("")
    choose(page, "Model for “Grades and routes”", "small")
    said(page, "Changed · default: built-in engine")
    page.get_by_role("button", name="Check my set-up").click()
    said(page, "Everything that is set up works")
    expect(page.get_by_role("table", name="Everything that is set up works").get_by_role("row")).to_have_count(5)

    page.get_by_role("link", name="Ask").click()
    load(page, web, "/sourdough", "/tables")
    question = page.get_by_role("textbox", name="Question")
    question.fill("How often do I feed a sourdough starter?")
    question.press("Enter")
    said(page, "The answer is 12.")
    said(page, "5 calls · 550 tokens")

    held = page.evaluate("JSON.stringify([{...localStorage}, {...sessionStorage}, document.cookie, location.href])")
    values = page.evaluate("[...document.querySelectorAll('input, textarea')].map(field => field.value).join()")
    assert KEY not in page.content() + held + values

    page.get_by_role("link", name="Settings").click()
    said(page, "Set, in the memory of this session only.")
    page.reload()
    said(page, "No key for OpenAI.")
    expect(page.get_by_role("combobox", name="Grades and routes").first).to_have_value("OpenAI or compatible")


def test_a_prompt_without_its_variables_is_told_beside_it(page: Page) -> None:
    section(page, "Prompts")
    page.get_by_text("Grade usefulness", exact=True).first.click()
    box = page.get_by_role("textbox", name="Grade usefulness", exact=True)
    box.fill("Is {answer} any good?")
    page.get_by_role("button", name="Keep this prompt").click()
    said(page, "it needs {question}")
    box.fill("Is {answer} any good for {question}?")
    page.get_by_role("button", name="Keep this prompt").click()
    expect(page.get_by_role("radio", name="Prompts · 1 changed")).to_be_visible()
    page.get_by_role("button", name="Reset this prompt").click()
    expect(page.get_by_role("radio", name="Prompts · 1 changed")).to_have_count(0)


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_a_phone_shows_every_section_without_scrolling_sideways(browser: Browser, app: str, scheme: Any) -> None:
    context = browser.new_context(viewport={"width": 400, "height": 800}, color_scheme=scheme)
    context.set_default_timeout(PATIENT)
    page = context.new_page()
    page.goto(f"{app}/settings")
    for name, shows in (
        ("Models and keys", "Servers and keys"),
        ("Search and library", "Tokens per chunk"),
        ("Budgets and grading", "Rewrites at most"),
        ("Spending", "What one run may spend"),
        ("Prompts", "Route a question by source"),
    ):
        section(page, name)
        said(page, shows)
        wide = page.get_by_test_id("stMain").evaluate("main => main.scrollWidth - main.clientWidth")
        assert wide <= 0, name
    context.close()
