"""The Settings page: what was changed is marked and remembered, what is wrong is said, and all of it reaches the next run."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from rag_graphs import PROMPTS, Settings
from rag_graphs.engines.llm import providers
from rag_graphs.engines.llm.abilities import MEMORY
from rag_graphs.settings import KEYS, OF_A_RUN, SERVER_ONLY
from rag_graphs.ui.settings.keys import wrong_address
from rag_graphs.ui.settings.page_head import in_section
from rag_graphs.ui.shared import frame, session
from rag_graphs.views.settings_words import label, sections
from tests.app.settings_stand import Place, ask, enter_key, press, run, section, words
from tests.servers.ollama import OllamaServer
from tests.servers.openai import OpenAIServer
from tests.servers.script import Script
from tests.servers.seven import KEY, SEVEN, broken


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


@pytest.fixture
def server() -> Iterator[OpenAIServer]:
    with OpenAIServer(models=("small", "large")) as started:
        yield started


def test_every_setting_has_its_place_and_its_name() -> None:
    placed = [name for key in sections() for name in in_section(key)]
    fields = {n for n, f in Settings.model_fields.items() if not f.exclude} - {*KEYS, *SERVER_ONLY, *OF_A_RUN}
    assert set(placed) == fields
    assert len(placed) == len(set(placed))
    assert all(label(n) != n.replace("_", " ").capitalize() or n in ("temperature", "pace", "prompts") for n in fields)


def test_an_unset_threshold_is_the_evaluators_own_and_can_be_set_and_taken_back(place: Place) -> None:
    app = section(place.visitor(), "strategies")
    assert app.number_input(key="setting_evaluator_upper").value is None
    app.number_input(key="setting_evaluator_upper").set_value(0.8)
    run(app)
    assert "Changed · default: the evaluator’s own" in words(app)
    assert place.space.store.choices("visitor-of-the-tests") == {"evaluator_upper": 0.8}
    app.button(key="reset_evaluator_upper").click()
    run(app)
    assert app.number_input(key="setting_evaluator_upper").value is None
    app.selectbox(key="setting_gate").set_value("question")
    run(app)
    assert "Changed · default: never" in words(app)


def test_each_section_opens_with_the_defaults_and_nothing_marked(place: Place) -> None:
    app = place.visitor()
    for key in sections():
        said = words(section(app, key))
        assert "Changed" not in said
    assert app.segmented_control(key="settings_section").options == list(sections().values())
    assert "Reset them" not in [b.label for b in app.button]


def test_what_was_changed_is_marked_remembered_and_taken_back(place: Place) -> None:
    app = section(place.visitor(), "grading")
    app.number_input(key="setting_max_rewrites").set_value(7)
    run(app)
    app.toggle(key="setting_keep_unclear").set_value(True)
    run(app)
    assert "Changed · default: 3" in words(app)
    assert "Changed · default: off" in words(app)
    assert "Budgets and grading · 2 changed" in app.segmented_control(key="settings_section").options

    again = section(place.visitor(), "grading")
    assert again.number_input(key="setting_max_rewrites").value == 7
    again.button(key="reset_max_rewrites").click()
    run(again)
    assert again.number_input(key="setting_max_rewrites").value == 3
    assert again.toggle(key="setting_keep_unclear").value
    press(again, "Reset them")
    assert not again.toggle(key="setting_keep_unclear").value
    assert place.space.store.choices("visitor-of-the-tests") == {}


def test_a_model_is_chosen_from_what_its_server_offers(place: Place) -> None:
    with OllamaServer(models=("small", "tiny")) as ollama:
        app = place.visitor(ollama_host=ollama.url)
        app.selectbox(key="provider_model").set_value("ollama")
        run(app)
        assert session_model(place) == "builtin"
        assert app.selectbox(key="name_model_ollama").options == ["small", "tiny"]
        assert "It offers 2 models: small, tiny" in words(app)
        app.selectbox(key="name_model_ollama").set_value("tiny")
        run(app)
        assert place.space.store.choices("visitor-of-the-tests")["model"] == "ollama:tiny"
        app.selectbox(key="provider_model").set_value("builtin")
        run(app)
        assert place.space.store.choices("visitor-of-the-tests")["model"] == "builtin"


def session_model(place: Place) -> str:
    return str(place.space.store.choices("visitor-of-the-tests").get("model", "builtin"))


def test_a_server_that_cannot_be_asked_says_why_and_a_name_can_be_written(place: Place) -> None:
    app = place.visitor()
    app.selectbox(key="provider_model").set_value("openai")
    run(app)
    assert SEVEN["no key"] in words(app).replace("openai:…", "openai:x")


def test_a_key_is_used_never_shown_and_forgotten_on_request(place: Place, server: OpenAIServer) -> None:
    server.key = KEY
    app = place.visitor(model="openai:small", openai_base_url=server.base_url)
    assert SEVEN["wrong key"] in words(app)
    enter_key(app, f"  {KEY} ")
    assert "Set, in the memory of this session only." in words(app)
    assert "It offers 2 models" in words(app)
    assert app.text_input(key="typed_openai_api_key").value == ""
    assert KEY not in str(app.main)
    assert "Answered" in words(ask(app))

    app.switch_page("pages/setup/settings.py")
    press(run(app), "Forget the key")
    assert SEVEN["wrong key"] in words(app)
    assert "No key for OpenAI." in words(app)


@pytest.mark.parametrize(
    ("typed", "complaint"), [("", "Paste a key first"), ("sk-a b", "a space"), ("sk-é", "no key has")]
)
def test_what_is_no_key_is_not_taken(place: Place, typed: str, complaint: str) -> None:
    app = enter_key(place.visitor(), typed)
    assert complaint in words(app)
    assert "No key for OpenAI." in words(app)


def test_an_address_with_a_password_is_not_kept(place: Place) -> None:
    app = place.visitor()
    app.text_input(key="typed_openai_base_url").set_value(f"https://ann:{KEY}@host/v1")
    run(app)
    assert "Leave out the name, password or key" in words(app)
    assert place.space.store.choices("visitor-of-the-tests") == {}
    app.text_input(key="typed_openai_base_url").set_value("https://host/v1")
    run(app)
    assert "Changed · default: https://api.openai.com/v1" in words(app)
    app.text_input(key="typed_openai_base_url").set_value("")
    run(app)
    assert place.space.store.choices("visitor-of-the-tests") == {}


@pytest.mark.parametrize(
    "address", ["ftp://x", "http://", "http://h:99999", "a b", "https://h/v1?key=x", "https://h/#x"]
)
def test_what_is_no_address_is_told(address: str) -> None:
    assert wrong_address(address)
    assert not wrong_address("localhost:11434")
    assert not wrong_address("https://host/v1")


def test_prompts_are_checked_kept_used_and_reset(place: Place, server: OpenAIServer) -> None:
    app = section(place.visitor(model="openai:small", openai_base_url=server.base_url), "prompts")
    app.radio(key="prompt_role").set_value("generate")
    run(app)
    box = app.text_area(key="prompt_generate")
    assert box.value == PROMPTS["generate"].text
    box.set_value("Answer {question} in verse, with {verve}.")
    app.button(key="keep_generate").click()
    run(app)
    assert "it needs {documents}; {verve} cannot be filled in" in words(app)
    assert "prompts" not in place.space.store.choices("visitor-of-the-tests")

    mine = f"{PROMPTS['generate'].system}\nAnswer in verse.\n---\n{{documents}}\n{{question}}"
    app.text_area(key="prompt_generate").set_value(mine)
    app.button(key="keep_generate").click()
    run(app)
    assert "cannot be filled in" not in words(app)
    assert any("changed" in str(o) for o in app.radio(key="prompt_role").options)
    assert "Prompts · 1 changed" in app.segmented_control(key="settings_section").options
    assert "Answered" in words(ask(app))
    assert "Answer in verse." in str(server.requests[-1].body["messages"])

    app.switch_page("pages/setup/settings.py")
    section(run(app), "prompts")
    assert app.text_area(key="prompt_generate").value == mine
    app.button(key="unkeep_generate").click()
    run(app)
    assert app.text_area(key="prompt_generate").value == PROMPTS["generate"].text
    assert "prompts" not in place.space.store.choices("visitor-of-the-tests")


def test_all_prompts_are_reset_at_once(place: Place) -> None:
    own = {"generate": "{documents} {question}", "rewrite_web": "{question} {queries}"}
    app = section(place.visitor(prompts=own), "prompts")
    press(app, "Reset all 2 changed prompts")
    assert place.space.store.choices("visitor-of-the-tests") == {"pace": 0.0}


@pytest.mark.parametrize("kind", SEVEN)
def test_each_of_the_seven_faults_has_its_sentence_on_the_pages(place: Place, kind: str) -> None:
    with broken(kind) as values:
        key = values.pop("openai_api_key")
        app = place.visitor(**values)
        if key:
            enter_key(app, key)
        press(app, "Check my set-up")
        checked = words(app)
        assert "1 of 5 does not work" in checked
        assert SEVEN[kind] in checked
        asked = words(ask(app))
    assert SEVEN[kind] in asked
    assert [k for k, sentence in SEVEN.items() if sentence in asked] == [kind]
    assert KEY not in checked + asked


def test_a_check_says_when_it_is_out_of_date(place: Place) -> None:
    app = press(place.visitor(), "Check my set-up")
    assert "Everything that is set up works" in words(app)
    assert "before your last change" not in words(app)
    section(app, "grading").number_input(key="setting_max_rewrites").set_value(1)
    assert "before your last change" in words(run(app))


def test_what_runs_have_used_is_shown_during_the_run_and_summed_up(place: Place, server: OpenAIServer) -> None:
    app = place.visitor(
        model="openai:small", openai_base_url=server.base_url, price_prompt=10.0, price_completion=100.0
    )
    assert "No run of yours has used a model" in words(section(app, "spending"))
    assert "1 call · 110 tokens · cost 0.0020" in words(ask(app))
    assert "7 calls · 770 tokens · cost 0.0140" in words(ask(app, "And how wide is the other?", "self-rag"))
    app.switch_page("pages/setup/settings.py")
    said = words(section(run(app), "spending"))
    assert "2 runs on a model 8 model calls 880 tokens 0.0160 at your prices" in said


def test_a_run_that_has_spent_what_it_may_says_so(place: Place, server: OpenAIServer) -> None:
    app = ask(place.visitor(model="openai:small", openai_base_url=server.base_url, max_calls=3), strategy="self-rag")
    assert "Spending cap" in words(app)
    assert "This run has made 3 model calls, as many as it may." in words(app)
    assert len([r for r in server.requests if r.method == "POST"]) == 3


def test_a_server_that_keeps_its_keys_says_so_and_sends_none(
    place: Place, server: OpenAIServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(session, "is_local", lambda: False)
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    monkeypatch.setenv("OPENAI_BASE_URL", server.base_url)
    monkeypatch.setenv("RAG_MODEL", "openai:small")
    monkeypatch.setenv("RAG_PACE", "0")
    app = place.visitor()
    assert "This server does not share its OpenAI key, so the built-in engine stands in" in words(app)
    assert "Answered" in words(ask(app))
    assert server.requests == []

    monkeypatch.setenv("RAG_SHARE_KEYS", "true")
    shared = place.visitor("another-visitor")
    assert "The server's own key is used." in words(shared)
    assert "Answered" in words(ask(shared))
    assert {r.headers["authorization"] for r in server.requests} == {f"Bearer {KEY}"}


def test_a_visitor_of_an_open_server_reaches_nothing_of_its_network(
    place: Place, server: OpenAIServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(session, "is_local", lambda: False)
    app = place.visitor(model="openai:small", openai_base_url=server.base_url)
    assert "may not be called from this server" in words(app)
    press(app, "Check my set-up")
    assert "may not be called from this server" in words(app)
    assert "may not be called from this server" in words(ask(app))
    assert server.requests == []
    monkeypatch.setenv("RAG_ALLOW_HOSTS", server.url.removeprefix("http://"))
    assert "Answered" in words(ask(place.visitor(model="openai:small", openai_base_url=server.base_url)))


def test_two_visitors_each_send_their_own_key(place: Place) -> None:
    script = Script({"generate": lambda prompt: "It is 12. [1]"})
    with OpenAIServer(script=script) as server:
        visitors = {}
        for name in ("ann", "bob"):
            visitors[name] = place.visitor(
                f"visitor-{name}-of-tests", model="openai:small", openai_base_url=server.base_url
            )
            enter_key(visitors[name], f"sk-of-{name}")
        server.requests.clear()
        for name in ("ann", "bob", "ann"):
            ask(visitors[name], f"A question of {name}?", "self-rag")
        sent = {(r.headers["authorization"], "of ann?" in str(r.body)) for r in server.requests}
    assert sent == {("Bearer sk-of-ann", True), ("Bearer sk-of-bob", False)}
