"""`ask`: what it prints, what its one JSON document holds, how it ends."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any, NoReturn

import pytest

from rag_graphs.errors import ServiceError
from rag_graphs.graphs.state import Draft, Grade
from rag_graphs.runs.events import TRACE_VERSION
from rag_graphs.runs.trace import Trace
from rag_graphs.samples import collections
from rag_graphs.settings import Settings
from tests.cli.conftest import Desk
from tests.fakes import DOCS, fake

ASK = ("ask", "Why?", "--strategy", "self-rag")
RESULT = {"version", "run_id", "strategy", "question", "answer", "stop_reason", "path", "outcomes", "queries", "grades"}
KEYS = RESULT | {"seconds", "llm_calls", "error", "warnings", "events"}


def test_it_prints_path_grades_queries_and_answer(desk: Desk) -> None:
    desk.components = fake(relevant=[[False] * 4, [True, False, False, False]])
    done = desk(*ASK)
    assert done.code == 0
    assert done.err == ""
    lines = done.out.splitlines()
    nodes = [line.removeprefix("● ") for line in lines if line.startswith("●")]
    assert nodes == [
        "retrieve",
        "grade_documents",
        "rewrite_query",
        "retrieve (2)",
        "grade_documents (2)",
        "generate",
        "grade_answer",
    ]
    for expected in (
        "Why?",
        "  1 Page 1",
        "  1 Page 1: ✗ not relevant",
        "  1 Page 1: ✓ relevant",
        "  query: Why? (1)",
        "  → none relevant",
        "An answer. [1]",
        "  [1] Page 1  https://example.org/a",
        "Stopped: useful",
    ):
        assert expected in lines
    assert "\x1b" not in done.out, "no colours where nobody looks at a terminal"


@pytest.mark.parametrize(
    ("strategy", "fakes", "told"),
    [
        (
            "self-rag-critique",
            {},
            ["decision: scripted", "draft 1: From Page 1. [1]", "groundedness: ✓ fully supported", "usefulness: ✓ 5"],
        ),
        ("crag-refined", {"scores": [0.5]}, ["4 of 4 strips kept", "1 of 1 strips kept"]),
        (
            "adaptive-complexity",
            {"complexity": "C"},
            ["complexity: scripted", "→ C", "reasoned: So the answer is: 12."],
        ),
    ],
)
def test_it_prints_what_only_the_further_strategies_have(
    desk: Desk, strategy: str, fakes: dict[str, Any], told: list[str]
) -> None:
    desk.components = fake(**fakes)
    lines = [line.strip() for line in desk("ask", "Why?", "--strategy", strategy).out.splitlines()]
    assert [line for line in lines if line in told][: len(told)] == told


def test_json_is_one_document_with_everything(desk: Desk) -> None:
    done = desk(*ASK, "--json")
    assert (done.code, done.err) == (0, "")
    told = done.json
    assert set(told) == KEYS
    assert (told["version"], told["strategy"], told["question"]) == (TRACE_VERSION, "self-rag", "Why?")
    assert (told["answer"], told["stop_reason"], told["error"]) == ("An answer. [1]", "useful", None)
    assert told["path"] == ["retrieve", "grade_documents", "generate", "grade_answer"]
    assert told["outcomes"][0] == {"from": "START", "outcome": "", "to": "retrieve"}
    assert [o["outcome"] for o in told["outcomes"] if o["outcome"]] == ["some relevant", "useful"]
    assert told["queries"] == ["Why?"]
    assert [g["aspect"] for g in told["grades"]] == ["relevance"] * 4 + ["groundedness", "usefulness"]
    first, last = told["grades"][0], told["grades"][-1]
    assert first["document"] == {
        "source": "https://example.org/a",
        "title": "Page 1",
        "text": "Text 1.",
        "origin": "library",
    }
    assert last["document"] is None
    assert {"passed", "label", "score", "reason"} <= set(first)
    assert told["llm_calls"] == 0
    assert told["seconds"] > 0


def test_the_json_document_is_a_trace(desk: Desk) -> None:
    done = desk(*ASK, "--json")
    trace = Trace.from_json(done.out)
    assert trace.head.run_id == done.json["run_id"]
    assert trace.path == done.json["path"]


def test_a_run_that_breaks_exits_1_with_its_document(desk: Desk) -> None:
    def fail(query: str) -> NoReturn:
        raise ServiceError("The server at 127.0.0.1 refused the connection. Is it running?")

    desk.components = fake(retrieve=fail)
    done = desk(*ASK, "--json")
    assert done.code == 1
    assert set(done.json) == KEYS
    assert (done.json["stop_reason"], done.json["path"]) == ("failed", ["retrieve"])
    assert done.json["error"] == done.err.strip() == "The server at 127.0.0.1 refused the connection. Is it running?"
    assert desk(*ASK).code == 1


@pytest.mark.parametrize("stop", ["not verified", "no relevant documents"])
def test_every_end_of_its_own_exits_0(desk: Desk, stop: str) -> None:
    desk.components = fake(verdicts=[(None, None)]) if stop == "not verified" else fake(relevant=[[False] * 4])
    done = desk(*ASK, "--json")
    assert (done.code, done.json["stop_reason"]) == (0, stop)


def test_a_source_that_does_not_load_is_a_warning(desk: Desk) -> None:
    done = desk(*ASK, "--source", "https://bad.example/", "--source", "notes.md", "--json")
    assert done.code == 0
    assert "Warning: https://bad.example/ was not loaded: The server says" in done.err
    assert done.json["warnings"][0].startswith("https://bad.example/: The server says")
    assert desk.built[-1][1] == ["id of notes.md"]


def test_no_source_at_all_exits_1(desk: Desk) -> None:
    done = desk(*ASK, "--source", "https://bad.example/", "--json")
    assert done.code == 1
    assert set(done.json) == KEYS
    assert (done.json["stop_reason"], done.json["path"], done.json["events"]) == ("failed", [], [])
    assert "None of the sources could be loaded" in done.json["error"]


def test_without_sources_the_whole_sample_library_is_loaded(desk: Desk) -> None:
    desk(*ASK)
    assert desk.built[-1][1] == [f"id of https://sample.example/{key}" for key in collections()]


def test_a_collection_can_be_chosen(desk: Desk) -> None:
    desk(*ASK, "--collection", "baseball-ko")
    assert desk.built[-1][1] == ["id of https://sample.example/baseball-ko"]
    wrong = desk(*ASK, "--collection", "chess")
    assert wrong.code == 2
    assert all(key in wrong.err for key in collections())


def test_options_become_settings(desk: Desk) -> None:
    options = (
        "--web",
        "off",
        "--embeddings",
        "e5",
        "--set",
        "max_rewrites=1",
        "--set",
        "careless=true",
        "--model",
        "ollama:x",
    )
    desk(*ASK, *options)
    chosen = desk.built[-1][0]
    assert (chosen.web, chosen.embeddings, chosen.max_rewrites, chosen.careless) == ("off", "e5", 1, True)
    assert chosen.model == "ollama:x"


def test_prompts_are_set_as_json(desk: Desk) -> None:
    desk(*ASK, "--set", 'prompts={"generate": "Be brief. {question}"}')
    assert desk.built[-1][0].prompts == {"generate": "Be brief. {question}"}


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (("--set", "max_rewrite=1"), "There is no setting max_rewrite. Settings: allow_hosts, careless"),
        (("--set", "max_rewrites"), "--set takes NAME=VALUE"),
        (("--set", "max_rewrites=many"), "max_rewrites: Input should be a valid integer"),
        (("--set", "prompts=brief"), "--set prompts= takes a JSON object"),
        (("--model", "gpt-4o-mini"), "write builtin, openai:NAME or ollama:NAME"),
        (("--model", "openai:gpt-4o-mini"), "openai:NAME needs a key. Set OPENAI_API_KEY."),
        (("--strategy", "magic"), "There is no strategy 'magic'. Strategies: self-rag, self-rag-web,"),
    ],
)
@pytest.mark.parametrize("as_json", [False, True])
def test_wrong_usage_exits_2_with_a_sentence(desk: Desk, arguments: tuple[str, ...], says: str, as_json: bool) -> None:
    done = desk(*ASK, *arguments, *(["--json"] if as_json else []))
    assert done.code == 2
    assert says in done.err
    assert done.err.count("\n") == 1
    if as_json:
        assert says in done.json["error"]
    else:
        assert done.out == ""


@pytest.mark.parametrize("question", ["", "  \n", "x" * 2001, "\udcff"])
def test_a_question_that_is_none_exits_2(desk: Desk, question: str) -> None:
    assert desk("ask", question, "--strategy", "naive").code == 2


@pytest.mark.parametrize("arguments", [(), ("ask",), ("ask", "Why?"), ("ask", "Why?", "--strategy"), ("dance",)])
def test_argparse_exits_2_too(desk: Desk, arguments: tuple[str, ...]) -> None:
    with pytest.raises(SystemExit) as left:
        desk(*arguments)
    assert left.value.code == 2


def test_the_data_folder_is_a_temporary_one(desk: Desk) -> None:
    desk(*ASK)
    folder = desk.built[-1][0].data_dir
    assert "rag-graphs-" in folder.name
    assert not folder.exists()
    assert desk.kept == []


@pytest.mark.parametrize("way", ["option", "environment", "set"])
def test_a_data_folder_that_is_named_keeps_the_run(
    desk: Desk, way: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    arguments = {"option": ["--data-dir", str(tmp_path)], "set": ["--set", f"data_dir={tmp_path}"]}.get(way, [])
    if way == "environment":
        monkeypatch.setenv("RAG_DATA_DIR", str(tmp_path))
    done = desk(*ASK, *arguments, "--json")
    assert desk.built[-1][0].data_dir == tmp_path
    assert desk.kept[0].run_id == done.json["run_id"]
    assert desk.kept[-1].kind == "run_finished"


def interrupt_after_first_grade(question: str, documents: object) -> Iterator[tuple[int, Grade]]:
    yield 0, Grade(aspect="relevance", passed=True, label="relevant")
    raise KeyboardInterrupt


@pytest.mark.parametrize("as_json", [True, False])
def test_ctrl_c_stops_the_run(desk: Desk, as_json: bool) -> None:
    desk.components = fake(grade_relevance=interrupt_after_first_grade)
    done = desk(*ASK, *(["--json"] if as_json else []))
    assert done.code == 130
    assert done.err == "Stopped.\n"
    if as_json:
        assert (done.json["stop_reason"], done.json["path"]) == ("stopped", ["retrieve", "grade_documents"])
        assert done.json["events"][-1]["kind"] == "run_stopped"


def test_a_page_cannot_steer_the_terminal(desk: Desk) -> None:
    evil = replace(DOCS[0], title="A\x1b[2J\x07page\u202e", heading="\x9b31m")
    desk.components = fake(
        retrieve=lambda query: [evil],
        generate=lambda request: iter(["\x1b]0;title\x07x", Draft(text="\x1b[31mred [1]")]),
    )
    done = desk(*ASK)
    assert not set(done.out) & set("\x1b\x07\x9b\u202e")
    assert "A[2Jpage" in done.out


def test_what_a_library_prints_never_reaches_the_document(desk: Desk) -> None:
    def chatty(query: str) -> Any:
        sys.stdout.write("Loading model…")
        return DOCS

    desk.components = fake(retrieve=chatty)
    done = desk(*ASK, "--json")
    assert done.json["stop_reason"] == "useful"
    assert "Loading model…" in done.err


def test_no_key_reaches_the_document(desk: Desk) -> None:
    done = desk(*ASK, "--set", "openai_api_key=sk-1234567890", "--json")
    assert "sk-1234567890" not in done.out + done.err
    assert desk.built[-1][0].openai_api_key is not None


def test_settings_are_recorded(desk: Desk) -> None:
    assert desk(*ASK, "--set", "k=7", "--json").json["events"][0]["settings"]["k"] == 7
    assert Settings().k == 4
