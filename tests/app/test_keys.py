"""Keys are planted wherever one can come from, then everything that was written is searched for them."""

from __future__ import annotations

import gc
import json
import logging
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

import rag_graphs
from rag_graphs import Trace
from rag_graphs.engines.llm import providers
from rag_graphs.engines.llm.abilities import MEMORY
from rag_graphs.settings import Settings
from rag_graphs.ui.shared import frame, session
from tests.app.settings_stand import Place, ask, enter_key, press, run, section, words
from tests.servers import openai
from tests.servers.base import Fault
from tests.servers.openai import OpenAIServer
from tests.servers.tavily import TavilyServer

PLANTED = {
    "of the environment": "sk-planted-environment-41",
    "of the page": "sk-planted-page-52",
    "of the .env file": "tvly-planted-dotenv-63",
    "in an address": "planted-password-74",
    "entered for the search": "tvly-planted-page-85",
}


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Place:
    made = Place(tmp_path / "data")
    (tmp_path / ".env").write_text(f"TAVILY_API_KEY={PLANTED['of the .env file']}\n")
    monkeypatch.setitem(Settings.model_config, "env_file", str(tmp_path / ".env"))
    monkeypatch.setenv("OPENAI_API_KEY", PLANTED["of the environment"])
    monkeypatch.setenv("OLLAMA_HOST", f"http://ann:{PLANTED['in an address']}@127.0.0.1:9")
    monkeypatch.setenv("RAG_PACE", "0")
    monkeypatch.setattr(session, "workspace", lambda: made.space)
    monkeypatch.setattr(session, "is_local", lambda: True)
    monkeypatch.setattr(frame, "warm_up", lambda: None)
    monkeypatch.setattr("rag_graphs.engines.build.build_components", made.build)
    monkeypatch.setattr(providers, "MAX_RETRIES", 0)
    MEMORY.forget()
    return made


@pytest.fixture
def servers() -> Iterator[tuple[OpenAIServer, TavilyServer]]:
    with OpenAIServer(models=("small",)) as model, TavilyServer(key=PLANTED["of the .env file"]) as search:
        yield model, search


def planted_in(text: str | bytes) -> list[str]:
    told = text if isinstance(text, bytes) else text.encode()
    return [where for where, key in PLANTED.items() if key.encode() in told]


def test_no_key_in_anything_that_is_written(
    place: Place,
    servers: tuple[OpenAIServer, TavilyServer],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:
    caplog.set_level(logging.DEBUG)
    model, search = servers
    monkeypatch.setenv("OPENAI_BASE_URL", model.base_url)
    monkeypatch.setenv("TAVILY_BASE_URL", search.url)
    told: list[str] = []

    app = place.visitor(model="openai:small", web="tavily")
    told.append(seen(ask(app, strategy="self-rag")))
    app.switch_page("pages/setup/settings.py")
    told.append(seen(enter_key(run(app), PLANTED["of the page"])))
    section(app, "search")
    told.append(seen(enter_key(app, PLANTED["entered for the search"], "tavily_api_key")))
    told.append(seen(press(app, "Check my set-up")))
    for fault in (
        openai.error(401, f"Incorrect API key provided: {PLANTED['of the page']}.", "invalid_api_key"),
        openai.error(500, f"Bearer {PLANTED['of the page']} broke me", None),
    ):
        model.faults[:] = [Fault(fault, path="/chat")]
        told.append(seen(ask(app, f"What is wrong ({len(told)})?", "crag")))
        app.switch_page("pages/setup/settings.py")
        told.append(seen(press(run(app), "Check my set-up")))
    model.faults[:] = []
    told.append(seen(ask(app, "Does it work again?", "adaptive")))

    sent = {r.headers["authorization"].removeprefix("Bearer ") for r in model.requests}
    assert sent == {PLANTED["of the environment"], PLANTED["of the page"]}, "the keys were in use"
    assert {r.headers["authorization"] for r in search.requests} >= {f"Bearer {PLANTED['entered for the search']}"}

    assert [planted_in(text) for text in told if planted_in(text)] == []
    assert [planted_in(r.getMessage() + str(r.exc_info)) for r in caplog.records if planted_in(r.getMessage())] == []
    files = [f for f in (tmp_path / "data").rglob("*") if f.is_file()]
    assert files
    assert {str(f): planted_in(f.read_bytes()) for f in files if planted_in(f.read_bytes())} == {}
    runs = [place.space.runs.trace(i) for i in app.session_state["counted"]]
    assert len(runs) == 4
    for trace in runs:
        assert planted_in(json.dumps(Trace.to_json(trace))) == []


def seen(app: Any) -> str:
    """Everything that went to the browser: the elements, the address, the values of the widgets."""
    return f"{app.main} {app.sidebar} {words(app)} {dict(app.query_params)} {[t.value for t in app.text_input]}"


def test_nothing_that_visitors_share_holds_a_key(place: Place, servers: tuple[OpenAIServer, TavilyServer]) -> None:
    model, _ = servers
    app = place.visitor(model="openai:small", openai_base_url=model.base_url)
    ask(enter_key(app, PLANTED["of the page"]), strategy="self-rag")
    assert model.requests[-1].headers["authorization"].endswith(PLANTED["of the page"])
    assert reachable([{"a": [SimpleNamespace(b="sk-planted")]}], "sk-planted") == ["sk-planted"], "the search finds"
    shared = [place.space, MEMORY, *(getattr(rag_graphs, name) for name in ("Settings", "Workspace", "Library"))]
    assert reachable(shared, PLANTED["of the page"]) == []


def test_a_forgotten_key_is_gone_from_the_session(place: Place, servers: tuple[OpenAIServer, TavilyServer]) -> None:
    app = place.visitor(model="openai:small", openai_base_url=servers[0].base_url)
    enter_key(app, PLANTED["of the page"])
    press(app, "Check my set-up")
    assert reachable([app.session_state], PLANTED["of the page"])
    press(app, "Forget the key")
    assert reachable([app.session_state], PLANTED["of the page"]) == []


def reachable(roots: list[Any], key: str) -> list[str]:
    """Where in the objects that hang on these a text holds the key. Stops at modules, which hang together with all."""
    found, known, left = [], set(), list(roots)
    while left:
        thing = left.pop()
        if id(thing) in known or isinstance(thing, type(gc)) or (callable(thing) and hasattr(thing, "__globals__")):
            continue
        known.add(id(thing))
        if isinstance(thing, str | bytes):
            if key in (thing if isinstance(thing, str) else thing.decode("latin-1")):
                found.append(thing[:80])
            continue
        left += gc.get_referents(thing) if not isinstance(thing, type) else [v for v in vars(thing).values()]
    return [str(f) for f in found]


def test_a_key_is_never_a_choice() -> None:
    with pytest.raises(ValueError, match="keys are not kept"):
        session.choose(openai_api_key="sk-x")


@pytest.mark.parametrize(
    ("address", "headers", "local"),
    [
        ("127.0.0.1", {"Host": "127.0.0.1:8501", "Origin": "http://127.0.0.1:8501"}, True),
        ("localhost", {"Host": "localhost:8501", "Origin": "http://localhost:8501"}, True),
        ("::1", {"Host": "[::1]:8501", "Origin": "http://[::1]:8501"}, True),
        ("127.0.0.1", {}, True),
        ("0.0.0.0", {"Host": "127.0.0.1:8501", "Origin": "http://127.0.0.1:8501"}, False),
        (None, {"Host": "localhost:8501", "Origin": "http://localhost:8501"}, False),
        ("127.0.0.1", {"Host": "rag.example", "Origin": "https://rag.example"}, False),
        ("127.0.0.1", {"Host": "127.0.0.1:8501", "Origin": "https://rag.example"}, False),
        ("127.0.0.1", {"Host": "127.0.0.1:8501", "X-Forwarded-For": "10.0.0.9"}, False),
        ("127.0.0.1", {"Host": "127.0.0.1:8501", "Forwarded": "for=10.0.0.9"}, False),
    ],
)
def test_who_sits_at_the_server_s_machine(
    address: str | None, headers: dict[str, str], local: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    stand_in = SimpleNamespace(context=SimpleNamespace(headers=headers), get_option={"server.address": address}.get)
    monkeypatch.setattr(session, "st", stand_in)
    assert session.is_local() is local
