"""The command line as a program of its own, on the built-in engine: nothing is faked."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from rag_graphs.runs.trace import Trace
from tests.conftest import ROOT, clean_environment

PAGE = """# Tides at Ravenholm

The harbour of Ravenholm falls dry twice a day. High water comes fifty minutes later each day.

## The old lighthouse

The lighthouse keeper of Ravenholm was Ada Thorne, who kept the lamp from 1871 to 1904.
"""


def command(*arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "rag_graphs", *arguments],
        capture_output=True,
        text=True,
        cwd=ROOT,
        env=clean_environment(**environment),
        check=False,
        timeout=150,
    )


@pytest.fixture
def page(tmp_path: Path) -> Path:
    (tmp_path / "ravenholm.md").write_text(PAGE, encoding="utf-8")
    return tmp_path / "ravenholm.md"


def test_a_question_on_a_file(page: Path) -> None:
    done = command(
        "ask", "Who was the lighthouse keeper of Ravenholm?", "--strategy", "self-rag", "--source", str(page), "--json"
    )
    assert (done.returncode, done.stderr) == (0, "")
    told: dict[str, Any] = json.loads(done.stdout)
    assert (told["stop_reason"], told["path"]) == (
        "useful",
        ["retrieve", "grade_documents", "generate", "grade_answer"],
    )
    assert "Ada Thorne" in told["answer"]
    assert "[1]" in told["answer"]
    assert told["grades"][0]["document"]["source"] == str(page)
    assert Trace.from_json(done.stdout).stop_reason == "useful"


def test_loading_a_file_and_what_is_none(page: Path) -> None:
    done = command("load", str(page), str(page.with_name("none.md")), "http://127.0.0.1/", "--json")
    assert (done.returncode, done.stderr) == (1, "")
    good, missing, private = json.loads(done.stdout)
    assert (good["ok"], good["language"], good["title"]) == (True, "en", "Tides at Ravenholm")
    assert good["chunks"] >= 1
    assert (missing["status"], missing["ok"], private["ok"]) == ("not found", False, False)


def test_a_named_folder_keeps_index_and_run(page: Path, tmp_path: Path) -> None:
    folder = tmp_path / "data"
    first = command("load", str(page), "--data-dir", str(folder), "--json")
    again = command("load", str(page), "--json", RAG_DATA_DIR=str(folder))
    assert [json.loads(d.stdout)[0]["status"] for d in (first, again)] == ["loaded", "already there"]
    asked = command(
        "ask", "Ravenholm?", "--strategy", "naive", "--source", str(page), "--data-dir", str(folder), "--json"
    )
    from rag_graphs.store import Store

    store = Store(folder)
    kept = store.trace(json.loads(asked.stdout)["run_id"])
    store.close()
    assert kept is not None
    assert kept.path == ["retrieve", "generate"]


@pytest.mark.parametrize(
    ("arguments", "names"),
    [(("--model", "openai:gpt-4o-mini"), "OPENAI_API_KEY"), (("--web", "tavily"), "TAVILY_API_KEY")],
)
def test_a_missing_key_is_told_before_anything_is_loaded(arguments: tuple[str, ...], names: str) -> None:
    done = command("ask", "Why?", "--strategy", "crag", "--source", "https://bad.invalid/", *arguments)
    assert (done.returncode, done.stdout) == (2, "")
    assert names in done.stderr
    assert "bad.invalid" not in done.stderr
