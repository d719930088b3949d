"""The Ask page in every state: on a library without network or models, and components that are fakes."""

from __future__ import annotations

import re
from pathlib import Path
from threading import Event

import pytest
from streamlit.testing.v1 import AppTest

from rag_graphs import Components, TooManyRuns, Workspace, get_strategy, load_samples
from rag_graphs.graphs.strategy import Example
from rag_graphs.samples import RecordedRun, collections
from rag_graphs.ui.ask import first_start, suggestions
from rag_graphs.ui.shared import frame, session, shown
from tests.app.fake_library import FakeLibrary
from tests.app.made import HOSTILE, failing, hostile, trace
from tests.fakes import DOCS, fake

ROOT = Path(__file__).resolve().parents[2]
SAMPLES = sum(len(c.pages) for c in collections().values())
BIDS, WALL = "https://example.org/bids", "https://example.com/wall"


class Stand:
    """The app on stand-ins: `components` is what the next run uses."""

    def __init__(self, folder: Path) -> None:
        self.space = Workspace(folder)
        self.library = FakeLibrary(
            pages={BIDS: "Small bids for attention\nAnswer them."},
            broken={WALL: ("bot wall", "The site answered with a check for robots.")},
        )
        self.space.__dict__["_library"] = self.library
        self.components: Components = fake()

    def app(self, **query: str) -> AppTest:
        app = AppTest.from_file(str(ROOT / "streamlit_app.py"), default_timeout=30)
        app.session_state["visitor_id"] = "visitor-of-the-tests"
        self.space.store.save_choices("visitor-of-the-tests", {"pace": 0.0})
        for name, value in query.items():
            app.query_params[name] = value
        return run(app)

    def with_samples(self, **query: str) -> AppTest:
        """A visitor who has the sample library already."""
        reports = load_samples(self.library, list(collections()), session.load_settings(), lambda _: None)
        self.space.store.save_shelf("visitor-of-the-tests", [r.source.id for r in reports if r.source])
        return self.app(**query)


@pytest.fixture
def stand(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Stand:
    made = Stand(tmp_path)
    monkeypatch.setattr(session, "workspace", lambda: made.space)
    monkeypatch.setattr(frame, "warm_up", lambda: None)
    monkeypatch.setattr("rag_graphs.engines.build.build_components", lambda *_: made.components)
    recorded = [
        RecordedRun(key=key, title=title, lesson="A lesson.", trace=trace("self-rag", "How to improve?"))
        for key, title in (("clean-hit", "A clean hit"), ("gives-up", "One that gives up"))
    ]
    monkeypatch.setattr(first_start, "recorded_runs", lambda: recorded)
    monkeypatch.setattr(shown, "recorded_runs", lambda: recorded)
    return made


def run(app: AppTest) -> AppTest:
    app.run()
    assert not app.exception
    return app


def press(app: AppTest, label: str) -> AppTest:
    next(b for b in app.button if b.label == label).click()
    return run(app)


def ask(app: AppTest, question: str, strategy: str = "self-rag") -> AppTest:
    app.segmented_control(key="strategy").set_value(strategy)
    app.text_input(key="question").set_value(question)
    return press(app, "Ask")


def page(app: AppTest) -> str:
    return "\n".join(str(m.value) for m in app.markdown)


def words(app: AppTest) -> str:
    return re.sub(r"<[^>]+>", " ", page(app)).replace("&#58;", ":")


def labels(app: AppTest) -> list[str]:
    return [b.label for b in app.button]


def test_a_newcomer_sees_what_this_is_and_three_ways_to_begin(stand: Stand) -> None:
    app = stand.app()
    assert "Watch retrieval correct itself" in words(app)
    assert "node done" in page(app)
    assert {"Play this run", f"Load {SAMPLES} pages", "Load these pages"} <= set(labels(app))
    assert not app.text_input


def test_a_recorded_run_plays_without_anything_set_up(stand: Stand) -> None:
    app = press(stand.app(), "Play this run")
    assert "Useful" in words(app)
    assert "An answer." in words(app)
    assert "Your library is still empty" in words(app)
    assert "Replay" in labels(app)
    press(app, "Replay")
    assert "Useful" in words(app)


def test_the_sample_library_loads_with_one_click(stand: Stand) -> None:
    app = press(stand.app(), f"Load {SAMPLES} pages")
    assert len(app.session_state["source_ids"]) == SAMPLES
    assert "Ask a question" in words(app)
    assert app.text_input(key="question").value == ""
    assert stand.space.store.shelf("visitor-of-the-tests") == app.session_state["source_ids"]


def test_what_another_tab_has_loaded_stays(stand: Stand) -> None:
    first, second = stand.app(), stand.app()
    second.text_area(key="own_addresses").set_value(BIDS)
    press(second, "Load these pages")
    press(first, f"Load {SAMPLES} pages")
    assert len(stand.space.store.shelf("visitor-of-the-tests")) == SAMPLES + 1
    assert len(first.session_state["source_ids"]) == SAMPLES + 1


def test_pages_of_ones_own_load_each_with_its_result(stand: Stand) -> None:
    app = stand.app()
    app.text_area(key="own_addresses").set_value(f"{BIDS}\n{WALL}")
    press(app, "Load these pages")
    assert len(app.session_state["source_ids"]) == 1
    assert app.expander[0].label == "1 source loaded, 1 could not be loaded"
    assert "What is Small bids for attention?" in labels(app)


def test_no_address_is_complained_about_in_words(stand: Stand) -> None:
    assert "There is no address yet" in press(stand.app(), "Load these pages").warning[0].value


@pytest.mark.parametrize("key", ["naive", "self-rag", "crag", "adaptive"])
def test_each_strategy_answers_and_shows_its_run(stand: Stand, key: str) -> None:
    stand.components = fake(relevant=[[True] * 4])
    app = ask(stand.with_samples(), "What is a bid?", key)
    assert "An answer." in words(app)
    assert 'class="cite" href="#doc1"' in page(app)
    assert "node done" in page(app)
    assert get_strategy(key).short_title in words(app)
    assert app.query_params["run"] == app.session_state["shown_run"]


def test_a_run_that_breaks_says_so_where_it_broke_and_keeps_the_rest(stand: Stand) -> None:
    stand.components = failing()
    app = ask(stand.with_samples(), "What is a bid?")
    assert words(app).count("The model server refused the connection.") >= 2
    assert "node halted" in page(app)
    assert "1 of 4 kept" in words(app)
    assert "Ask" in labels(app)


def test_a_run_that_gives_up_shows_every_query(stand: Stand) -> None:
    stand.components = fake(relevant=[[False]])
    app = ask(stand.with_samples(), "How to cook a bagel?")
    assert "No relevant documents" in words(app)
    assert "Rewrite 3" in words(app)
    assert "3 of 3 rewrites" in words(app)


def test_the_scrubber_drives_the_diagram_and_the_panels(stand: Stand) -> None:
    app = ask(stand.with_samples(), "What is a bid?")
    slider = app.select_slider[0]
    slider.set_value(1)
    run(app)
    assert "Step 2 of 4: the documents are graded" in words(app)
    assert 'class="node active' in page(app)
    assert "Not written yet." in words(app)
    press(app, "One step on")
    assert "Step 3 of 4: the answer is written" in words(app)
    press(app, "One step back")
    press(app, "One step back")
    assert next(b for b in app.button if b.label == "One step back").disabled
    app.select_slider[0].set_value(4)
    run(app)
    assert "Useful" in words(app)


def test_the_address_of_a_run_opens_it_again_for_someone_else(stand: Stand) -> None:
    asked = ask(stand.with_samples(), "What is a bid?")
    stranger = AppTest.from_file(str(ROOT / "streamlit_app.py"), default_timeout=30)
    stranger.session_state["visitor_id"] = "someone-else-entirely"
    stranger.query_params["run"] = asked.session_state["shown_run"]
    run(stranger)
    assert "An answer." in words(stranger)
    assert stranger.text_input(key="question").value == "What is a bid?"


def test_a_finished_run_opens_from_the_store(stand: Stand) -> None:
    asked = ask(stand.with_samples(), "What is a bid?")
    stand.space.runs._runs.clear()
    assert "An answer." in words(stand.app(run=asked.session_state["shown_run"]))


def test_whoever_opens_a_run_begins_with_its_strategy(stand: Stand) -> None:
    asked = ask(stand.with_samples(), "What is a bid?", "crag")
    opened = stand.app(run=asked.session_state["shown_run"])
    assert opened.session_state["strategy"] == "crag"
    assert "is chosen for the next one" not in words(opened)


def test_an_address_that_leads_nowhere_says_so_and_offers_a_way_on(stand: Stand) -> None:
    app = stand.app(run="no-such-run")
    assert "There is no run with this address" in app.error[0].value
    press(app, "Go to the start")
    assert not app.error
    assert "Watch retrieval correct itself" in words(app)


def test_the_toggle_chooses_the_next_run_and_the_shown_one_keeps_its_strategy(stand: Stand) -> None:
    app = ask(stand.with_samples(), "What is a bid?")
    app.segmented_control(key="strategy").set_value("crag")
    run(app)
    assert "Below is a run of Self-RAG. Corrective RAG is chosen for the next one." in words(app)
    assert "Grade answer" in page(app)
    press(app, "Ask Corrective RAG the same")
    assert "Corrective RAG does not check its answer." in words(app)


def test_choices_are_shown_on_the_button_and_survive_a_reload(stand: Stand) -> None:
    app = stand.with_samples()
    app.toggle(key="setting_careless").set_value(True)
    run(app)
    app.slider(key="setting_k").set_value(7)
    run(app)
    assert app.session_state["choices"]["k"] == 7
    again = AppTest.from_file(str(ROOT / "streamlit_app.py"), default_timeout=30)
    again.session_state["visitor_id"] = "visitor-of-the-tests"
    run(again)
    assert again.toggle(key="setting_careless").value
    assert again.slider(key="setting_k").value == 7


def test_what_another_tab_has_chosen_stays(stand: Stand) -> None:
    first, second = stand.with_samples(), stand.with_samples()
    first.slider(key="setting_k").set_value(7)
    run(first)
    second.toggle(key="setting_careless").set_value(True)
    run(second)
    assert stand.space.store.choices("visitor-of-the-tests") == {"pace": 0.0, "k": 7, "careless": True}
    assert second.slider(key="setting_k").value == 7


def test_the_settings_of_a_suggestion_hold_for_its_run_alone_and_are_shown(
    stand: Stand, monkeypatch: pytest.MonkeyPatch
) -> None:
    example = Example(
        question="A careless one?",
        collections=(),
        shows="It works.",
        path=(),
        stop_reason="useful",
        settings=(("careless", True), ("k", 1)),
    )
    monkeypatch.setattr(suggestions, "samples_for", lambda *_: [example])
    app = stand.with_samples()
    told = next(b for b in app.button if b.label == "A careless one?").help
    assert told.replace("\\", "") == "It works. For this run only: Careless first attempt: on, Documents per search: 1."
    press(app, "A careless one?")
    assert app.text_input(key="question").value == "A careless one?"
    assert asked_with(stand, app) == (True, 1)
    assert "For this run only: Careless first attempt: on, Documents per search: 1." in words(app)
    assert "careless first attempt" in words(app)
    assert stand.space.store.choices("visitor-of-the-tests") == {"pace": 0.0}
    press(app, "Ask")
    assert asked_with(stand, app) == (False, 4)
    assert "For this run only" not in words(app)
    assert "careless first attempt" not in words(app)


def asked_with(stand: Stand, app: AppTest) -> tuple[object, object]:
    """Whether the shown run was careless, and how many documents each search of it gave."""
    settings = stand.space.runs.trace(app.session_state["shown_run"]).head.settings
    return settings["careless"], settings["k"]


def test_nothing_hostile_gets_out_of_its_place(stand: Stand) -> None:
    stand.components = hostile()
    app = ask(stand.with_samples(), HOSTILE)
    assert not re.search(r"<(img|script)|javascript:alert\(1\)\"", page(app))
    for markup in (m.value for m in app.markdown if "evil.example" in m.value):
        assert markup.startswith("<"), "only inside markup of our own, where Markdown is not read"
        assert "\n" not in markup


def test_too_many_runs_is_said_in_words(stand: Stand, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: object, **__: object) -> None:
        raise TooManyRuns("Your earlier runs are still going.")

    monkeypatch.setattr(stand.space, "ask", full)
    app = ask(stand.with_samples(), "What is a bid?")
    assert "Your earlier runs are still going" in app.error[0].value
    press(app, "Go on")
    assert "Ask a question" in words(app)


def test_an_example_of_the_strategies_page_loads_what_it_needs_then_asks(stand: Stand) -> None:
    app = AppTest.from_file(str(ROOT / "streamlit_app.py"), default_timeout=30)
    app.session_state["visitor_id"] = "visitor-of-the-tests"
    stand.space.store.save_choices("visitor-of-the-tests", {"pace": 0.0})
    app.session_state["ask_preset"] = {
        "strategy": "crag",
        "question": "What's the bagel method?",
        "collections": ["relationships"],
        "settings": {"k": 1},
    }
    run(app)
    assert asked_with(stand, app) == (False, 1)
    assert len(app.session_state["source_ids"]) == len(collections()["relationships"].pages)
    assert app.segmented_control(key="strategy").value == "crag"
    assert "Corrective RAG does not check its answer." in words(app)


def test_a_new_question_leads_back_to_the_suggestions(stand: Stand) -> None:
    app = press(ask(stand.with_samples(), "What is a bid?"), "New question")
    assert "Ask a question" in words(app)
    assert "run" not in app.query_params


def test_only_its_owner_may_stop_a_run(stand: Stand, monkeypatch: pytest.MonkeyPatch) -> None:
    going = Event()
    stand.components = fake(retrieve=lambda query: DOCS[: going.wait(20)])
    live = stand.space.ask("naive", "What is it?", session.load_settings(), [], owner="visitor-of-the-tests")
    try:
        monkeypatch.setattr(session, "is_known", lambda: True)
        for visitor, may in (("visitor-of-the-tests", True), ("someone-else-entirely", False)):
            monkeypatch.setattr(session, "visitor_id", lambda visitor=visitor: visitor)
            seen = shown.Shown(run_id=live.id, strategy="naive", question="", trace=None, live=live)
            assert (seen.led is live) is may
    finally:
        going.set()


def test_subjects_of_titles() -> None:
    assert suggestions.subject("Small bids | A newsletter") == "Small bids"
    assert suggestions.subject("9. Classes — Python 3.11 documentation") == "9. Classes"
    assert suggestions.subject("x" * 90) == ""
