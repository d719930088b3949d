"""One Chromium, one web server and one app for all tests of this folder that a worker runs.

Each test opens a context of its own, which is a visitor of its own: cookies, sources, runs and settings are never shared.
A test that needs an environment of its own starts a server of its own with `serve`.
"""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Callable, Iterator
from threading import Thread
from typing import Any

import pytest

from tests.browser.content import PAGES
from tests.conftest import CHROMIUM, CHROMIUM_FLAGS, NO_CHROMIUM, ROOT, clean_environment
from tests.servers.pages import pages

Serve = Callable[..., str]


@pytest.fixture(scope="package")
def browser() -> Iterator[Any]:
    """Chromium, driven by Playwright. Tests open contexts of their own: `browser.new_context()`."""
    from playwright.sync_api import expect, sync_playwright

    if CHROMIUM is None:
        pytest.skip(NO_CHROMIUM)
    expect.set_options(timeout=30_000)  # a busy machine is no fault of a page
    # for this folder only: Playwright keeps an event loop running in this thread, which forbids `asyncio.run` to other tests
    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=CHROMIUM, args=CHROMIUM_FLAGS)
        yield chromium
        chromium.close()


@pytest.fixture(scope="package")
def web() -> Iterator[str]:
    """A web server on loopback: `host:port`."""
    with pages(PAGES) as host:
        yield host


@pytest.fixture(scope="package")
def app(serve: Serve, web: str) -> str:
    """The address of the app, which shows a run as fast as it happens."""
    return serve(RAG_ALLOW_HOSTS=web, RAG_PACE="0")


@pytest.fixture(scope="package")
def serve(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Serve]:
    """`serve(RAG_ALLOW_HOSTS="127.0.0.1:8000")` starts the app as `make run` does, with a data folder of its own, and
    returns its address once it answers. The servers end with the last test of this folder."""
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
