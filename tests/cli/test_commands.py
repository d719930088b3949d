"""`load`, `strategies`, `diagram` and the console itself."""

from __future__ import annotations

import io
import json
import subprocess
import sys
from argparse import _SubParsersAction
from pathlib import Path
from pkgutil import resolve_name
from typing import Any

import pytest

from rag_graphs.cli.console import Console
from rag_graphs.cli.main import parser
from rag_graphs.graphs.outline import outline_of
from rag_graphs.graphs.strategies import all_strategies
from rag_graphs.settings import Settings
from tests.cli.conftest import Desk
from tests.conftest import ROOT, clean_environment

COMMAND = [sys.executable, "-m", "rag_graphs"]


def test_load_reports_on_each(desk: Desk) -> None:
    done = desk("load", "https://good.example/", "https://bad.example/", "short.md", "--json")
    assert done.code == 1
    good, bad, short = done.json
    assert (good["address"], good["status"], good["ok"]) == ("https://good.example/", "loaded", True)
    facts = {name: good[name] for name in ("kind", "encoding", "language", "characters", "chunks", "warnings")}
    assert facts == {
        "kind": "html",
        "encoding": "utf-8",
        "language": "en",
        "characters": 321,
        "chunks": 2,
        "warnings": [],
    }
    assert (bad["status"], bad["characters"], bad["chunks"]) == ("not found", 0, 0)
    assert "no such page" in bad["message"]
    assert short["warnings"] == ["It is very short."]


def test_load_in_words(desk: Desk) -> None:
    done = desk("load", "https://good.example/", "short.md")
    assert done.code == 0
    assert "✓ https://good.example/  loaded" in done.out
    assert "A page: html, utf-8, en, 321 characters, 2 chunks" in done.out
    assert "! It is very short." in done.out
    failed = desk("load", "https://bad.example/")
    assert failed.code == 1
    assert "✗ https://bad.example/  not found" in failed.out
    assert "no such page" in failed.out


class TestScript:
    def test_it_goes_to_a_file_a_folder_or_standard_output(self, desk: Desk, tmp_path: Path) -> None:
        done = desk("strategies", "crag", "--script", str(tmp_path / "mine.py"), "--set", "k=7")
        assert (done.code, done.out.strip()) == (0, f"Written: {tmp_path / 'mine.py'}")
        assert "k: int = 7" in (tmp_path / "mine.py").read_text(encoding="utf-8")
        assert desk("strategies", "crag", "--script", str(tmp_path)).code == 0
        assert (tmp_path / "crag.py").is_file()

    def test_it_needs_a_strategy(self, desk: Desk) -> None:
        done = desk("strategies", "--script")
        assert done.code == 2
        assert "strategies KEY --script FILE" in done.err
        assert desk("strategies", "magic", "--script").code == 2

    def test_whole_on_standard_output(self) -> None:
        done = subprocess.run(
            [*COMMAND, "strategies", "naive", "--script", "--collection", "baseball-es", "--embeddings", "minilm"],
            cwd=ROOT, env=clean_environment(), capture_output=True, check=False,
        )  # fmt: skip
        assert done.returncode == 0, done.stderr
        assert "jonrón" in done.stdout.decode()
        compile(done.stdout, "naive.py", "exec")


def test_one_strategy_can_be_listed(desk: Desk) -> None:
    assert [told["key"] for told in desk("strategies", "crag", "--json").json] == ["crag"]


def test_strategies_lists_graphs(desk: Desk) -> None:
    done = desk("strategies", "--json")
    assert done.code == 0
    assert [s["key"] for s in done.json] == list(all_strategies())
    for told in done.json:
        outline = outline_of(all_strategies()[told["key"]], Settings())
        assert told["nodes"] == list(outline.nodes)
        assert told["edges"][0]["from"] == "START"
        assert {"from": "START", "outcome": "", "to": told["nodes"][0]} in told["edges"]
        assert any(e["to"] == "END" for e in told["edges"])
        assert {"family", "title"} <= set(told)


def test_strategies_in_words(desk: Desk) -> None:
    out = desk("strategies").out
    assert "self-rag  Self-RAG  Self-RAG" in out
    assert "    grade_documents → rewrite_query  (none relevant)" in out


def test_diagram_prints_an_svg(desk: Desk) -> None:
    done = desk("diagram", "crag")
    assert done.code == 0
    assert done.out.startswith('<?xml version="1.0" encoding="UTF-8"?>\n<svg')
    assert done.out.rstrip().endswith("</svg>")
    assert "grade" in done.out
    assert desk("diagram", "magic").code == 2


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


@pytest.mark.parametrize(
    ("out", "variables", "coloured"),
    [
        (Terminal, {}, True),
        (Terminal, {"NO_COLOR": "1"}, False),
        (Terminal, {"TERM": "dumb"}, False),
        (io.StringIO, {}, False),
    ],
)
def test_colours(out: Any, variables: dict[str, str], coloured: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("NO_COLOR", raising=False)
    monkeypatch.setenv("TERM", "xterm")
    for name, value in variables.items():
        monkeypatch.setenv(name, value)
    console = Console(out=out())
    console.line("a ", ("green", "green", "bold"))
    expected = "a \x1b[32;1mgreen\x1b[0m\n" if coloured else "a green\n"
    assert console.out.getvalue() == expected  # type: ignore[attr-defined]


def test_an_open_line_is_ended_before_the_next() -> None:
    console = Console(out=io.StringIO())
    for act in (lambda: console.write("a"), lambda: console.write("b"), lambda: console.line("c"), console.end):
        act()
    assert console.out.getvalue() == "ab\nc\n"  # type: ignore[attr-defined]


def test_a_terminal_without_unicode_gets_question_marks_and_valid_json() -> None:
    out = io.TextIOWrapper(io.BytesIO(), encoding="ascii")
    console = Console(out=out)
    console.line("→ 홈런")
    console.document({"q": "홈런 🍩"})
    out.seek(0)
    first, rest = out.read().split("\n", 1)
    assert first == "? ??"
    assert json.loads(rest) == {"q": "홈런 🍩"}


def test_a_reader_that_leaves_is_no_crash() -> None:
    process = subprocess.Popen(
        [*COMMAND, "strategies"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        cwd=ROOT,
        env=clean_environment(),
    )
    assert process.stdout and process.stderr  # noqa: PT018
    process.stdout.close()
    assert process.stderr.read() == b""
    assert process.wait(timeout=60) == 141
    process.stderr.close()


def test_help_is_quick_and_names_every_command() -> None:
    code = "import sys, rag_graphs.cli.main as c; c.parser(); sys.exit('langgraph' in sys.modules or 'streamlit' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, env=clean_environment(), check=False)
    assert done.returncode == 0
    text = subprocess.run(
        [*COMMAND, "--help"], cwd=ROOT, env=clean_environment(), capture_output=True, text=True, check=True
    ).stdout
    assert all(name in text for name in ("ask", "load", "strategies", "diagram", "serve"))


def test_every_command_names_a_function_that_exists() -> None:
    """The names are texts, which a rename does not follow by itself."""
    actions = [action for action in parser()._actions if isinstance(action, _SubParsersAction)]
    named = [command.get_default("command") for action in actions for command in action.choices.values()]
    assert len(named) == 10
    assert all(callable(resolve_name(f"rag_graphs.cli.{name}")) for name in named)
