"""What every test may count on: no key, no `.env` file, no data folder of this machine, and a way into Chromium."""

from __future__ import annotations

import os
import shutil
from collections import defaultdict
from pathlib import Path
from random import Random
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
LONGEST = (
    "tests/browser/",
    "tests/app/",
    "tests/property/",
    "tests/samples/",
    "tests/export/",
    "tests/cli/",
    "tests/library/",
)
"""Folders with the longest files, longest first."""
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


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--all", action="store_true", help="run whole matrices and what `make test` leaves out")


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    if CHROMIUM is None:
        for item in items:
            if item.get_closest_marker("browser"):
                item.add_marker(pytest.mark.skip(reason=NO_CHROMIUM))
    if not config.option.all and not any("::" in argument for argument in config.args):
        left_out = {item.nodeid for item in items if item.get_closest_marker("rest")} | outside_the_sample(items)
        config.hook.pytest_deselected(items=[item for item in items if item.nodeid in left_out])
        items[:] = [item for item in items if item.nodeid not in left_out]
    # The longest files first, or one worker ends long after the others.
    items.sort(key=lambda item: next((n for n, part in enumerate(LONGEST) if part in item.nodeid), len(LONGEST)))


def outside_the_sample(items: list[pytest.Item]) -> set[str]:
    """Return the cases of large matrices that a sample leaves out. It is the same sample every time: in an order shuffled
    with a fixed seed, a case belongs to it if it brings a value of a parameter that no case before it has brought."""
    matrices: dict[str, list[pytest.Function]] = defaultdict(list)
    for item in items:
        if isinstance(item, pytest.Function) and item.get_closest_marker("matrix"):
            matrices[item.nodeid.partition("[")[0]].append(item)
    left_out: set[str] = set()
    for name, cases in matrices.items():
        marker = cases[0].get_closest_marker("matrix")
        parameters = (marker.args if marker else ()) or cases[0].callspec.params
        brought: set[tuple[str, str]] = set()
        for case in Random(name).sample(cases, len(cases)):
            values = {(parameter, repr(case.callspec.params[parameter])) for parameter in parameters}
            if values <= brought:
                left_out.add(case.nodeid)
            brought |= values
    return left_out


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
