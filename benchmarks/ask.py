"""`make bench`: what a visitor waits for. From a node's start to the lit node in Chromium, and from the command to a usable
page. Paced runs of the built-in engine on the sample library; the data folder is a temporary one."""

from __future__ import annotations

import math
import os
import statistics
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from playwright.sync_api import Browser, Page, sync_playwright

from rag_graphs import load_samples, load_settings, open_workspace
from tests.conftest import CHROMIUM, CHROMIUM_FLAGS, NO_CHROMIUM, ROOT, clean_environment

VISITOR = "benchmark-visitor-of-fortythree-characters--"[:43]
QUESTIONS = (
    "How to improve relationships",
    "How to cook a bagel?",
    "What's the bagel method?",
    "How to improve relationships",
    "How to cook a bagel?",
)
STARTS = 5
WATCH = """() => {
  window.lit = [];
  let last = '';
  const look = () => {
    const node = document.querySelector('svg.rg.wide g.node.active title');
    const name = node ? node.textContent : '';
    if (name !== last) {
      last = name;
      if (name) window.lit.push([(performance.timeOrigin + performance.now()) / 1000, name]);
    }
  };
  new MutationObserver(look).observe(document.body, {subtree: true, childList: true, attributes: true, characterData: true});
}"""


def main() -> None:
    """Measure and print a table."""
    if CHROMIUM is None:
        sys.exit(NO_CHROMIUM)
    with TemporaryDirectory(ignore_cleanup_errors=True) as folder, sync_playwright() as playwright:
        # in a process of its own: one process owns the index
        filling = "import sys; from benchmarks.ask import fill; fill(sys.argv[1])"
        subprocess.run([sys.executable, "-c", filling, f"{folder}/data"], cwd=ROOT, check=True)
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=CHROMIUM_FLAGS)
        usable = [from_command_to_page(browser, Path(folder)) for _ in range(STARTS)]
        lit = from_start_to_light(browser, Path(folder))
        browser.close()
    print(f"{os.cpu_count()} cores, load {os.getloadavg()[0]:.1f}, Python {sys.version.split()[0]}\n")
    print(f"{'':34}{'n':>4}{'median':>10}{'p95':>10}{'most':>10}   aim")
    print(row("node start to lit node, ms", [1000 * s for s in lit if s is not None], "median 60, p95 100"))
    print(row("command to usable page, ms", [1000 * s for s in usable], "2000"))
    print(f"nodes that were not seen lit: {lit.count(None)} of {len(lit)}")


def fill(folder: str) -> None:
    """Load a sample collection and put it on the benchmark visitor's shelf."""
    settings = load_settings(data_dir=folder)
    workspace = open_workspace(settings)
    reports = load_samples(workspace.library, ["relationships"], settings)
    workspace.store.save_shelf(VISITOR, [r.source.id for r in reports if r.source])


@contextmanager
def server(command: list[str], folder: Path) -> Iterator[str]:
    """A running server's address."""
    environment = clean_environment(RAG_DATA_DIR=str(folder / "data"), RAG_PACE="0.9")
    process = subprocess.Popen([sys.executable, *command], stdout=subprocess.PIPE, text=True, cwd=ROOT, env=environment)
    assert process.stdout
    try:
        yield next(w for line in process.stdout for w in line.split() if w.startswith("http"))
    finally:
        process.terminate()
        process.wait(timeout=30)


def opened(browser: Browser, address: str) -> Page:
    """The Ask page of the benchmark visitor, ready for a question."""
    context = browser.new_context(viewport={"width": 1400, "height": 900})
    context.add_cookies([{"name": "rag_visitor", "value": VISITOR, "url": address}])
    page = context.new_page()
    page.goto(address)
    page.get_by_role("textbox", name="Question").wait_for()
    return page


def from_command_to_page(browser: Browser, folder: Path) -> float:
    """Seconds from starting the program until a question can be typed."""
    begun = time.perf_counter()
    with server(["-m", "rag_graphs", "serve", "--port", "0"], folder) as address:
        page = opened(browser, address)
        took = time.perf_counter() - begun
        page.context.close()
    return took


def from_start_to_light(browser: Browser, folder: Path) -> list[float | None]:
    """Seconds from each node's start in Python until Chromium's document shows that node as the active one."""
    log = folder / "nodes.txt"
    with server(["-m", "benchmarks.timed_server", str(log)], folder) as address:
        page = opened(browser, address)
        page.evaluate(WATCH)
        for question in QUESTIONS:
            page.get_by_role("textbox", name="Question").fill(question)
            page.get_by_role("textbox", name="Question").press("Enter")
            page.locator(".st-key-stop button").wait_for()
            page.locator(".st-key-go button").wait_for(timeout=120_000)
        lit: list[list[Any]] = page.evaluate("window.lit")
        page.context.close()
    started = [(float(line.split()[0]), line.split()[1]) for line in log.read_text(encoding="utf-8").splitlines()]
    return delays(started, [(float(at), str(name)) for at, name in lit])


def delays(started: list[tuple[float, str]], lit: list[tuple[float, str]]) -> list[float | None]:
    """For each node that started, the seconds until it was lit; None where the next node started before that."""
    ends = [at for at, _ in started[1:]] + [math.inf]
    found: list[float | None] = []
    for (begun, name), end in zip(started, ends, strict=True):
        at = next((at for at, lit_name in lit if lit_name == name and begun <= at < end), None)
        found.append(None if at is None else at - begun)
    return found


def row(name: str, values: list[float], aim: str) -> str:
    """One line of the table; p95 by nearest rank."""
    ordered = sorted(values)
    p95 = ordered[math.ceil(0.95 * len(ordered)) - 1]
    return f"{name:34}{len(values):>4}{statistics.median(values):>10.0f}{p95:>10.0f}{ordered[-1]:>10.0f}   {aim}"


if __name__ == "__main__":
    main()
