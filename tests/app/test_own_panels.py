"""The panels that some strategies have to themselves: on the page, with a model server that counts what it is asked."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from rag_graphs import Strip, Trace, all_strategies, cut_at, get_strategy, load_settings, outline_of
from rag_graphs.engines.llm import providers
from rag_graphs.engines.llm.abilities import MEMORY
from rag_graphs.ui.ask.local_note import public_hosts
from rag_graphs.ui.shared import frame, session
from tests.app.made import trace
from tests.app.settings_stand import ASK, Place, ask, choose, press, run, words
from tests.fakes import fake
from tests.servers.openai import OpenAIServer
from tests.servers.script import Script, draft_says

CHANCES: dict[str, Any] = {
    "relevant": {"relevant": 0.9, "ir": 0.1},
    "supported": {"fully": 0.6, "part": 0.4},
    "useful": {"5": 1},
}
DRAFTS = {
    "Text 1": draft_says("Well supported [1].", "relevant", "fully", 2),
    "Text 2": draft_says("Most useful [1].", "relevant", "no", 5),
    "Text 3": draft_says("In between [1].", "relevant", "partially", 3),
    "Text 4": draft_says("Beside the point [1].", "irrelevant", "no", 1),
}
SCORES = {"Text 1": 0.92, "Text 2": 0.55, "Text 3": 0.2, "Text 4": 0.05}


def by_text(replies: dict[str, Any]) -> Any:
    """A reply by the document in the prompt."""
    return lambda prompt: next(reply for text, reply in replies.items() if text in prompt)


def scores() -> Any:
    return by_text({text: json.dumps({"score": score, "reason": "scripted"}) for text, score in SCORES.items()})


@pytest.fixture
def server() -> Iterator[OpenAIServer]:
    replies = {"draft": by_text(DRAFTS), "evaluate_retrieval": scores()}
    with OpenAIServer(script=Script(replies)) as started:
        yield started


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Place:
    made = Place(tmp_path)
    monkeypatch.setattr(session, "workspace", lambda: made.space)
    monkeypatch.setattr(session, "is_local", lambda: True)
    monkeypatch.setattr(frame, "warm_up", lambda: None)
    monkeypatch.setattr("rag_graphs.engines.build.build_components", made.build)
    monkeypatch.setattr(providers, "MAX_RETRIES", 0)
    MEMORY.forget()
    return made


def asked(place: Place, server: OpenAIServer, strategy: str, **settings: Any) -> AppTest:
    """The page after a run of this strategy on the server."""
    app = place.visitor(page=ASK, model="openai:small", openai_base_url=server.base_url, **settings)
    return ask(app, "How wide is the gauge?", strategy)


def slide(app: AppTest, server: OpenAIServer, start: str, value: float) -> AppTest:
    """Move a slider, and see that no model was asked for it."""
    before = len(server.requests)
    assert before
    slider(app, start).set_value(value)
    run(app)
    assert len(server.requests) == before
    return app


def slider(app: AppTest, start: str) -> Any:
    return next(s for s in app.slider if s.key and s.key.startswith(start))


def page(app: AppTest) -> str:
    return "\n".join(str(m.value) for m in app.markdown).replace("&#58;", ":")


def order(app: AppTest) -> list[str]:
    """The titles of the drafts as they stand on the page."""
    cards = page(app).split('<article class="draft')[1:]
    return [re.findall(r'class="ti"[^>]*>([^<]*)<', card)[0] for card in cards]


def test_the_weights_rank_the_recorded_drafts_again_without_a_model_call(place: Place, server: OpenAIServer) -> None:
    app = asked(place, server, "self-rag-critique")
    assert "The scores come from plain verdicts" in words(app)
    assert "ISREL Is the document relevant to the question? Relevant counts 1, irrelevant 0." in words(app)
    assert "relevance 1.00 + support 1.00 + use −0.25 = 1.75" in words(app)
    assert order(app) == ["Page 1", "Page 2", "Page 3", "Page 4"]
    assert "Cannot win: its document is not relevant." in words(app)
    assert app.button(key="trial_back").disabled

    slide(app, server, "try_use", 2.0)
    assert order(app) == ["Page 2", "Page 3", "Page 1", "Page 4"]
    assert "With these weights “Page 2” would have won instead of “Page 1”." in words(app)
    assert "▲ from 2" in words(app)
    assert "▼ from 1" in words(app)
    assert "Well supported" in page(app).split('<div class="answer">')[1].split("</div>")[0], "the run's answer stays"
    slide(app, server, "try_support", 5.0)
    assert order(app) == ["Page 1", "Page 3", "Page 2", "Page 4"]
    slide(app, server, "try_relevance", 0.0)
    assert "relevance 0.00" in words(app)

    before = len(server.requests)
    app.button(key="trial_back").click()
    run(app)
    assert len(server.requests) == before
    assert order(app) == ["Page 1", "Page 2", "Page 3", "Page 4"]
    assert [s.value for s in app.slider if s.key and s.key.startswith("try_")] == [1.0, 1.0, 0.5]


def test_with_probabilities_the_panel_says_so_and_the_text_has_a_weight(place: Place, server: OpenAIServer) -> None:
    server.script = Script({"draft": replace(draft_says(), chances=CHANCES, p_token=0.8)})
    app = asked(place, server, "self-rag-critique")
    assert "The scores come from the model’s probabilities (Self-RAG, equations 3 and 4)." in words(app)
    assert "relevance 0.90" in words(app)
    slide(app, server, "try_likelihood", 1.0)
    assert "text 0.80" in words(app)


def test_the_thresholds_tell_the_action_that_would_have_been_taken(place: Place, server: OpenAIServer) -> None:
    app = asked(place, server, "crag-refined", evaluator_upper=0.7, evaluator_lower=0.3)
    assert "set by hand for the evaluator" in words(app)
    assert "document 1: 0.92" in page(app)
    assert "A document scores above 0.7. The library’s documents are refined." in words(app)
    slide(app, server, "try_upper", 0.95)
    assert "With these thresholds, instead of correct: ambiguous" in words(app)
    assert "No document scores above 0.95, but not all score below 0.3." in words(app)
    assert "ambiguous 0.92" in words(app)
    assert 'class="tick "' in page(app)
    slide(app, server, "try_lower", 0.94)
    assert "With these thresholds, instead of correct: incorrect" in words(app)
    assert "Every document scores below 0.94." in words(app)
    assert 'class="tick under"' in page(app)
    assert "4 of 4 strips are kept" in words(app)
    slide(app, server, "try_strip", 0.95)
    assert "With this threshold 0 of 4 strips would be kept; the run kept 4." in words(app)
    assert '<mark class="keep">' not in page(app)
    app.button(key="trial_back").click()
    run(app)
    assert page(app).count('<mark class="keep">') == 4


def test_sliders_are_there_at_an_earlier_step_as_far_as_there_is_something_to_move(
    place: Place, server: OpenAIServer
) -> None:
    app = asked(place, server, "crag-refined")
    step = next(s for s in app.select_slider if s.key and s.key.startswith("step_"))
    step.set_value(0)
    run(app)
    assert not [s for s in app.slider if s.key and s.key.startswith("try_")]
    next(s for s in app.select_slider if s.key and s.key.startswith("step_")).set_value(1)
    run(app)
    names = [s.key.split("_")[1] for s in app.slider if s.key and s.key.startswith("try_")]
    assert names == ["upper", "lower"]
    slide(app, server, "try_upper", 0.99)
    assert "With these thresholds" in words(app)


def test_the_sliders_work_on_the_traces_page_and_hold_what_was_moved(place: Place, server: OpenAIServer) -> None:
    app = slide(asked(place, server, "self-rag-critique"), server, "try_use", 2.0)
    run_id = app.session_state["shown_run"]
    app.switch_page("pages/inspect/traces.py")
    app.query_params["run"] = run_id
    run(app)
    assert order(app)[0] == "Page 2"
    slide(app, server, "try_use", 0.5)
    assert order(app)[0] == "Page 1"


def test_the_chain_is_a_ladder_of_searches_and_sentences(place: Place, server: OpenAIServer) -> None:
    server.script = Script(
        {
            "classify_complexity": json.dumps({"complexity": "C", "reason": "Two steps are needed."}),
            "reason_step": ["The gauge belongs to the narrow line.", "So the answer is: 12."],
        }
    )
    app = asked(place, server, "adaptive-complexity")
    said = words(app)
    assert "C, one search after the other Two steps are needed." in said
    assert "Search 1 How wide is the gauge?" in said
    assert "Search 2 The gauge belongs to the narrow line." in said
    assert page(app).count('class="vd new"') == 4
    assert page(app).count("held already") == 4
    assert "reaches the answer" in said


def test_steps_taken_have_the_names_of_the_published_version(place: Place, server: OpenAIServer) -> None:
    app = asked(place, server, "crag-local")
    assert "Steps taken: retrieve_documents , grade_document_retrieval , generate_answer" in words(app)


def test_a_strategy_for_ones_own_machine_says_when_a_run_would_leave_it() -> None:
    def hosts(**values: Any) -> list[str]:
        return public_hosts(load_settings(**values))

    assert hosts(model="openai:x") == ["api.openai.com"]
    assert hosts(embeddings="openai:x", openai_base_url="https://models.example.org/v1") == ["models.example.org"]
    assert hosts(model="ollama:x") == []
    assert hosts(model="ollama:x", ollama_host="http://ollama.example.org:11434") == ["ollama.example.org"]
    for near in ("http://127.0.0.1:8000/v1", "http://192.168.1.7/v1", "http://gpu:8000", "http://gpu.local"):
        assert hosts(model="openai:x", model_generate="openai:y", openai_base_url=near) == []
    assert hosts() == []


def test_the_note_stands_on_the_page_where_it_is_due(place: Place, server: OpenAIServer) -> None:
    app = place.visitor(page=ASK, model="openai:small", openai_base_url="https://models.example.org/v1")
    assert "made for models on your own machine" not in words(app)
    assert "questions and documents go to models.example.org" in words(choose(app, "crag-local"))


def test_a_family_remembers_its_variant(place: Place) -> None:
    app = choose(place.visitor(page=ASK), "crag-refined")
    assert app.session_state["strategy"] == "crag-refined"
    assert "watch Corrective RAG with refinement run" in words(app)
    assert "variant_Naive RAG" not in [c.key for c in choose(app, "naive").segmented_control]
    app.segmented_control(key="strategy").set_value("crag-refined")
    run(app)
    assert app.segmented_control(key="variant_Corrective RAG").value == "crag-refined"


@pytest.mark.parametrize("key", all_strategies())
def test_every_strategy_runs_and_is_drawn_on_the_page(place: Place, server: OpenAIServer, key: str) -> None:
    app = ask(place.visitor(page=ASK), "How wide is the gauge?", key)
    nodes = outline_of(get_strategy(key), load_settings()).nodes
    stage = next(str(m.value) for m in app.markdown if '<div class="rg-panel">' in str(m.value))
    assert all(f"<title>{node}</title>" in stage for node in nodes)
    assert "node done" in stage
    assert server.requests == []


def test_a_run_is_drawn_by_its_own_settings(place: Place, server: OpenAIServer) -> None:
    app = ask(place.visitor(page=ASK, gate="question"), "How wide is the gauge?", "self-rag")
    assert "<title>decide_retrieval</title>" in page(app)
    place.space.store.save_choices("visitor-of-the-tests", {"pace": 0.0})
    app.session_state["choices"] = {"pace": 0.0}
    run(app)
    assert "<title>decide_retrieval</title>" in page(app), "the run had the gate, whatever is chosen for the next one"
    press(app, "New question")
    assert "<title>decide_retrieval</title>" not in page(app)


def test_numbers_that_no_run_writes_stay_within_their_sliders(place: Place) -> None:
    made = json.dumps(trace("crag-refined", components=fake(scores=[0.9, 0.1])).to_json())
    odd = made.replace('"upper": 0.7', '"upper": 7').replace('"lower": 0.3', '"lower": -3')
    assert odd != made
    run_id = place.space.store.import_trace(Trace.from_json(odd), "visitor-of-the-tests")
    app = place.visitor()
    app.switch_page("pages/inspect/traces.py")
    app.query_params["run"] = run_id
    run(app)
    assert [slider(app, f"try_{name}").value for name in ("upper", "lower")] == [1.0, 0.0]


@pytest.mark.parametrize(
    "spans", [[], [(0, 4)], [(2, 4), (6, 9)], [(4, 4)], [(6, 9), (0, 3)], [(0, 8), (3, 6)], [(-5, 2), (8, 99)]]
)
def test_a_text_cut_at_its_strips_is_whole(spans: list[tuple[int, int]]) -> None:
    written = "0123456789"
    pieces = cut_at(written, [Strip(document="d", start=a, end=b) for a, b in spans])
    assert "".join(piece for piece, _strip in pieces) == written
    assert all(piece for piece, _strip in pieces)
