"""The Traces page in every state, on components that are fakes; and step mode on the Ask page."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from rag_graphs import Components, Run, Trace, Workspace, compare, export_run
from rag_graphs.errors import TooManyRuns
from rag_graphs.samples import RecordedRun
from rag_graphs.ui.ask.stepping import fields_read
from rag_graphs.ui.shared import frame, session, shown, visit
from rag_graphs.ui.traces import remembered
from rag_graphs.ui.traces.run_head import address
from rag_graphs.views.compare import change_words
from rag_graphs.views.player import Player, schedule
from rag_graphs.views.runs_list import when
from tests.app.fake_library import FakeLibrary
from tests.app.made import HOSTILE, hostile, trace
from tests.fakes import fake

ROOT = Path(__file__).resolve().parents[2]
TRACES, ASK = "pages/inspect/traces.py", "pages/run/ask.py"
OWNER = "visitor-of-the-tests"


class Stand:
    """The app on stand-ins; `shipped` is the one recorded run."""

    def __init__(self, folder: Path) -> None:
        self.space = Workspace(folder)
        self.space.__dict__["_library"] = FakeLibrary()
        self.components: Components = fake()
        made = trace("self-rag", "How to cook a bagel?", fake(relevant=[[False]]))
        self.shipped = RecordedRun(key="gives-up", title="One that gives up", lesson="A lesson.", trace=made)

    def keep(self, made: Trace, owner: str = OWNER) -> str:
        return self.space.store.import_trace(made, owner)

    def app(self, page: str = TRACES, **query: str) -> AppTest:
        app = AppTest.from_file(str(ROOT / "streamlit_app.py"), default_timeout=60)
        app.session_state["visitor_id"] = OWNER
        app.session_state["choices"] = {"pace": 0.0}
        app.switch_page(page)
        for name, value in query.items():
            app.query_params[name] = value
        return run(app)


@pytest.fixture
def stand(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Stand:
    made = Stand(tmp_path)
    monkeypatch.setattr(session, "workspace", lambda: made.space)
    monkeypatch.setattr(frame, "warm_up", lambda: None)
    for home in ("rag_graphs.engines.build", "rag_graphs.workspace.forking"):
        monkeypatch.setattr(f"{home}.build_components", lambda *_: made.components)
    for home in (shown, remembered):
        monkeypatch.setattr(home, "recorded_runs", lambda: [made.shipped])
    return made


def run(app: AppTest) -> AppTest:
    app.run()
    assert not app.exception
    return app


def press(app: AppTest, label: str) -> AppTest:
    next(b for b in app.button if b.label == label).click()
    return run(app)


def page(app: AppTest) -> str:
    return "\n".join(str(m.value) for m in app.markdown)


def words(app: AppTest) -> str:
    return re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", page(app)).replace("&#58;", ":"))


def opened(app: AppTest) -> str:
    """The run of the address."""
    given = app.query_params["run"]
    return given if isinstance(given, str) else given[0]


def labels(app: AppTest) -> list[str]:
    return [b.label for b in app.button]


def test_without_runs_the_page_says_how_to_get_one(stand: Stand) -> None:
    app = stand.app()
    assert "You have no runs yet" in words(app)
    assert "A lesson." in words(app)
    assert "**One that gives up**" in labels(app)


def test_runs_are_listed_with_how_they_ended(stand: Stand) -> None:
    stand.keep(trace("naive", "Why?"))
    stand.keep(Trace(list(trace("crag", "When?").events[:5])))
    stand.keep(trace("naive", "Whose?"), owner="somebody-else")
    app = stand.app()
    assert {"Why?", "When?"} <= set(labels(app))
    assert "Whose?" not in labels(app)
    assert "Answered" in words(app)
    assert "Interrupted" in words(app)


def test_search_and_filters_narrow_the_list(stand: Stand) -> None:
    stand.keep(trace("naive", "Why is the sky blue?"))
    starred = stand.keep(trace("crag", "When is tea ready?"))
    stand.space.store.star(OWNER, starred, True)
    app = stand.app()
    app.text_input(key="runs_text").set_value("SKY")
    run(app)
    assert "Why is the sky blue?" in labels(app)
    assert "When is tea ready?" not in labels(app)
    app.text_input(key="runs_text").set_value("")
    app.toggle(key="runs_starred").set_value(True)
    run(app)
    assert "Why is the sky blue?" not in labels(app)
    app.selectbox(key="runs_strategy").set_value("naive")
    assert "No run fits" in words(run(app))


def test_long_histories_come_in_pages(stand: Stand) -> None:
    made = trace("naive", "Why?")
    for _ in range(23):
        stand.keep(made)
    app = stand.app()
    assert "1 to 20 of 23" in words(app)
    assert "21 to 23 of 23" in words(press(app, "Older"))
    assert labels(app).count("Why?") == 3


def test_a_run_is_starred_and_deleted_after_a_question(stand: Stand) -> None:
    kept = stand.keep(trace("naive", "Why?"))
    app = press(stand.app(), "Star: Why?")
    assert stand.space.store.history(OWNER)[0].starred
    press(app, "Delete: Why?")
    assert "It cannot be brought back" in words(app)
    press(app, "Keep it")
    assert stand.space.store.trace(kept) is not None
    press(app, "Delete: Why?")
    press(app, "Delete")
    assert stand.space.store.trace(kept) is None
    assert "You have no runs yet" in words(app)


def test_an_opened_run_is_stepped_and_played(stand: Stand) -> None:
    app = press(stand.app(), "**One that gives up**")
    assert opened(app) == stand.shipped.trace.head.run_id
    assert "No relevant documents" in words(app)
    press(app, "One step back")
    assert "Step 12 of 12: the run gives up" in words(app)
    app.select_slider[0].set_value(1)
    run(app)
    assert "Step 2 of 12: the documents are graded" in words(app)
    assert "node active" in page(app)
    app.selectbox(key="speed").set_value("4")
    run(app)
    press(app, "Play")
    assert "No relevant documents" in words(app)
    assert "All runs" in labels(app)
    press(app, "All runs")
    assert "You have no runs yet" in words(app)


def test_a_flipped_grade_starts_a_what_if_that_stands_beside_its_parent(stand: Stand) -> None:
    app = stand.app(run=stand.shipped.trace.head.run_id)
    press(app, "2 Grade documents")
    press(app, "1 “Page 1” is relevant")
    assert "They part after step 2, Grade documents:" in words(app)
    assert "“Page 1” is relevant" in words(app)
    assert '<li class="sh">Grade documents</li>' in page(app)
    assert "edge shared" in page(app)
    child = opened(app)
    kept = stand.space.trace(child)
    assert kept.head.parent == stand.shipped.trace.head.run_id
    assert kept.path == ["retrieve", "grade_documents", "generate", "grade_answer"]
    app.segmented_control[0].set_value("alone")
    run(app)
    assert "Useful" in words(app)
    press(app, "2 Grade documents")
    press(app, "2 “Page 2” is relevant")
    assert stand.space.trace(opened(app)).head.parent == child
    press(app, "Open its parent")
    assert opened(app) == child


def test_what_ifs_leave_what_the_servers_offer(stand: Stand) -> None:
    app = stand.app(run=stand.keep(trace("self-rag")))
    known = {name: visit.OfferedModels(names=("small",)) for name in ("openai", "ollama")}
    app.session_state["offers"] = dict(known)
    for _step in range(2):
        app.button(key="step_back").click()
        run(app)
    assert app.session_state["offers"] == known


def test_another_query_is_searched(stand: Stand) -> None:
    app = stand.app(run=stand.shipped.trace.head.run_id)
    press(app, "3 Rewrite query")
    app.text_input[0].set_value("bagel recipe")
    press(app, "Go on with this")
    assert "the query is “bagel recipe”" in words(app)
    assert "bagel recipe" in stand.space.trace(opened(app)).queries


def test_the_parent_of_a_what_if_may_be_gone(stand: Stand) -> None:
    parent = trace("self-rag", "Why?")
    head = parent.head.model_copy(update={"parent": "gone-for-good"})
    app = stand.app(run=stand.keep(Trace([head, *parent.events[1:]])))
    assert not app.segmented_control
    assert "Useful" in words(app)
    assert "There is no run with this address" in press(app, "Open its parent").error[0].value


def test_an_interrupted_run_opens_with_what_it_had(stand: Stand) -> None:
    app = stand.app(run=stand.keep(Trace(list(trace("self-rag", "Why?").events[:6]))))
    assert "The server ended before the run did" in words(app)


def test_hostile_texts_stay_texts(stand: Stand) -> None:
    app = stand.app(run=stand.keep(trace("self-rag", HOSTILE, hostile())))
    app = press(app, "2 Grade documents")
    for found in (page(app), *labels(app)):
        assert "<img" not in found
        assert "<script" not in found
    assert not any("![" in label for label in labels(app))


@pytest.mark.parametrize("value", ["<img src=x onerror=alert(1)>", None, {"a": [1]}, [], -1, 1e308, True])
def test_settings_of_a_file_may_be_anything(stand: Stand, value: Any) -> None:
    made = stand.shipped.trace
    odd = dict.fromkeys(made.head.settings, value)
    app = stand.app(run=stand.keep(Trace([made.head.model_copy(update={"settings": odd}), *made.events[1:]])))
    assert "No relevant documents" in words(app)
    press(app, "2 Grade documents")
    assert "<img" not in page(app)


@pytest.mark.parametrize(
    ("body", "reason"),
    [
        (b"not json", "not JSON"),
        (b'{"a": 1}', "no events"),
        (json.dumps({"version": 99, "events": []}).encode(), "version 99"),
    ],
)
def test_a_file_that_is_no_run_is_refused_with_a_reason(stand: Stand, body: bytes, reason: str) -> None:
    app = upload(stand.app(), body)
    assert reason in app.error[0].value
    assert app.error[0].value.startswith("run\\.json")
    assert not stand.space.store.count(OWNER)


def upload(app: AppTest, body: bytes) -> AppTest:
    app.file_uploader[0].set_value(("run.json", body, "application/json"))
    return run(app)


def test_an_exported_run_comes_back_as_a_run_of_ones_own(stand: Stand) -> None:
    app = stand.app(run=stand.shipped.trace.head.run_id)
    assert {b.label for b in app.download_button} == {
        "A report to read and print (HTML)",
        "The run, to import elsewhere (JSON)",
        "The diagram (SVG)",
        "The diagram as a picture (PNG)",
    }
    app = upload(stand.app(), export_run(stand.shipped.trace, "json"))
    assert "No relevant documents" in words(app)
    assert [row.question for row in stand.space.store.history(OWNER)] == ["How to cook a bagel?"]


def test_a_run_of_a_strategy_that_is_not_here_is_refused(stand: Stand) -> None:
    made = trace("naive", "Why?")
    foreign = Trace([made.head.model_copy(update={"strategy": "elsewhere"}), *made.events[1:]])
    assert "elsewhere" in upload(stand.app(), json.dumps(foreign.to_json()).encode()).error[0].value
    app = stand.app(run=stand.keep(foreign))
    assert "does not have the strategy" in app.warning[0].value


def test_a_schedule_never_goes_back(stand: Stand) -> None:
    made = stand.shipped.trace
    speeds: tuple[Any, ...] = ("nodes", "1", "2", "4")
    for speed in speeds:
        dues = schedule(made, speed, 0.9)
        assert len(dues) == len(made)
        assert dues == sorted(dues)
    assert schedule(made, "nodes", 0.5)[-1] >= 0.5 * len(made.path)
    player = Player(made, schedule(made, "nodes", 1.0), 1, 0.0)
    assert player.count(0.0) < player.count(2.5) < player.count(1000.0) == len(made)


def test_small_words() -> None:
    from datetime import UTC, datetime

    moment = datetime(2026, 11, 30, 13, 5, tzinfo=UTC)
    assert when(moment, "Asia/Seoul") == "2026-11-30 22:05"
    assert when(moment, "") == when(moment, "Not/There") == "2026-11-30 13:05 UTC"
    assert address("https://host/traces?run=old#doc1", "a b") == "https://host/traces?run=a%20b"
    assert fields_read(trace("self-rag"), "grade_documents") == ("question", "retrieved")
    assert fields_read(trace("self-rag"), "nowhere") == ()


def test_two_runs_that_are_the_same_differ_in_nothing() -> None:
    made = trace("self-rag", "Why?")
    assert change_words(made, made, compare(made, made)) == []


def waiting_page() -> None:
    """The part of the Ask page that a run in step mode has."""
    import streamlit

    from rag_graphs.ui.ask import stepping
    from rag_graphs.ui.shared import shown

    found = shown.find(streamlit.session_state["leads"])
    stepping.step_bar(found)


def wait_before(live: Run, node: str) -> None:
    seen = 0
    while Trace(live.events() or [trace("naive").head]).waiting_for != node:
        assert live.wait(seen, 20)
        seen = len(live.events())


def lead(stand: Stand) -> tuple[AppTest, Run]:
    live = stand.space.ask("self-rag", "Why?", session.load_settings(), [], owner=OWNER, stepping=True)
    wait_before(live, "retrieve")
    app = AppTest.from_function(waiting_page, default_timeout=60)
    app.session_state["visitor_id"], app.session_state["leads"] = OWNER, live.id
    return run(app), live


def test_next_lets_a_node_run_with_what_was_changed(stand: Stand) -> None:
    app, live = lead(stand)
    assert "Next: Retrieve" in words(app)
    assert "What it will receive query Why?" in words(app)
    app.text_input[0].set_value("Why not?")
    press(app, "Next")
    wait_before(live, "grade_documents")
    assert Trace(live.events()).queries == ["Why?", "Why not?"]
    press(run(app), "Next")
    wait_before(live, "generate")
    run(app)
    next(c for c in app.checkbox if c.label == "1 “Page 1” is not relevant").set_value(True)
    press(app, "Next")
    while len(Trace(live.events()).path) < 3:
        live.wait(len(live.events()), 5)
    assert Trace(live.events()).path[-1] == "rewrite_query"
    live.stop()


def test_run_on_leaves_step_mode(stand: Stand) -> None:
    app, live = lead(stand)
    press(app, "Run on")
    while not live.ended:
        live.wait(len(live.events()), 5)
    assert Trace(live.events()).stop_reason == "useful"


def test_run_on_says_when_no_thread_is_free(stand: Stand, monkeypatch: pytest.MonkeyPatch) -> None:
    app, live = lead(stand)
    with monkeypatch.context() as patched:

        def refuse() -> None:
            raise TooManyRuns("Try again in a few seconds.")

        patched.setattr(live, "run_on", refuse)
        press(app, "Run on")
    assert [w.value for w in app.warning] == [r"Try again in a few seconds\."]
    live.stop()


def test_the_toggle_makes_the_next_run_wait(stand: Stand, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[bool] = []
    monkeypatch.setattr(stand.space, "ask", lambda *_, stepping, **__: asked.append(stepping) or 1 / 0)
    app = stand.app(ASK)
    app.session_state["stepping"] = True
    app.session_state["wish"] = "Why?"
    app.run()
    assert asked == [True]
