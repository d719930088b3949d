"""What every test may count on: no key, no `.env` file, no data folder of this machine, and a way into Chromium."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from threading import Thread
from typing import Any

import pytest
from hypothesis import settings

ROOT = Path(__file__).resolve().parent.parent
KEYS = ("OPENAI_API_KEY", "OPENAI_BASE_URL", "OLLAMA_HOST", "TAVILY_API_KEY", "TAVILY_BASE_URL")
CHROMIUM = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
CHROMIUM_FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
]
NO_CHROMIUM = "No Chromium was found (looked for chromium, chromium-browser and google-chrome)."
# no deadline: a busy machine is no fault of a test; the same examples every time where a failure could not be looked into
settings.register_profile("steady", deadline=None, derandomize=bool(os.environ.get("CI")))
settings.load_profile("steady")
BROWSER_REQUIRED = os.environ.get("RAG_REQUIRE_BROWSER") == "1"


def clean_environment(**extra: str) -> dict[str, str]:
    """This process's environment without any setting of the program, and with `extra`."""
    kept = {k: v for k, v in os.environ.items() if not k.startswith("RAG_") and k not in KEYS}
    return {**kept, "PYTHONPATH": str(ROOT), "PYTHONUNBUFFERED": "1", **extra}


@pytest.fixture(autouse=True)
def _no_outside_settings(monkeypatch: pytest.MonkeyPatch) -> None:
    """Tests see the defaults, whatever the developer's shell or `.env` file says."""
    from rag_graphs.settings import Settings

    for name in os.environ:
        if name.startswith("RAG_") or name in KEYS:
            monkeypatch.delenv(name)
    monkeypatch.setitem(Settings.model_config, "env_file", None)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    if CHROMIUM is None:
        for item in items:
            if item.get_closest_marker("browser"):
                item.add_marker(pytest.mark.skip(reason=NO_CHROMIUM))


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item) -> Any:
    """With RAG_REQUIRE_BROWSER=1 a browser test that was skipped, for whatever reason, has failed."""
    report = yield
    if BROWSER_REQUIRED and report.skipped and item.get_closest_marker("browser"):
        report.outcome = "failed"
        report.longrepr = f"This browser test was skipped, which RAG_REQUIRE_BROWSER=1 forbids: {report.longrepr}"
    return report


def pytest_terminal_summary(terminalreporter: Any) -> None:
    skipped = [r for r in terminalreporter.stats.get("skipped", []) if "browser" in r.keywords]
    if skipped:
        line = f"{len(skipped)} BROWSER TESTS WERE SKIPPED. {NO_CHROMIUM} Debian and Ubuntu: apt-get install chromium"
        terminalreporter.write_line(line, red=True, bold=True)


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    """Chromium, driven by Playwright; one for each test file. Tests open contexts of their own: `browser.new_context()`."""
    from playwright.sync_api import sync_playwright

    if CHROMIUM is None:
        pytest.skip(NO_CHROMIUM)
    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=CHROMIUM, args=CHROMIUM_FLAGS)
        yield chromium
        chromium.close()


Serve = Callable[..., str]


@pytest.fixture(scope="module")
def serve(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Serve]:
    """`serve(RAG_ALLOW_HOSTS="127.0.0.1:8000")` starts the app as `make run` does, with a data folder of its own, and
    returns its address once it answers. The servers end with the test file."""
    started: list[tuple[subprocess.Popen[str], Thread, list[str]]] = []

    def start(**environment: str) -> str:
        folder = str(tmp_path_factory.mktemp("data"))
        process = subprocess.Popen(
            [sys.executable, "-m", "rag_graphs", "serve", "--port", "0"],
            cwd=ROOT,
            env=clean_environment(RAG_DATA_DIR=folder, **environment),
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )
        assert process.stdout is not None
        said: list[str] = []
        for line in process.stdout:
            said.append(line)
            if found := re.search(r"http://\S+:\d+", line):
                # a full pipe would stop the server
                reader = Thread(target=said.extend, args=(process.stdout,), daemon=True)
                reader.start()
                started.append((process, reader, said))
                return found[0]
        raise AssertionError(f"The server ended before it said its address:\n{''.join(said)}")

    yield start
    for process, reader, said in started:
        process.terminate()
        process.wait(timeout=20)
        reader.join(timeout=20)
        assert process.stdout is not None
        process.stdout.close()
        log = "".join(said)
        assert not re.search(r"warning|error|traceback", log, re.IGNORECASE), f"The server's log is not clean:\n{log}"
