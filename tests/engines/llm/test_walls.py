"""Addresses that a visitor of an open server typed: public hosts only, wherever the connection is made."""

from __future__ import annotations

import socket
from collections.abc import Callable
from typing import Any

import pytest

from rag_graphs.engines.llm.chat import Chat
from rag_graphs.engines.llm.embedding_servers import get_remote_embedder, server_of
from rag_graphs.engines.llm.offered import offered_models
from rag_graphs.engines.prompts import Rendered
from rag_graphs.errors import SetupError
from rag_graphs.library.index.indexing import index_name, model_name
from rag_graphs.security import addresses
from rag_graphs.settings import Settings
from tests.engines.llm.conftest import KEY, Start, settings_for
from tests.servers.base import Fault, Reply
from tests.servers.script import ROLES

PROMPT = Rendered(next(iter(ROLES)), "a question")
PROTOCOLS = ["openai", "ollama"]
FIELD = {"openai": "openai_base_url", "ollama": "ollama_host"}


def typed(protocol: str, address: str, **others: Any) -> Settings:
    return Settings().change(
        model=f"{protocol}:small", **{FIELD[protocol]: address}, guarded=(FIELD[protocol],), timeout=3.0, **others
    )


@pytest.mark.parametrize("protocol", PROTOCOLS)
@pytest.mark.parametrize(
    "address",
    [
        "http://127.0.0.1:8000/v1",
        "http://169.254.169.254",
        "http://[::ffff:10.0.0.1]",
        "http://2130706433/",
        "http://0x7f.1/",
        "http://localhost:8080",
        "http://0.0.0.0:8000",
        "http://8.8.8.8:22",
        "http://ann:pw@127.0.0.1:8000",
        "file:///etc/passwd",
    ],
)
def test_the_server_s_network_is_walled_off(protocol: str, address: str) -> None:
    settings = typed(protocol, address)
    for make in (lambda: Chat(settings.model, settings), lambda: get_remote_embedder(settings.model, settings)):
        with pytest.raises(SetupError) as raised:
            make()
        assert "pw" not in str(raised.value)


@pytest.mark.parametrize("protocol", PROTOCOLS)
def test_the_operator_can_allow_a_server_by_name(start: Start, protocol: str) -> None:
    server = start(protocol)
    own = settings_for(server)
    name = server.url.removeprefix("http://")
    allowed = own.change(guarded=(FIELD[protocol],), allow_hosts=name)
    assert Chat(allowed.model, allowed).ask("grade_relevance", PROMPT).text
    assert get_remote_embedder(allowed.model, allowed).dimension == 3
    refused = allowed.change(allow_hosts="")
    with pytest.raises(SetupError, match=f"RAG_ALLOW_HOSTS={name}"):
        Chat(refused.model, refused)


@pytest.mark.parametrize("protocol", PROTOCOLS)
def test_a_redirect_does_not_lead_around_the_wall(start: Start, protocol: str) -> None:
    hidden, public = start(protocol), start(protocol)
    there = Reply(307, b"", content_type=f"text/html\r\nLocation: {hidden.url}/v1/chat/completions")
    public.faults.append(Fault(there))
    allowed = settings_for(public).change(guarded=(FIELD[protocol],), allow_hosts=public.url.removeprefix("http://"))

    with pytest.raises(SetupError, match="may not be called from this server"):
        Chat(allowed.model, allowed).ask("grade_relevance", PROMPT)
    assert hidden.requests == []
    assert public.requests


@pytest.mark.parametrize("protocol", PROTOCOLS)
def test_a_name_that_resolves_to_another_number_later_does_not_either(
    start: Start, protocol: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    inside = start(protocol)
    numbers = ["93.184.215.14", "127.0.0.1"]
    real = socket.getaddrinfo

    def look_up(host: Any, port: Any, *args: Any, **options: Any) -> Any:
        return real(numbers.pop(0) if host == "rebinding.example" else host, port, *args, **options)

    monkeypatch.setattr(addresses.socket, "getaddrinfo", look_up)
    monkeypatch.setattr(addresses, "USUAL_PORTS", frozenset({int(inside.url.rpartition(":")[2])}))
    settings = typed(protocol, inside.url.replace("127.0.0.1", "rebinding.example"))
    chat = Chat(settings.model, settings)
    with pytest.raises(SetupError, match="may not be called"):
        chat.ask("grade_relevance", PROMPT)
    assert numbers == []
    assert inside.requests == []


@pytest.mark.parametrize("protocol", PROTOCOLS)
def test_the_host_s_name_stays_in_the_request(start: Start, protocol: str, monkeypatch: pytest.MonkeyPatch) -> None:
    server = start(protocol)
    port = server.url.rpartition(":")[2]
    public: Callable[[str], bool] = lambda number: True  # noqa: E731
    monkeypatch.setattr(addresses, "is_public", public)
    monkeypatch.setattr(addresses, "USUAL_PORTS", frozenset({int(port)}))
    settings = typed(protocol, f"http://localhost:{port}{'/v1' if protocol == 'openai' else ''}")

    assert Chat(settings.model, settings).ask("grade_relevance", PROMPT).text
    assert server.requests[0].headers["host"] == f"localhost:{port}"


def test_the_index_tells_servers_apart() -> None:
    here = Settings().change(ollama_host="http://a.example")
    there = Settings().change(ollama_host="http://b.example")
    with_password = Settings().change(ollama_host="http://ann:pw@a.example/")

    def name(model: str, settings: Settings) -> str:
        return index_name(model, server_of(model, settings))

    assert name("ollama:nomic", here) != name("ollama:nomic", there)
    assert name("ollama:nomic", here) == name("ollama:nomic", with_password)
    assert model_name(name("ollama:nomic", here)) == "ollama:nomic"
    assert "pw" not in name("ollama:nomic", with_password)
    assert model_name("minilm") == "minilm"
    assert name("openai:x", Settings().change(openai_base_url="ftp://none")).startswith("openai:x at ")


ENVIRONMENT = {
    "OPENAI_CUSTOM_HEADERS": "X-Secret: planted-1\nAuthorization: Bearer planted-2",
    "OPENAI_ORG_ID": "planted-3",
    "OPENAI_PROJECT_ID": "planted-4",
    "OPENAI_API_KEY": "planted-5",
    "OPENAI_ADMIN_KEY": "planted-6",
    "OPENAI_PROXY": "http://planted-7.example:1",
    "OLLAMA_API_KEY": "planted-8",
}


@pytest.mark.parametrize("protocol", PROTOCOLS)
def test_nothing_of_the_environment_is_sent_along(start: Start, protocol: str, monkeypatch: pytest.MonkeyPatch) -> None:
    for name, value in ENVIRONMENT.items():
        monkeypatch.setenv(name, value)
    server = start(protocol)
    settings = settings_for(server)

    assert Chat(settings.model, settings).ask("grade_relevance", PROMPT).text
    assert list(Chat(settings.model, settings).stream("grade_relevance", PROMPT))
    assert get_remote_embedder(settings.model, settings).dimension == 3
    assert offered_models(protocol, settings) == ["small"]
    assert len(server.requests) == 4
    assert "planted-" not in str(server.requests).replace(KEY, "")
    own = f"Bearer {KEY}" if protocol == "openai" else "Bearer none"
    assert {r.headers["authorization"] for r in server.requests} == {own}


@pytest.mark.parametrize("protocol", PROTOCOLS)
def test_a_redirect_elsewhere_takes_no_key_along(start: Start, protocol: str) -> None:
    elsewhere, server = start(protocol), start(protocol)
    path = "/v1/chat/completions" if protocol == "openai" else "/api/chat"
    server.faults.append(Fault(Reply(307, b"", content_type=f"text/html\r\nLocation: {elsewhere.url}{path}")))

    settings = settings_for(server)
    assert Chat(settings.model, settings).ask("grade_relevance", PROMPT).text
    assert KEY not in str(elsewhere.requests)
    assert elsewhere.requests
