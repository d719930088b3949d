"""The check of the set-up: what is tried, and in which words each fault is told, also on the command line."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from rag_graphs.cli.main import main
from rag_graphs.engines.llm.offered import offered_models
from rag_graphs.settings import Settings
from rag_graphs.workspace.checks import Check, planned, tried
from tests.engines.llm.conftest import Start, settings_for
from tests.servers.seven import KEY, SEVEN, broken
from tests.servers.tavily import TavilyServer


def results(settings: Settings) -> dict[str, Check]:
    """By key, without the built-in models: they take a second to load."""
    return {c.key: c for c in tried([c for c in planned(settings) if c.key not in ("minilm", "e5")])}


@pytest.fixture
def home(tmp_path: Path) -> Settings:
    return Settings().change(data_dir=tmp_path / "data", timeout=5.0)


@pytest.mark.parametrize("kind", SEVEN)
def test_each_of_the_seven_faults_has_its_sentence(kind: str, home: Settings) -> None:
    with broken(kind) as values:
        found = results(home.change(**values))["model:openai:small"]
    assert (found.ok, found.kind) == (False, kind)
    assert SEVEN[kind] in found.message
    assert KEY not in str(found.plain())
    assert [k for k, words in SEVEN.items() if words in found.message] == [kind]


@pytest.mark.parametrize("kind", SEVEN)
def test_so_it_has_on_the_command_line(
    kind: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    with broken(kind) as values:
        if values["openai_api_key"]:
            monkeypatch.setenv("OPENAI_API_KEY", values["openai_api_key"])
        monkeypatch.setenv("OPENAI_BASE_URL", values.get("openai_base_url", ""))
        monkeypatch.setenv("RAG_TIMEOUT", str(values.get("timeout", 5)))
        options = ["--model", "openai:small", "--embeddings", "minilm", "--data-dir", str(tmp_path)]
        assert main(["check", *options]) == 1
        said = capsys.readouterr()
        assert SEVEN[kind] in said.out
        assert "1 of 4 does not work." in said.out
        page = tmp_path / "page.md"
        page.write_text("# Tides\n\nThe moon pulls the water of the sea, twice a day.")
        asked = main(["ask", "What pulls the sea?", "--strategy", "naive", "--source", str(page), *options])
        assert asked == (2 if kind == "no key" else 1)
        told = capsys.readouterr()
    assert SEVEN[kind] in told.err
    assert KEY not in said.out + said.err + told.out + told.err


def test_as_json_there_is_one_document(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check", "--json", "--data-dir", str(tmp_path), "--embeddings", "minilm"]) == 0
    said = json.loads(capsys.readouterr().out)
    assert said["ok"] is True
    assert [(c["key"], c["ok"], c["kind"]) for c in said["checks"]] == [
        ("folder", True, ""),
        ("minilm", True, ""),
        ("web", True, ""),
    ]


@pytest.mark.parametrize("protocol", ["openai", "ollama"])
def test_each_model_is_asked_once_whatever_its_roles(start: Start, protocol: str, home: Settings) -> None:
    server = start(protocol, models=("small", "large"))
    settings = settings_for(
        server, model_generate=f"{protocol}:large", embeddings=f"{protocol}:small", data_dir=home.data_dir
    )
    found = results(settings)
    assert [(k, c.ok) for k, c in found.items()] == [
        ("folder", True),
        (f"model:{protocol}:small", True),
        (f"model:{protocol}:large", True),
        ("embeddings", True),
        ("web", True),
    ]
    assert found[f"model:{protocol}:small"].title == f"Model {protocol}:small, which grades and routes and rewrites"
    assert found["embeddings"].message == "They work: vectors of 3 numbers."
    assert len(server.requests) == 3


def test_a_model_that_says_nothing_and_a_folder_that_cannot_be_written(start: Start, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("no folder")
    settings = settings_for(start("openai", {"check": ""}), data_dir=tmp_path / "file" / "data")
    found = results(settings)
    assert "answered with nothing" in found["model:openai:small"].message
    assert "cannot be written" in found["folder"].message
    assert "RAG_DATA_DIR" in found["folder"].message


@pytest.mark.parametrize(
    ("key", "words"),
    [("tvly-right", "Tavily answers: 2 pages"), ("tvly-x", "refused the key"), (None, "no Tavily key")],
)
def test_the_web_search(key: str | None, words: str, home: Settings) -> None:
    with TavilyServer() as server:
        found = results(home.change(web="tavily", tavily_api_key=key, tavily_base_url=server.url))["web"]
    assert words in found.message
    assert found.ok is (key == "tvly-right")


def test_no_search_is_no_fault(home: Settings) -> None:
    found = results(home.change(web="off"))["web"]
    assert found.ok
    assert "Switched off" in found.message


@pytest.mark.parametrize("protocol", ["openai", "ollama"])
def test_a_server_tells_its_models(start: Start, protocol: str) -> None:
    server = start(protocol, models=("small", "Big", "with space", "x" * 300))
    assert offered_models(protocol, settings_for(server)) == ["Big", "small"]


@pytest.mark.parametrize("kind", ["no key", "wrong key", "refused connection", "time-out"])
def test_a_server_that_does_not_tell_them_says_why(kind: str, home: Settings) -> None:
    with broken(kind) as values, pytest.raises(Exception, match=SEVEN[kind]):
        offered_models("openai", home.change(**values))
