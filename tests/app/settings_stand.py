"""The Settings page and runs on real clients: stand-in servers, a retrieval that is a fake."""

from __future__ import annotations

import html
import re
from pathlib import Path
from typing import Any

from streamlit.testing.v1 import AppTest

from rag_graphs import Settings, Workspace, get_strategy, load_samples
from rag_graphs.engines.llm import model_components
from tests.app.fake_library import FakeLibrary
from tests.fakes import fake

ROOT = Path(__file__).resolve().parents[2]
SETTINGS, ASK = "pages/setup/settings.py", "pages/run/ask.py"


class Described(FakeLibrary):
    """Also says what it holds, for the router's prompt."""

    def describe(self, source_ids: object) -> str:
        return "Pages about railways."


class Place:
    """A process with its workspace; `visitor()` comes in with a browser of their own."""

    def __init__(self, folder: Path) -> None:
        self.space = Workspace(folder)
        self.library = Described()
        self.space.__dict__["_library"] = self.library
        reports = load_samples(self.library, ["relationships"], Settings(), lambda _: None)
        self.shelf = [report.source.id for report in reports if report.source]

    def build(self, settings: Any, library: Any, sources: list[str]) -> Any:
        return model_components(settings, self.library, sources, fake())

    def visitor(self, name: str = "visitor-of-the-tests", page: str = SETTINGS, **choices: Any) -> AppTest:
        if choices or page == ASK:  # a run on the page takes no longer than it has to
            self.space.store.save_choices(name, {"pace": 0.0, **choices})
        self.space.store.save_shelf(name, self.shelf)
        app = AppTest.from_file(str(ROOT / "streamlit_app.py"), default_timeout=60)
        app.session_state["visitor_id"] = name
        app.switch_page(page)
        return run(app)


def run(app: AppTest) -> AppTest:
    app.run()
    assert not app.exception
    return app


def press(app: AppTest, label: str) -> AppTest:
    next(b for b in app.button if b.label == label).click()
    return run(app)


def section(app: AppTest, key: str) -> AppTest:
    app.segmented_control(key="settings_section").set_value(key)
    return run(app)


def enter_key(app: AppTest, key: str, name: str = "openai_api_key") -> AppTest:
    app.text_input(key=f"typed_{name}").set_value(key)
    app.button(key=f"use_{name}").click()
    return run(app)


def ask(app: AppTest, question: str = "How wide is the gauge?", strategy: str = "naive") -> AppTest:
    app.switch_page(ASK)
    run(app)
    choose(app, strategy)
    app.text_input(key="question").set_value(question)
    return press(app, "Ask")


def choose(app: AppTest, strategy: str) -> AppTest:
    """Choose a strategy on the Ask page: its family, then, if it is another variant, that one."""
    family = get_strategy(strategy).family
    app.segmented_control(key="strategy").set_value(app.session_state["variants"][family])
    run(app)
    if app.session_state["strategy"] != strategy:
        app.segmented_control(key=f"variant_{family}").set_value(strategy)
        run(app)
    return app


def words(app: AppTest) -> str:
    """All that the page says, without its markup."""
    said = [
        *(m.value for m in app.markdown if not m.value.startswith("<style")),
        *(e.value for e in app.error),
        *(i.value for i in app.info),
    ]
    said += [c.value for c in app.caption]
    plain = re.sub(r"<[^>]+>", " ", "\n".join(map(str, said)))
    return " ".join(html.unescape(plain).replace("\\", "").split())
