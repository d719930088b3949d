"""Each exported script, run as it stands against a model server, takes the path of the app's run on the same server."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from rag_graphs.engines.llm.abilities import MEMORY
from rag_graphs.engines.web import build_search
from rag_graphs.export.script import of_documents, script_name, script_of
from rag_graphs.graphs.state import Document, Turn
from rag_graphs.graphs.strategies import all_strategies, get_strategy
from rag_graphs.runs.runner import run
from rag_graphs.runs.trace import Trace
from rag_graphs.settings import Settings
from tests.engines.llm.conftest import components_for
from tests.export.script.kit import KEY, run_scripts
from tests.fakes import OURS
from tests.servers.openai import OpenAIServer
from tests.servers.script import Say, Script, draft_says
from tests.servers.tavily import TavilyServer

QUESTION = "How wide is the gauge?"
WORDS = ("gauge", "other words", "third way")
"""What the first search finds, and those with rewritten queries: identical verdicts are asked once, by app and script."""
LIBRARY = [
    Document(id=f"{word[0]}{n}", text=f"Text {n}. {word}.", source=f"https://example.org/{n}", title=f"Page {n}")
    for word in WORDS
    for n in range(1, 5)
]
LOOK = ["retrieve", "grade_documents"]
ANSWER = ["generate", "grade_answer"]

WRITTEN = ("useful", "answered", "not verified", "from the model, without sources")
"""Stop reasons of runs whose answer is the model's own text."""


@dataclass(frozen=True)
class Case:
    """A run: the model's replies by role, and the path and the stop reason that they lead to."""

    strategy: str
    replies: dict[str, Any]
    path: list[str] | None
    stop: str | None
    settings: dict[str, Any] = field(default_factory=dict)
    history: tuple[Turn, ...] = ()
    server: dict[str, Any] = field(default_factory=dict)
    tavily: bool = True


def reply(**values: Any) -> str:
    return json.dumps({**values, "reason": "scripted"})


def by_text(values: dict[str, Any]) -> Callable[[str], Any]:
    """A reply to a prompt by the first of these texts that it holds."""
    return lambda prompt: next(v for text, v in values.items() if text in prompt)


def found_by(query: str) -> list[Document]:
    """What the app's search finds here: as the scripts' own ranking does, the documents of the query's words."""
    word = next((word for word in WORDS if word in query), WORDS[0])
    return [document for document in LIBRARY if word in document.text]


CASES = {
    "naive, by meaning": Case(
        "naive", {}, ["retrieve", "generate"], "answered", {"embeddings": "openai:small", "k": 2}
    ),
    "self-rag, a server that takes words only": Case(
        "self-rag",
        {"grade_groundedness": by_text({"better": True, "": False})},
        [*LOOK, *ANSWER, *ANSWER],
        "useful",
        server={"formats": frozenset(), "refuses": frozenset({"logprobs", "top_logprobs"})},
    ),
    "crag, web search off": Case(
        "crag",
        {"grade_relevance": False},
        [*LOOK, "rewrite_query", "search_web", "generate"],
        "search unavailable",
        {"web": "off"},
    ),
    "crag, the sample web": Case(
        "crag",
        {"grade_relevance": False, "rewrite": "prompt engineering"},
        [*LOOK, "rewrite_query", "search_web", "generate"],
        "answered",
        tavily=False,
    ),
    "naive": Case("naive", {}, ["retrieve", "generate"], "answered"),
    "naive, not in the documents": Case(
        "naive", {"generate": "NOT_FOUND The documents do not say."}, ["retrieve", "generate"], "no relevant documents"
    ),
    "naive, not in the documents, said in words": Case(
        "naive", {"generate": "The documents do not contain this."}, ["retrieve", "generate"], "no relevant documents"
    ),
    "self-rag, every loop": Case(
        "self-rag",
        {
            "grade_relevance": by_text({"gauge.": False, "": True}),
            "generate": ["One. [1]", "Three. [1]"],
            "generate_again": "Two. [1]",
            "grade_groundedness": by_text({"One.": False, "": True}),
            "grade_usefulness": by_text({"Three.": True, "": False}),
            "rewrite": ["other words", "the third way"],
        },
        [*LOOK, "rewrite_query", *LOOK, *ANSWER, *ANSWER, "rewrite_query", *LOOK, *ANSWER],
        "useful",
    ),
    "self-rag, nothing relevant": Case(
        "self-rag",
        {"grade_relevance": False},
        [*LOOK, *["rewrite_query", *LOOK] * 2, "give_up"],
        "no relevant documents",
        {"max_rewrites": 2},
    ),
    "self-rag, unreadable": Case("self-rag", {"grade_usefulness": "perhaps"}, [*LOOK, *ANSWER], "not verified"),
    "self-rag, gate by the question": Case(
        "self-rag",
        {"decide_retrieval": False},
        ["decide_retrieval", "generate_directly"],
        "from the model, without sources",
        {"gate": "question"},
    ),
    "self-rag, gate by probability": Case(
        "self-rag",
        {"decide_retrieval": Say(False, p_yes=0.3)},  # more than the threshold of 0.2, though the verdict is a no
        ["decide_retrieval", *LOOK, *ANSWER],
        "useful",
        {"gate": "question"},
    ),
    "self-rag, gate by an attempt": Case(
        "self-rag",
        {"decide_retrieval": False},
        ["decide_retrieval", "generate_directly"],
        "from the model, without sources",
        {"gate": "attempt"},
    ),
    "self-rag, gate by an attempt that fails": Case(
        "self-rag",
        {"decide_retrieval": False, "generate_directly": "I do not know."},
        ["decide_retrieval", *LOOK, *ANSWER],
        "useful",
        {"gate": "attempt"},
    ),
    "self-rag, in a conversation": Case(
        "self-rag",
        {
            "grade_relevance": by_text({"gauge.": False, "": True}),
            "condense_question": "How wide is the gauge of the railway?",
        },
        ["condense_question", *LOOK, "rewrite_query", *LOOK, *ANSWER],
        "useful",
        {"conversing": True},
        (Turn(question="What is a railway?", answer="The answer is 12. [1]"),),
    ),
    "self-rag-web, until it gives up": Case(
        "self-rag-web",
        {"grade_relevance": False, "grade_usefulness": False},
        [*LOOK, *["search_web", *ANSWER] * 2, "give_up"],
        "retry budget spent",
    ),
    "self-rag-web, any irrelevant": Case(
        "self-rag-web",
        {"grade_relevance": by_text({"Text 2.": False, "": True})},
        [*LOOK, "search_web", *ANSWER],
        "useful",
        {"search_when": "any irrelevant"},
    ),
    "self-rag-critique": Case(
        "self-rag-critique",
        {
            "draft": by_text(
                {
                    "Text 1.": draft_says("First. [1]", useful=2),
                    "Text 2.": draft_says("Second. [1]", chances={"useful": {"5": 0.9, "4": 0.1}}),
                    "Text 3.": draft_says("Third. [1]", supported="partially"),
                    "Text 4.": draft_says("Fourth. [1]", relevant="irrelevant"),
                }
            )
        },
        ["decide_retrieval", "retrieve", "draft_answers", "rank_drafts"],
        "useful",
    ),
    "self-rag-critique, no draft of use": Case(
        "self-rag-critique",
        {"draft": draft_says("None. [1]", relevant="irrelevant", supported="no", useful=1)},
        ["decide_retrieval", "retrieve", "draft_answers", "rank_drafts"],
        "no relevant documents",
    ),
    "crag, the web": Case(
        "crag",
        {"grade_relevance": by_text({"Text 2.": True, "": False})},
        [*LOOK, "rewrite_query", "search_web", "generate"],
        "answered",
    ),
    "crag-local, the web": Case(
        "crag-local",
        {"grade_relevance": by_text({"Text 3.": False, "": True})},
        [*LOOK, "search_web", "generate"],
        "answered",
    ),
    "crag-refined, ambiguous": Case(
        "crag-refined",
        {"evaluate_retrieval": reply(score=0.5)},
        ["retrieve", "evaluate_retrieval", "refine", "rewrite_query", "search_web", "refine_web", "generate"],
        "answered",
        {"evaluator_upper": 0.7, "evaluator_lower": 0.3},
    ),
    "crag-refined, scores out of ten": Case(
        "crag-refined",
        {"evaluate_retrieval": reply(score="8/10")},
        ["retrieve", "evaluate_retrieval", "refine", "generate"],
        "answered",
    ),
    "crag-refined, incorrect": Case(
        "crag-refined",
        {"evaluate_retrieval": reply(score=0.0)},
        ["retrieve", "evaluate_retrieval", "rewrite_query", "search_web", "refine_web", "generate"],
        "answered",
    ),
    "crag-refined, correct": Case(
        "crag-refined",
        {"evaluate_retrieval": by_text({"Text 2.": reply(score=1.0), "": reply(score=0.1)})},
        ["retrieve", "evaluate_retrieval", "refine", "generate"],
        "answered",
    ),
    "adaptive, by the web": Case(
        "adaptive",
        {"route": reply(route="web_search"), "grade_groundedness": by_text({"better": True, "": False})},
        ["route_question", "search_web", *ANSWER, *ANSWER],
        "useful",
    ),
    "adaptive, by the library": Case(
        "adaptive",
        {"grade_relevance": by_text({"gauge.": False, "": True}), "grade_usefulness": False},
        ["route_question", *LOOK, "rewrite_query", *LOOK, *ANSWER, "give_up"],
        "retry budget spent",
        {"max_rewrites": 1},
    ),
    "adaptive-direct": Case(
        "adaptive-direct",
        {"route": reply(route="no_retrieval")},
        ["route_question", "generate_directly"],
        "from the model, without sources",
    ),
    "adaptive-direct, not known": Case(
        "adaptive-direct",
        {"route": reply(route="no_retrieval"), "generate_directly": "NOT_FOUND I cannot say."},
        ["route_question", "generate_directly"],
        "no relevant documents",
    ),
    "adaptive-complexity, a chain": Case(
        "adaptive-complexity",
        {
            "classify_complexity": reply(complexity="C"),
            "reason_step": ["The gauge is that of Stephenson.", "So the answer is: 1435 mm."],
            "generate": by_text({"that of Stephenson": "It is “1435 mm”.", "": "The chain is missing."}),
        },
        ["classify_complexity", *["retrieve_more", "reason_step"] * 2, "generate"],
        "answered",
    ),
    "adaptive-complexity, nothing to look up": Case(
        "adaptive-complexity",
        {"classify_complexity": reply(complexity="A")},
        ["classify_complexity", "generate_directly"],
        "from the model, without sources",
    ),
}


for strategy_key in set(all_strategies()) - {case.strategy for case in CASES.values()}:
    # a strategy without a case of its own: whatever path the app takes, its script takes it, too
    CASES[strategy_key] = Case(strategy_key, {}, None, None)


@pytest.fixture(scope="module")
def scripts(tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[str, Any]]:
    """What each case's script told, by the case's name."""
    folder = tmp_path_factory.mktemp("scripts")
    servers = {name: OpenAIServer(key=KEY, script=Script(c.replies), **c.server) for name, c in CASES.items()}
    with TavilyServer() as tavily:
        for server in servers.values():
            server.__enter__()
        try:
            told = [told_case(folder, name, CASES[name], server, tavily) for name, server in servers.items()]
            yield dict(zip(CASES, run_scripts(told, folder), strict=True))
        finally:
            for server in servers.values():
                server.__exit__()


def told_case(folder: Path, name: str, case: Case, server: OpenAIServer, tavily: TavilyServer) -> dict[str, Any]:
    """A script in a folder of its own, and how it is run."""
    strategy = get_strategy(case.strategy)
    place = folder / f"{len(list(folder.iterdir()))}"
    place.mkdir()
    script = place / script_name(strategy)
    script.write_bytes(script_of(strategy, settings_of(case, server), of_documents(LIBRARY, "Model railways.")))
    environment = {"OPENAI_API_KEY": KEY, "OPENAI_BASE_URL": server.base_url}
    if case.tavily:
        environment |= {"TAVILY_API_KEY": tavily.key, "TAVILY_BASE_URL": tavily.url}
    questions = [*(turn.question for turn in case.history), QUESTION]
    return {"script": str(script), "arguments": ["--path", *questions], "environment": environment}


def settings_of(case: Case, server: OpenAIServer) -> Settings:
    place = {"model": "openai:small", "openai_base_url": server.base_url, "openai_api_key": KEY, "timeout": 5.0}
    return Settings().change(**place, **case.settings)


def of_the_app(case: Case) -> Trace:
    """The app's run on the same replies."""
    MEMORY.forget()
    fakes: dict[str, Any] = {"retrieve": found_by, "retrieve_many": lambda query, k: found_by(query)[:k]}
    with OpenAIServer(key=KEY, script=Script(case.replies), **case.server) as server:
        settings = settings_of(case, server)
        fakes |= {"search_web": build_search(settings)} if settings.web == "off" else {}
        components, strategy = components_for(settings, **fakes), get_strategy(case.strategy)
        return Trace(list(run(strategy, QUESTION, components, settings, history=list(case.history))))


@pytest.mark.parametrize("name", CASES)
def test_the_script_takes_the_path_of_the_app(name: str, scripts: dict[str, Any]) -> None:
    case, told = CASES[name], scripts[name]
    assert told["failed"] == ""
    trace = of_the_app(case)
    assert (told["path"], told["stop_reason"]) == (trace.path, trace.stop_reason), trace.error
    assert case.path in (None, trace.path)
    assert case.stop in (None, trace.stop_reason)
    if trace.stop_reason in WRITTEN:
        assert told["answer"] == trace.state.answer


def test_the_reasoning_of_a_chain_reaches_the_writer(scripts: dict[str, Any]) -> None:
    assert scripts["adaptive-complexity, a chain"]["answer"] == "It is “1435 mm”."


def test_the_sample_web_stands_in_where_there_is_no_key(scripts: dict[str, Any]) -> None:
    assert "found: What is prompt engineering?" in scripts["crag, the sample web"]["printed"]
    assert "found: Tides" in scripts["crag, the web"]["printed"]


def test_every_strategy_of_ours_has_a_case_of_its_own() -> None:
    assert {case.strategy for case in CASES.values() if case.path} >= set(OURS)


def test_a_run_is_told_as_it_goes(scripts: dict[str, Any]) -> None:
    lines = [line.strip() for line in scripts["self-rag, every loop"]["printed"].splitlines()]
    nodes = [line.partition(". ")[2] for line in lines if line[:1].isdigit()]
    assert nodes == CASES["self-rag, every loop"].path
    assert {"query: other words", "found: Page 2", "groundedness: not grounded scripted"} <= set(lines)
    assert lines[-2] == "Stopped: useful"


def test_the_best_draft_is_the_answer(scripts: dict[str, Any]) -> None:
    assert (
        scripts["self-rag-critique"]["answer"] == "Second. [1]" == of_the_app(CASES["self-rag-critique"]).state.answer
    )
