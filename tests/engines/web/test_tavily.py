"""Tavily through its real client, against a stand-in over HTTP: what is sent, what comes back, every fault in words."""

import socket
from collections.abc import Iterator

import pytest

from rag_graphs.engines.web import build_search
from rag_graphs.errors import SearchUnavailable, SetupError
from rag_graphs.settings import Settings
from tests.servers.base import Fault, Reply
from tests.servers.tavily import TavilyServer, error

KEY = "tvly-right"


@pytest.fixture
def server() -> Iterator[TavilyServer]:
    with TavilyServer() as running:
        yield running


def settings(url: str, key: str | None = KEY, **others: object) -> Settings:
    return Settings().change(
        web="tavily", tavily_base_url=url, tavily_api_key=key, timeout=2.0, web_results=3, **others
    )


def test_hits_become_documents(server: TavilyServer) -> None:
    documents = build_search(settings(server.url))("tides and the moon")

    assert [(d.title, d.source, d.origin, d.score) for d in documents] == [
        ("Tides", "https://example.org/tides", "web", 0.9),
        ("Moon", "https://example.org/moon", "web", 0.5),
    ]
    assert server.requests[0].body == {"query": "tides and the moon", "max_results": 3}
    assert server.requests[0].headers["authorization"] == f"Bearer {KEY}"


def test_the_same_hit_has_the_same_id(server: TavilyServer) -> None:
    search = build_search(settings(server.url))

    assert [d.id for d in search("one")] == [d.id for d in search("another")]


def test_the_query_is_cleaned_and_cut_at_a_word(server: TavilyServer) -> None:
    build_search(settings(server.url))('  "' + "tides  and\nmoon " * 60 + '"  ')

    sent = server.requests[0].body["query"]
    assert sent.startswith("tides and moon tides")
    assert len(sent) <= 400
    assert sent.endswith(("tides", "and", "moon"))


@pytest.mark.parametrize("key", [None, "", "   "])
def test_without_a_key_nothing_is_sent(server: TavilyServer, key: str | None) -> None:
    with pytest.raises(SetupError, match="no Tavily key"):
        build_search(settings(server.url, key))
    assert server.requests == []


@pytest.mark.parametrize("key", ["tvly right", "tvly-\nright", "tvly-ключ"])
def test_a_key_that_no_header_takes_is_not_sent_and_not_quoted(server: TavilyServer, key: str) -> None:
    with pytest.raises(SetupError, match="Enter it again") as raised:
        build_search(settings(server.url, key))
    assert key not in str(raised.value)
    assert server.requests == []


@pytest.mark.parametrize(
    ("fault", "kind", "words"),
    [
        (Fault(error(401, "Unauthorized: missing or invalid API key.")), "wrong key", "refused the key"),
        (Fault(error(432, "This request exceeds your plan's set usage limit")), "no quota", "limit is reached"),
        (Fault(error(433, "pay-as-you-go limit")), "no quota", "limit is reached"),
        (Fault(error(429, "Too many requests")), "rate limit", "too many requests"),
        (Fault(error(400, "Query is invalid")), "bad request", "did not accept"),
        (Fault(error(500, "Internal")), "server error", "error of its own"),
        (Fault(Reply(204, {})), "unusable reply", "cannot read"),
        (Fault(Reply(200, b"<html>proxy</html>")), "unusable reply", "not JSON"),
        (Fault(Reply(200, ["a list"])), "unusable reply", "cannot read"),
        (Fault(Reply(200, {"results": "HTTPError('429')"})), "unusable reply", "not a list"),
        (Fault(Reply(200, {"results": [{"text": "no address"}]})), "unusable reply", "without an address"),
    ],
)
def test_every_fault_has_its_sentence(server: TavilyServer, fault: Fault, kind: str, words: str) -> None:
    server.faults.append(fault)

    with pytest.raises(SearchUnavailable, match=words) as raised:
        build_search(settings(server.url))("tides")
    assert raised.value.kind == kind
    assert raised.value.service == "Tavily"
    assert KEY not in f"{raised.value!r}{raised.value}"


def test_a_hanging_service_is_a_time_out(server: TavilyServer) -> None:
    server.faults.append(Fault(hang=True))

    with pytest.raises(SearchUnavailable, match="did not answer in time") as raised:
        build_search(settings(server.url).change(timeout=0.2))("tides")
    assert raised.value.kind == "time-out"


def test_a_service_that_is_not_there() -> None:
    with socket.socket() as closed:
        closed.bind(("127.0.0.1", 0))
        url = f"http://127.0.0.1:{closed.getsockname()[1]}"
        with pytest.raises(SearchUnavailable, match="cannot be reached") as raised:
            build_search(settings(url))("tides")
    assert raised.value.kind == "refused connection"


def test_what_comes_back_is_bounded_and_checked(server: TavilyServer) -> None:
    server.results = [
        {"title": "Bad", "url": "javascript:alert(1)", "content": "x"},
        {"title": "Bad", "url": "file:///etc/passwd", "content": "x"},
        {"title": "Empty", "url": "https://example.org/e", "content": ""},
        "not a dict",
        {"title": "T" * 5000, "url": "https://example.org/long", "content": "word\x00\u202e " * 5000, "score": "high"},
    ]

    (document,) = build_search(settings(server.url).change(web_results=10))("tides")
    assert len(document.text) <= 2000
    assert len(document.title) <= 200
    assert "\x00" not in document.text
    assert "\u202e" not in document.text
    assert document.score is None


def test_no_results_is_no_error(server: TavilyServer) -> None:
    server.results = []

    assert build_search(settings(server.url))("tides") == []
