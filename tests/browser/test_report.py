"""The report in a browser: whole words in its tables, and nothing beside the page, on a laptop and on a phone."""

from pathlib import Path
from typing import Any

import pytest

from rag_graphs.export import as_html
from rag_graphs.samples import recorded_runs
from rag_graphs.views.diagram import FONT
from tests.views.diagram.test_in_chromium import MEASURE, with_one_font

pytestmark = pytest.mark.browser
RUNS = {run.key: run.trace for run in recorded_runs() if run.key in ("drafts", "refined", "chain")}
TALL = """() => [...document.querySelectorAll('.badge')]
    .filter(b => b.getClientRects().length > 1 || b.getBoundingClientRect().height > 32).map(b => b.textContent)"""
BESIDE = "() => document.documentElement.scrollWidth - document.documentElement.clientWidth"


@pytest.mark.parametrize("width", [400, 820, 1280])
@pytest.mark.parametrize("key", ["drafts", "refined", "chain"])
def test_no_verdict_is_broken_and_nothing_sticks_out(browser: Any, key: str, width: int) -> None:
    page = browser.new_context(viewport={"width": width, "height": 900}).new_page()
    page.set_content(as_html(RUNS[key]))
    assert page.evaluate(TALL) == []
    assert page.evaluate(BESIDE) <= 0
    page.context.close()


@pytest.mark.parametrize("key", ["drafts", "refined", "chain"])
def test_its_policy_lets_its_font_in_and_the_diagram_fits(browser: Any, tmp_path: Path, key: str) -> None:
    chromium = with_one_font(browser, tmp_path)
    page = chromium.new_page(viewport={"width": 1280, "height": 900})
    said: list[str] = []
    page.on("console", lambda message: said.append(message.text))
    page.set_content(as_html(RUNS[key]))
    page.evaluate("document.fonts.ready.then(() => true)")
    assert page.evaluate("[...document.fonts].map(f => f.family.replaceAll('\"', '') + ' ' + f.status)") == [
        f"{FONT} loaded"
    ]
    found = page.evaluate(MEASURE)
    assert said == found["outside"] == found["covered"] == []
    chromium.close()
