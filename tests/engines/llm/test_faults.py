"""Whatever goes wrong at a model server has a sentence of its own, ends a run in words, and never tells the key."""

from __future__ import annotations

import logging
import socket
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from rag_graphs.engines.llm.chat import Chat
from rag_graphs.engines.prompts import Rendered
from rag_graphs.errors import ServiceError, SetupError
from rag_graphs.export import as_json
from rag_graphs.graphs.state import Turn
from rag_graphs.graphs.strategies import all_strategies
from rag_graphs.runs.trace import Trace
from rag_graphs.settings import Settings
from tests.engines.llm.conftest import KEY, Start, ask, components_for, settings_for
from tests.fakes import OURS
from tests.servers import ollama, openai
from tests.servers.base import Fault, Reply
from tests.servers.script import ROLES, Say

TURNS = [Turn(question="What is a gauge?", answer="A width [1].")]
PROMPT = Rendered(next(iter(ROLES)), "a question")

OPENAI_FAULTS = [
    (
        Fault(openai.error(401, f"Incorrect API key provided: {KEY}.", "invalid_api_key")),
        "wrong key",
        "refused the key",
    ),
    (
        Fault(openai.error(404, "The model `small` does not exist.", "model_not_found")),
        "no such model",
        "has no model “small”",
    ),
    (Fault(openai.error(429, "You exceeded your current quota.", "insufficient_quota")), "no quota", "no quota left"),
    (Fault(openai.error(429, "Rate limit reached.", "rate_limit_exceeded")), "rate limit", "too many requests"),
    (
        Fault(openai.error(400, "maximum context length is 4096 tokens", "context_length_exceeded")),
        "too long",
        "longer than",
    ),
    (Fault(openai.error(400, f"something odd about Bearer {KEY}", None)), "bad request", "something odd"),
    (Fault(openai.error(500, "out of memory", None)), "server error", "out of memory"),
    (Fault(Reply(200, b"<html>a proxy</html>", content_type="text/html")), "unusable reply", "cannot be read"),
    (Fault(Reply(200, {"choices": None})), "unusable reply", "cannot be read"),
    (Fault(Reply(200, {"hello": "there"})), "unusable reply", "cannot be read"),
    (Fault(Reply(200, b"{broken")), "unusable reply", "cannot be read"),
]
OLLAMA_FAULTS = [
    (Fault(ollama.error(401, "unauthorized")), "wrong key", "refused the key"),
    (Fault(ollama.error(404, "model 'small' not found")), "no such model", "ollama pull small"),
    (Fault(ollama.error(429, "rate limit")), "rate limit", "too many requests"),
    (Fault(ollama.error(500, "model requires more system memory")), "server error", "more system memory"),
    (Fault(Reply(200, b"<html>a proxy</html>\n")), "unusable reply", "cannot be read"),
    (Fault(Reply(200, b'{"error": "llama runner process has terminated"}\n')), "server error", "has terminated"),
    (Fault(Reply(200, b"")), "unusable reply", "cannot be read"),
]
FAULTS = [("openai", *f) for f in OPENAI_FAULTS] + [("ollama", *f) for f in OLLAMA_FAULTS]


@pytest.mark.parametrize("streamed", [False, True], ids=["whole", "streamed"])
@pytest.mark.parametrize(
    ("protocol", "fault", "kind", "words"), FAULTS, ids=[f"{p}-{k}-{i}" for i, (p, _, k, _) in enumerate(FAULTS)]
)
def test_every_fault_has_its_sentence(
    start: Start, protocol: str, fault: Fault, kind: str, words: str, streamed: bool
) -> None:
    server = start(protocol, faults=[replace(fault)])
    settings = settings_for(server)
    chat = Chat(settings.model, settings)

    with pytest.raises(ServiceError, match=words) as raised:
        list(chat.stream("generate", PROMPT)) if streamed else chat.ask("grade_relevance", PROMPT)
    assert raised.value.kind == kind
    assert server.url in str(raised.value)
    assert KEY not in f"{raised.value!s}{raised.value!r}"


@pytest.mark.parametrize("protocol", ["openai", "ollama"])
def test_a_hanging_server_is_a_time_out(start: Start, protocol: str) -> None:
    server = start(protocol, faults=[Fault(hang=True)])

    trace = ask("naive", server, timeout=0.2)
    assert "did not answer in time" in trace.error


@pytest.mark.parametrize("protocol", ["openai", "ollama"])
def test_a_connection_that_breaks_off_ends_the_run_and_keeps_what_was_written(start: Start, protocol: str) -> None:
    server = start(protocol, {"generate": "one two three four five six [1]"}, faults=[Fault(break_off=True)])

    trace = ask("naive", server)
    assert "closed the connection in the middle" in trace.error
    assert next(e.text for e in trace.events if e.kind == "token") == "one"
    assert trace.stop_reason == "failed"


@pytest.mark.parametrize("protocol", ["openai", "ollama"])
def test_a_server_that_is_not_there(protocol: str) -> None:
    with socket.socket() as closed:
        closed.bind(("127.0.0.1", 0))
        address = f"http://127.0.0.1:{closed.getsockname()[1]}"
        settings = Settings().change(
            model=f"{protocol}:small", openai_base_url=address, openai_api_key=KEY, ollama_host=address, timeout=2.0
        )
        with pytest.raises(ServiceError, match="cannot be reached") as raised:
            Chat(settings.model, settings).ask("grade_relevance", PROMPT)
    assert raised.value.kind == "refused connection"


@pytest.mark.parametrize(
    ("settings", "words"),
    [
        ({"model": "openai:gpt"}, "needs an OpenAI key"),
        ({"model": "openai:gpt", "openai_base_url": "https://api.openai.com/v1/"}, "needs an OpenAI key"),
        ({"model": "builtin", "model_rewrite": "openai:gpt"}, "needs an OpenAI key"),
        ({"model": "openai:gpt", "openai_api_key": "sk-a b"}, "Enter it again"),
        ({"model": "openai:gpt", "openai_api_key": "sk-é"}, "Enter it again"),
        ({"model": "openai:gpt", "openai_base_url": "ftp://x", "openai_api_key": KEY}, "no web address"),
        ({"model": "ollama:x", "ollama_host": "http://host:port"}, "no web address"),
        ({"model": "ollama:x", "ollama_host": "http://"}, "no web address"),
    ],
)
def test_what_is_not_set_up_is_said_before_any_call(settings: dict[str, Any], words: str) -> None:
    with pytest.raises(SetupError, match=words) as raised:
        components_for(Settings().change(**settings))
    assert "sk-a" not in str(raised.value)


def test_a_server_of_one_s_own_needs_no_key(start: Start) -> None:
    server = start("openai")

    assert ask("naive", server, openai_api_key=None).stop_reason == "answered"
    assert server.requests[0].headers["authorization"] == "Bearer none"


def test_an_address_without_scheme_and_one_to_listen_on_are_understood(start: Start) -> None:
    server = start("ollama")
    place = server.url.removeprefix("http://")

    assert ask("naive", server, ollama_host=place).stop_reason == "answered"
    assert ask("naive", server, ollama_host=place.replace("127.0.0.1", "0.0.0.0")).stop_reason == "answered"


def test_credentials_in_an_address_are_used_and_never_shown(start: Start) -> None:
    server = start("ollama", faults=[Fault(ollama.error(401, "no"), times=1)])
    address = server.url.replace("http://", "http://ann:planted-password@")

    trace = ask("naive", server, ollama_host=address)
    assert "refused the key" in trace.error
    assert server.url in trace.error
    assert "planted" not in str(trace.to_json())
    assert ask("naive", server, ollama_host=address).stop_reason == "answered"
    assert server.requests[1].headers["authorization"].startswith("Basic ")


def test_the_environment_s_keys_go_nowhere(start: Start, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("OPENAI_API_KEY", "OLLAMA_API_KEY", "OPENAI_BASE_URL", "OPENAI_API_BASE", "OLLAMA_HOST"):
        monkeypatch.setenv(name, "http://planted.example" if "KEY" not in name else "planted")
    for protocol in ("openai", "ollama"):
        server = start(protocol)
        assert ask("naive", server, openai_api_key=None).error == ""
        assert "planted" not in str(server.requests)


@pytest.mark.parametrize("protocol", ["openai", "ollama"])
def test_one_failing_grade_is_unclear_and_the_run_goes_on(start: Start, protocol: str) -> None:
    module: Any = openai if protocol == "openai" else ollama
    broken = module.error(500, "a hiccup", None) if protocol == "openai" else module.error(500, "a hiccup")
    trace = ask("self-rag", start(protocol, faults=[Fault(broken, times=1)]))

    assert trace.stop_reason == "useful"
    (unclear,) = [g for _, g in trace.grades if g.passed is None]
    assert "a hiccup" in unclear.error
    assert any("a hiccup" in w for w in trace.warnings)


@pytest.mark.parametrize("protocol", ["openai", "ollama"])
def test_where_every_grade_fails_the_run_says_why(start: Start, protocol: str) -> None:
    module: Any = openai if protocol == "openai" else ollama
    broken = module.error(500, "out of order", None) if protocol == "openai" else module.error(500, "out of order")
    trace = ask("self-rag", start(protocol, faults=[Fault(broken)]))

    assert trace.stop_reason == "failed"
    assert "out of order" in trace.error


@pytest.mark.parametrize("protocol", ["openai", "ollama"])
@pytest.mark.parametrize(
    ("replies", "asked"),
    [(["", "yes"], 2), (["maybe", "no"], 2), (["{}", ""], 2), (["<think>endless", "?"], 2), (["yes"], 1)],
)
def test_what_cannot_be_read_is_asked_once_more_then_unclear(
    start: Start, protocol: str, replies: list[str], asked: int
) -> None:
    server = start(protocol, {"grade_usefulness": replies})
    trace = ask("self-rag", server)

    calls = [e for e in trace.events if e.kind == "model_called" and e.role == "grade_usefulness"]
    assert len(calls) == asked
    (grade,) = [g for d, g in trace.grades if g.aspect == "usefulness"][:1]
    assert grade.passed is {"yes": True, "no": False}.get(replies[-1])
    if grade.passed is None:
        assert "asked twice" in grade.error
        assert trace.stop_reason == "not verified"


def test_a_refusal_is_unclear(start: Start) -> None:
    trace = ask("self-rag", start("openai", {"grade_groundedness": Say("", refusal="I cannot help with that.")}))

    assert trace.stop_reason == "not verified"
    assert "I cannot help with that." in next(g for _, g in trace.grades if g.aspect == "groundedness").error


@pytest.mark.parametrize("name", ["temperature", "logprobs"])
def test_a_parameter_that_is_refused_is_left_out_from_then_on(start: Start, name: str) -> None:
    server = start("openai", refuses=frozenset({name}))

    assert ask("self-rag", server).stop_reason == "useful"
    before = len(server.requests)
    assert ask("self-rag", server).stop_reason == "useful"
    assert not any(name in r.body for r in server.requests[before:])


EVERY = {
    "naive": "answered",
    "self-rag": "useful",
    "self-rag-web": "useful",
    "self-rag-critique": "useful",
    "crag": "answered",
    "crag-local": "answered",
    "crag-refined": "answered",
    "adaptive": "useful",
    "adaptive-direct": "useful",
    "adaptive-complexity": "answered",
}


def test_every_strategy_of_ours_is_among_those_whose_faults_are_tried() -> None:
    assert set(EVERY) == set(OURS)


def test_no_key_in_anything_that_is_written(start: Start, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG)
    server = start("openai", {"classify_complexity": "C"}, key="another")
    refused = [ask(s, server, conversing=True, history=TURNS) for s in all_strategies()]
    server.key = KEY
    answered = [ask(s, server, conversing=True, history=TURNS) for s in all_strategies()]

    assert {t.stop_reason for t in refused} == {"failed"}
    assert all("refused the key" in t.error for t in refused)
    reasons = {t.head.strategy: t.stop_reason for t in answered}
    assert {key: reasons[key] for key in EVERY} == EVERY
    assert "failed" not in reasons.values()
    written = [str(Trace.to_json(t)) for t in [*refused, *answered]] + [r.getMessage() for r in caplog.records]
    assert not any(KEY in text or "planted" in text for text in written)
    settings = settings_for(server)
    assert KEY not in f"{settings!r}{settings.public()}{components_for(settings)!r}{Chat(settings.model, settings)!r}"


def test_no_key_in_what_is_said_of_failing_drafts_strips_and_judgements(
    start: Start, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    odd = '{"draft": "12 [1].", "relevant": "relevant", "supported": "fully", "useful": 9}'
    traces = []
    for strategy, role in (("self-rag-critique", "draft"), ("crag-refined", "evaluate_retrieval")):
        servers: list[Any] = []
        server = start("openai", {role: breaking(servers, odd)})
        servers.append(server)
        traces.append(ask(strategy, server))

    assert any("it broke for" in str(t.to_json()) for t in traces)
    written = [str(t.to_json()) for t in traces] + [r.getMessage() for r in caplog.records]
    assert not any(KEY in text for text in written)


def breaking(servers: list[Any], reply: str) -> Callable[[str], str]:
    """A reply after which the server fails once, in words that quote the key."""
    left = [Fault(openai.error(500, f"it broke for Bearer {KEY}", None), times=1)]

    def say(_: str) -> str:
        servers[0].faults += left
        left.clear()
        return reply

    return say


@pytest.mark.matrix
@pytest.mark.parametrize("protocol", ["openai", "ollama"])
@pytest.mark.parametrize("strategy", EVERY)
def test_a_server_that_fails_for_good_ends_any_run_in_words(start: Start, protocol: str, strategy: str) -> None:
    module: Any = openai if protocol == "openai" else ollama
    broken = module.error(500, "out of order", None) if protocol == "openai" else module.error(500, "out of order")
    trace = ask(strategy, start(protocol, faults=[Fault(broken)]), conversing=True, history=TURNS)

    assert trace.stop_reason == "failed"
    assert "out of order" in trace.error
    assert trace.path == ["condense_question"], "the first thing that asks a model"


@pytest.mark.parametrize("strategy", EVERY)
def test_the_spending_cap_ends_any_run(start: Start, strategy: str) -> None:
    whole = ask(strategy, start("openai", {"classify_complexity": "C"}))
    for most in range(1, whole.llm_calls):
        server = start("openai", {"classify_complexity": "C"})
        trace = ask(strategy, server, max_calls=most)
        assert trace.stop_reason == "spending cap reached"
        assert len(server.requests) == trace.llm_calls == most


@pytest.mark.parametrize(
    ("strategy", "replies"),
    [
        (
            "adaptive-complexity",
            {"classify_complexity": '{"complexity": "C"}', "reason_step": '{"s": "\\ud800 next."}'},
        ),
        ("self-rag", {"grade_relevance": False, "rewrite": '{"query": "\\ud800 other"}'}),
        ("self-rag", {"grade_groundedness": '{"score": "no", "reason": "\\ud800"}'}),
    ],
    ids=["a step", "a query", "a reason"],
)
@pytest.mark.parametrize("protocol", ["openai", "ollama"])
def test_half_a_character_that_a_model_wrote_breaks_no_later_request(
    start: Start, protocol: str, strategy: str, replies: dict[str, Any]
) -> None:
    trace = ask(strategy, start(protocol, replies))

    assert trace.stop_reason != "failed", trace.error
    assert Trace.from_json(as_json(trace)).path == trace.path
