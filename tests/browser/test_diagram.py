"""The drawing in a browser, in the app's own font: texts keep to their boxes, nothing is too small, one way is shown."""

import os
from base64 import b64encode
from pathlib import Path
from typing import Any

import pytest
import streamlit

from rag_graphs.graphs.strategies import all_strategies
from rag_graphs.settings import Settings
from rag_graphs.views.diagram import FONT, FONT_FILE, both_ways, diagram_css, marks, standalone, tokens
from tests.conftest import CHROMIUM, CHROMIUM_FLAGS
from tests.views.diagram.runs import NONE_RELEVANT, trace

pytestmark = pytest.mark.browser
MEASURE = """() => {
    const found = {smallest: 99, shown: [], outside: [], covered: []};
    for (const svg of document.querySelectorAll('svg.rg')) {
        if (getComputedStyle(svg).display === 'none') continue;
        found.shown.push(svg.id);
        const scale = svg.getScreenCTM().a;
        const place = e => e.getBoundingClientRect();
        for (const text of svg.querySelectorAll('.nm, .sub, .ol'))
            if (text.textContent) found.smallest = Math.min(found.smallest, parseFloat(getComputedStyle(text).fontSize) * scale);
        for (const node of svg.querySelectorAll('.node')) {
            const box = place(node.querySelector('.b'));
            for (const text of node.querySelectorAll('.nm, .sub')) {
                const t = place(text);
                const across = t.left > box.left + 1 && t.right < box.right - 1;
                const down = t.top > box.top - 1 && t.bottom < box.bottom + 1;
                if (t.width && !(across && down)) found.outside.push(text.textContent);
            }
            for (const text of svg.querySelectorAll('.ol')) {
                const t = place(text);
                if (t.left < box.right && t.right > box.left && t.top + 3 < box.bottom && t.bottom - 3 > box.top)
                    found.covered.push(text.textContent);
            }
        }
    }
    return found;
}"""


def page_text() -> str:
    """Every strategy before, and after a run that marks much of it."""
    font = next((Path(streamlit.__file__).parent / "static/static/media").glob("SourceSansVF-Upright*"))
    data = b64encode(font.read_bytes()).decode()
    face = f"@font-face{{font-family:App;font-weight:200 900;src:url(data:font/woff2;base64,{data})}}"
    drawings = []
    for key, strategy in all_strategies().items():
        run = trace(key, relevant=NONE_RELEVANT)
        drawings += [
            both_ways(strategy, Settings(), prefix=f"{key}_before"),
            both_ways(strategy, Settings(), marks(run), prefix=f"{key}_after"),
        ]
    style = f"{face}:root{{color-scheme:light dark}}{tokens()}{diagram_css()}body{{margin:16px;font-family:App}}"
    return f"<!doctype html><meta name=viewport content='width=device-width'><style>{style}</style>{''.join(drawings)}"


@pytest.mark.parametrize("width", [400, 700, 1024, 1280, 1440])
def test_texts_fit_and_are_legible(browser: Any, width: int) -> None:
    page = browser.new_context(viewport={"width": width, "height": 900}).new_page()
    page.set_content(page_text())
    page.evaluate("document.fonts.ready.then(() => true)")
    found = page.evaluate(MEASURE)
    assert len(found["shown"]) == 2 * len(all_strategies())
    assert found["outside"] == found["covered"] == []
    assert found["smallest"] >= 11
    page.context.close()


def with_one_font(browser: Any, folder: Path) -> Any:
    """Another Chromium, whose machine has one font only: with none at all, Chromium 156 often refuses fonts in pages too."""
    config = folder / "fonts.conf"
    config.write_text(f"<fontconfig><dir>{FONT_FILE.parent}</dir><cachedir>{folder}</cachedir></fontconfig>")
    environment = {**os.environ, "FONTCONFIG_FILE": str(config)}
    return browser.browser_type.launch(executable_path=CHROMIUM, args=CHROMIUM_FLAGS, env=environment)


def test_texts_fit_in_a_file_with_its_own_font(browser: Any, tmp_path: Path) -> None:
    """The machine's fonts may be wider, so it must be the one that the file carries."""
    chromium = with_one_font(browser, tmp_path)
    page = chromium.new_page(viewport={"width": 1280, "height": 900})
    for key, strategy in all_strategies().items():
        page.set_content(standalone(strategy, Settings(), trace(key, relevant=NONE_RELEVANT)).partition("\n")[2])
        page.evaluate("document.fonts.ready.then(() => true)")
        faces = page.evaluate("[...document.fonts].map(f => f.family.replaceAll('\"', '') + ' ' + f.status)")
        assert faces == [f"{FONT} loaded"]
        found = page.evaluate(MEASURE)
        assert found["outside"] == found["covered"] == []
    chromium.close()


def test_it_stands_still_for_those_who_want_that(browser: Any) -> None:
    page = browser.new_context(reduced_motion="reduce").new_page()
    page.set_content(page_text())
    moving = page.evaluate(
        "[...document.querySelectorAll('.rg *')].filter(e => getComputedStyle(e).animationName !== 'none').length"
    )
    assert moving == 0
    page.context.close()
