"""Generator, rewriter and router on a model: what is shown, what abstains, what falls back, how windows are set."""

from __future__ import annotations

import json
from typing import Any

import pytest

from rag_graphs.engines.llm.router import read_route
from rag_graphs.engines.llm.side_by_side import MOST_AT_ONCE, Once, side_by_side
from rag_graphs.engines.llm.writers import LONGEST_ANSWER, UNGIVEN
from rag_graphs.engines.prompts import PROMPTS
from rag_graphs.errors import ServiceError
from rag_graphs.graphs.components import GenerateRequest, RewriteRequest
from rag_graphs.graphs.state import Document, Draft, Rewrite
from tests.engines.llm.conftest import Server, Start, ask, components_for, settings_for
from tests.fakes import DOCS
from tests.servers.script import Say

PROTOCOLS = ["openai", "ollama"]
REQUEST = GenerateRequest(question="How wide is the gauge?", documents=DOCS)


def builtin_generate(request: GenerateRequest) -> Any:
    text = "Built-in extract [1]." if request.documents else "Not in the library."
    return iter([text, Draft(text=text, abstained=not request.documents)])


def generate(server: Server, request: GenerateRequest = REQUEST) -> tuple[str, Draft]:
    """What was shown while it was written, and the draft."""
    *pieces, draft = components_for(settings_for(server), generate=builtin_generate).generate(request)
    assert isinstance(draft, Draft)
    return "".join(p for p in pieces if isinstance(p, str)), draft


@pytest.mark.parametrize("protocol", PROTOCOLS)
@pytest.mark.parametrize(
    ("reply", "shown", "draft"),
    [
        ("It is 12 mm [1, 3].", "It is 12 mm [1, 3].", Draft(text="It is 12 mm [1][3].")),
        (
            "NOT_FOUND The documents do not say.",
            "The documents do not say.",
            Draft(text="The documents do not say.", abstained=True),
        ),
        ("**NOT_FOUND**", "Not in the library.", Draft(text="Not in the library.", abstained=True)),
        ("Nothing on it. NOT_FOUND", "Nothing on it.", Draft(text="Nothing on it.", abstained=True)),
        # without the marker, in words: a small model forgets what it was told
        (
            *["The provided documents do not mention the gauge."] * 2,
            Draft(text="The provided documents do not mention the gauge.", abstained=True),
        ),
        (*["I do not know."] * 2, Draft(text="I do not know.", abstained=True)),
        (
            *["The documents do not say why, but it is 12 [1]."] * 2,
            Draft(text="The documents do not say why, but it is 12 [1]."),
        ),
        ("It is 12 [1]. NOT_FOUND", "It is 12 [1].", Draft(text="It is 12 [1].")),
        ("<think>only thinking</think>", "Built-in extract [1].", Draft(text="Built-in extract [1].")),
        ("", "Built-in extract [1].", Draft(text="Built-in extract [1].")),
    ],
)
def test_an_answer_is_shown_and_kept(start: Start, protocol: str, reply: str, shown: str, draft: Draft) -> None:
    seen, kept = generate(start(protocol, {"generate": reply}))

    assert seen.strip() == shown
    assert kept == draft


@pytest.mark.parametrize("protocol", PROTOCOLS)
def test_without_documents_no_model_is_asked(start: Start, protocol: str) -> None:
    server = start(protocol)

    shown, draft = generate(server, GenerateRequest(question="What?", documents=[], rejected=DOCS))
    assert (shown, draft) == ("Not in the library.", Draft(text="Not in the library.", abstained=True))
    assert server.requests == []


@pytest.mark.parametrize("protocol", PROTOCOLS)
@pytest.mark.parametrize("endless", ["round and round " * 2_000, "A" * 1_000_000], ids=["words", "one piece"])
def test_an_endless_answer_is_cut_off(start: Start, protocol: str, endless: str) -> None:
    shown, draft = generate(start(protocol, {"generate": endless}))

    assert LONGEST_ANSWER - 10 <= len(draft.text) <= LONGEST_ANSWER
    assert draft.text == shown.strip()


def test_a_model_that_writes_nothing_is_told_in_the_run(start: Start) -> None:
    trace = ask("naive", start("openai", {"generate": ""}))

    assert any("wrote nothing" in w for w in trace.warnings)
    assert trace.stop_reason == "answered"


@pytest.mark.parametrize("reason", ["it names no width", ""])
def test_an_attempt_after_one_that_was_not_useful_is_told_why(start: Start, reason: str) -> None:
    useful = {False: json.dumps({"score": "no", "reason": reason}), True: json.dumps({"score": "yes", "reason": ""})}
    server = start(
        "openai",
        {
            "grade_relevance": False,
            "generate": "One. [1]",
            "generate_again": lambda prompt: "Two. [1]" if (reason or UNGIVEN) in prompt else "Three. [1]",
            "grade_usefulness": lambda prompt: useful["Two." in prompt],
        },
    )
    trace = ask("self-rag-web", server)

    assert trace.path[2:] == ["search_web", "generate", "grade_answer"] * 2
    assert (trace.stop_reason, trace.state.answer) == ("useful", "Two. [1]")
    assert trace.warnings == ["The web search found nothing that was not found before."]


def rewrite(server: Server, **request: Any) -> Rewrite:
    builtin = Rewrite(query="gauge width", note="Key phrases.")
    given = RewriteRequest(**{"question": "How wide?", "queries": ["How wide?"], **request})
    return components_for(settings_for(server), rewrite=lambda _: builtin).rewrite(given)


@pytest.mark.parametrize("protocol", PROTOCOLS)
@pytest.mark.parametrize(
    ("reply", "query", "note"),
    [
        ("track gauge in millimetres", "track gauge in millimetres", ""),
        ('Here is a better query: "track gauge"', "track gauge", ""),
        ("How wide?", "gauge width", "repeated a query"),
        ("  how WIDE ", "gauge width", "repeated a query"),
        ("<think>hm", "gauge width", "gave no query"),
        ("", "gauge width", "gave no query"),
    ],
)
def test_a_query_is_rewritten_or_the_built_in_rewriter_steps_in(
    start: Start, protocol: str, reply: str, query: str, note: str
) -> None:
    rewritten = rewrite(start(protocol, {"rewrite": reply}))

    assert rewritten.query == query
    assert note in rewritten.note


def test_a_web_query_may_be_the_question_itself(start: Start) -> None:
    assert rewrite(start("openai", {"rewrite": "How wide?"}), aim="web") == Rewrite(query="How wide?")


@pytest.mark.parametrize(
    ("reply", "target"),
    [
        ('{"route": "vectorstore", "reason": "railways"}', "vectorstore"),
        ('{"route": "web_search", "reason": "not in the collection"}', "web search"),
        ('```json\n{"datasource": "web_search"}\n```', "web search"),
        ("<think>the web?</think>vectorstore", "vectorstore"),
        ("vectorstore", "vectorstore"),
        ("Web search.", "web search"),
        ("web_search: the collection does not hold it", "web search"),
        ("I would search the web for this.", "web search"),
        ("Use the library", "vectorstore"),
        ("route: vector store", "vectorstore"),
        ("either the library or the web", None),
        ('{"route": "vectorstore|web_search"}', None),
        ("Not the library, the web", None),
        ("yes", None),
        ("", None),
    ],
)
def test_a_route_is_read_as(reply: str, target: str | None) -> None:
    assert read_route(reply)[0] == target


@pytest.mark.parametrize("protocol", PROTOCOLS)
def test_an_unreadable_route_is_asked_once_more_then_the_library_is_searched(start: Start, protocol: str) -> None:
    server = start(protocol, {"route": ["hm", "no idea"]})
    trace = ask("adaptive", server)

    assert trace.path[:2] == ["route_question", "retrieve"]
    assert trace.state.route is not None
    assert "no idea" in trace.state.route.error
    assert any("library is searched" in w for w in trace.warnings)
    assert ask("adaptive", start(protocol, {"route": ["hm", "web_search"]})).path[1] == "search_web"


def test_the_router_is_told_what_the_library_holds(start: Start) -> None:
    server = start("openai")
    ask("adaptive", server)

    assert "Collection: Model railways." in server.requests[0].body["messages"][1]["content"]


def test_the_constant_part_of_a_prompt_comes_first(start: Start) -> None:
    server = start("openai")
    ask("self-rag", server, "A question with a word: xylophone?")

    assert all(r.body["messages"][0]["role"] == "system" for r in server.requests)
    assert not any("xylophone" in r.body["messages"][0]["content"] for r in server.requests)
    assert len({r.body["messages"][0]["content"] for r in server.requests}) == 4


def test_a_replaced_prompt_is_used(start: Start) -> None:
    server = start("openai", {"grade_relevance": False})
    ask(
        "crag",
        server,
        prompts={"grade_relevance": PROMPTS["grade_relevance"].system + " MINE\n---\n{question} {document}"},
    )

    assert "MINE" in server.requests[0].body["messages"][0]["content"]


def test_ollama_s_window_is_set_from_the_prompt_and_only_grows(start: Start) -> None:
    server = start("ollama")
    components = components_for(settings_for(server))
    long = [Document(id="l", text="word " * 6_000, source="s", title="t")]
    for documents in (DOCS, long, DOCS):
        list(components.generate(GenerateRequest(question="q", documents=documents)))

    windows = [r.body["options"]["num_ctx"] for r in server.requests]
    assert windows == [4_096, 16_384, 16_384]
    assert all(r.body["options"]["temperature"] == 0 for r in server.requests)


def test_a_prompt_near_the_limit_is_a_warning_of_the_run(start: Start) -> None:
    long = [Document(id="l", text="word " * 30_000, source="s", title="t")]
    trace = ask("naive", start("ollama"), fakes={"retrieve": lambda _: long})

    (warning,) = trace.warnings
    assert "may not have seen all of it" in warning


def test_usage_that_the_server_does_not_tell_is_unknown_not_zero(start: Start) -> None:
    trace = ask("naive", start("ollama", counts=False))

    (call,) = [e for e in trace.events if e.kind == "model_called"]
    assert (call.prompt_tokens, call.completion_tokens) == (None, None)


def test_a_refused_form_is_no_model_call(start: Start) -> None:
    trace = ask("crag", start("openai", formats=frozenset()))

    assert trace.llm_calls == 5


def test_verdicts_in_odd_clothes_lead_the_same_way(start: Start) -> None:
    odd = [json.dumps({"binary_score": True}), "예", "```json\n{'score': 'yes'}\n```", "<think>no</think> Yes."]
    trace = ask("crag", start("ollama", {"grade_relevance": [Say(o) for o in odd]}))

    assert [g.passed for _, g in trace.grades] == [True] * 4


def test_side_by_side_hands_over_each_result_once_and_the_first_error() -> None:
    assert sorted(side_by_side([lambda n=n: n * n for n in range(3 * MOST_AT_ONCE)])) == [
        (n, n * n) for n in range(3 * MOST_AT_ONCE)
    ]
    assert list(side_by_side([])) == []

    def fail() -> int:
        raise ServiceError("broken")

    with pytest.raises(ServiceError, match="broken"):
        list(side_by_side([fail]))


def test_once_makes_a_call_once_and_a_failed_one_again() -> None:
    once: Once[int] = Once()
    made: list[int] = []

    def call() -> int:
        made.append(1)
        if len(made) == 1:
            raise ServiceError("broken")
        return len(made)

    with pytest.raises(ServiceError):
        once("key", call)
    assert [once("key", call), once("key", call), once("other", call)] == [2, 2, 3]
