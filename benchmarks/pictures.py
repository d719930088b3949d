"""`make pictures`: the README's pictures, made from the running app with the sample library, without a key."""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

from playwright.sync_api import Browser, FloatRect, Page, ViewportSize, sync_playwright

from benchmarks.ask import VISITOR
from tests.conftest import CHROMIUM, CHROMIUM_FLAGS, NO_CHROMIUM, ROOT, clean_environment

IMAGES = ROOT / "docs" / "images"
WIDE, PHONE = (1440, 900), (400, 860)
LONG = ViewportSize(width=1440, height=1900)
"""A panel that is photographed alone must not have to be scrolled."""
QUESTION = "When was the bagel method invented?"
PATIENCE = 120_000


def main() -> None:
    """Start the app, ask, and take every picture."""
    if CHROMIUM is None:
        sys.exit(NO_CHROMIUM)
    IMAGES.mkdir(parents=True, exist_ok=True)
    with TemporaryDirectory(ignore_cleanup_errors=True) as folder, sync_playwright() as playwright:
        filling = "import sys; from benchmarks.ask import fill; fill(sys.argv[1])"
        subprocess.run([sys.executable, "-c", filling, f"{folder}/data"], cwd=ROOT, check=True)
        with serving(Path(folder) / "data") as address:
            browser = playwright.chromium.launch(executable_path=CHROMIUM, args=CHROMIUM_FLAGS)
            take(browser, address)
            browser.close()


@contextmanager
def serving(data: Path) -> Iterator[str]:
    """The app on a free port; gives its address."""
    process = subprocess.Popen(
        [sys.executable, "-m", "rag_graphs", "serve", "--port", "0"],
        cwd=ROOT,
        env=clean_environment(RAG_DATA_DIR=str(data)),
        stdout=subprocess.PIPE,
        text=True,
    )
    assert process.stdout is not None
    try:
        yield next(word for line in process.stdout for word in line.split() if word.startswith("http://"))
    finally:
        process.terminate()
        process.wait()
        process.stdout.close()


def take(browser: Browser, address: str) -> None:
    """The pictures, in the order in which a visitor sees the pages."""
    newcomer = opened(browser, address, WIDE, visitor="a-newcomer-of-exactly-forty-three-letters-1")
    newcomer.get_by_role("button", name="Play this run").wait_for()
    shoot(newcomer, "first-start")

    page = opened(browser, address, WIDE, dark=True)
    page.get_by_label("Question").fill(QUESTION)
    page.get_by_label("Question").press("Enter")
    page.locator("svg.rg.wide g.node.active title", has_text="rewrite_query").first.wait_for(state="attached")
    page.wait_for_timeout(400)
    page.screenshot(path=IMAGES / "ask-dark.png")
    finished(page)
    run = page.url

    light = opened(browser, address, WIDE)
    light.get_by_label("Question").fill("How to improve relationships")
    light.get_by_label("Question").press("Enter")
    finished(light)
    shoot(light, "ask-light")
    phone = opened(browser, light.url, PHONE)
    finished(phone)
    shoot(phone, "ask-phone")

    for name, file in (("Sources", "sources-light"), ("Strategies", "strategies-light"), ("Traces", "traces-light")):
        light.get_by_role("link", name=name, exact=True).click()
        light.wait_for_timeout(6000)
        shoot(light, file)
    light.goto(f"{address}/traces?run={run.split('run=')[1]}")
    finished(light)
    shoot(light, "trace-light")

    light.goto(f"{address}/traces?run=sample-gives-up")
    light.get_by_role("button", name="2 Grade documents", exact=True).click()
    light.get_by_role("button", name=re.compile(r"^1 .* is relevant$")).click()
    light.get_by_text("They part after step").wait_for()
    shoot(light, "what-if-light")

    light.set_viewport_size(LONG)
    for recorded, name in (("drafts", "drafts-light"), ("refined", "refinement-light"), ("chain", "chain-light")):
        light.goto(f"{address}/?run=sample-{recorded}")
        finished(light)
        light.wait_for_timeout(2500)
        box = light.locator(".st-key-ptabs").bounding_box()
        assert box
        clip = {**box, "x": box["x"] - 8, "width": box["width"] + 16, "height": min(box["height"], 760)}
        light.screenshot(path=IMAGES / f"{name}.png", clip=FloatRect(**clip))

    page.get_by_role("button", name=re.compile("built-in engine")).click()
    page.get_by_text("Step by step: wait before each node").click()
    page.keyboard.press("Escape")
    page.get_by_label("Question").fill("How to improve relationships")
    page.get_by_label("Question").press("Enter")
    for node in ("Retrieve", "Grade documents"):
        page.get_by_text(f"Next: {node}").wait_for()
        page.get_by_role("button", name="Next", exact=True).click()
    page.get_by_text("Next: Generate").wait_for()
    shoot(page, "step-dark")


def opened(
    browser: Browser, address: str, size: tuple[int, int], *, dark: bool = False, visitor: str = VISITOR
) -> Page:
    """A page of this visitor's at an address."""
    width, height = size
    context = browser.new_context(viewport={"width": width, "height": height}, color_scheme="dark" if dark else "light")
    context.add_cookies([{"name": "rag_visitor", "value": visitor, "domain": "127.0.0.1", "path": "/"}])
    page = context.new_page()
    page.set_default_timeout(PATIENCE)
    page.goto(address.replace("localhost", "127.0.0.1"))
    return page


def finished(page: Page) -> None:
    """Wait for the end of the run that the page shows."""
    page.get_by_role("slider").first.wait_for()


def shoot(page: Page, name: str) -> None:
    """Take the picture when nothing moves any more."""
    page.wait_for_timeout(2500)
    page.screenshot(path=IMAGES / f"{name}.png")


if __name__ == "__main__":
    main()
