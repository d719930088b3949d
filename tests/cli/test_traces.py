"""`replay`, `fork` and `export`: what they take, what they print, how they end."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from rag_graphs.graphs.strategies import get_strategy
from rag_graphs.runs.runner import run
from rag_graphs.runs.trace import Trace
from rag_graphs.samples import recorded_runs
from rag_graphs.settings import Settings
from rag_graphs.store import Store
from tests.cli.conftest import Desk
from tests.cli.test_ask import KEYS
from tests.fakes import fake

FLIP = '{"change": "relevance", "document": 2, "passed": true}'


def written(folder: Path, **scripted: Any) -> tuple[Trace, str]:
    """A recorded run and its file."""
    trace = Trace(list(run(get_strategy("self-rag"), "Why?", fake(**scripted), Settings(), sources=["id of it"])))
    file = folder / "run.json"
    file.write_text(json.dumps(trace.to_json()), encoding="utf-8")
    return trace, str(file)


def test_a_replay_prints_what_ask_printed(desk: Desk, tmp_path: Path) -> None:
    asked = desk("ask", "Why?", "--strategy", "self-rag", "--json")
    (tmp_path / "asked.json").write_text(asked.out)
    played = desk("replay", str(tmp_path / "asked.json"), "--speed", "0")
    assert (played.code, played.err) == (0, "")
    lines = played.out.splitlines()
    assert "● grade_documents" in lines
    assert "Stopped: useful" in lines
    again = desk("replay", str(tmp_path / "asked.json"), "--json")
    assert (again.code, again.json) == (0, asked.json)


def test_a_replay_keeps_time(desk: Desk, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    slept: list[float] = []
    clock = [0.0]

    def sleep(seconds: float) -> None:
        slept.append(seconds)
        clock[0] += seconds

    monkeypatch.setattr("rag_graphs.cli.replay.time.sleep", sleep)
    monkeypatch.setattr("rag_graphs.cli.replay.time.monotonic", lambda: clock[0])
    trace, file = written(tmp_path)
    desk("replay", file, "--speed", "2")
    assert sum(slept) == pytest.approx(trace.seconds / 2)


def test_a_replay_of_a_run_that_failed_or_was_cut_off_is_done(desk: Desk, tmp_path: Path) -> None:
    trace, file = written(tmp_path, retrieve=lambda query: 1 / 0)
    assert trace.stop_reason == "failed"
    done = desk("replay", file, "--json")
    assert (done.code, done.json["stop_reason"]) == (0, "failed")
    Path(file).write_text(json.dumps(trace.upto(2).to_json()))
    done = desk("replay", file, "--json")
    assert (done.code, done.json["stop_reason"]) == (0, "interrupted")


def test_every_shipped_run_can_be_replayed_by_its_key(desk: Desk) -> None:
    for recorded in recorded_runs():
        done = desk("replay", recorded.key, "--speed", "0")
        assert done.code == 0
        assert f"Stopped: {recorded.trace.stop_reason}" in done.out


@pytest.mark.parametrize(("speed", "code"), [("0", 0), ("4", 0), ("-1", 2), ("nan", 2), ("fast", 2), ("inf", 2)])
def test_speeds(desk: Desk, tmp_path: Path, speed: str, code: int) -> None:
    _, file = written(tmp_path)
    if code:
        with pytest.raises(SystemExit) as end:
            desk("replay", file, f"--speed={speed}")
        assert end.value.code == code
    else:
        assert desk("replay", file, f"--speed={speed}").code == 0


def test_a_fork_runs_on_with_the_change(desk: Desk, tmp_path: Path) -> None:
    parent, file = written(tmp_path, relevant=[[False]])
    done = desk("fork", file, "--at", "grade_documents", "--change", FLIP, "--json")
    assert (done.code, done.err) == (0, "")
    assert set(done.json) == KEYS
    assert done.json["path"] == ["retrieve", "grade_documents", "generate", "grade_answer"]
    child = Trace.from_json(done.out)
    assert child.head.parent == parent.head.run_id
    assert child.head.sources == ["id of it"]
    assert "2 Page 2: ✓ relevant" in desk("fork", file, "--at", "grade_documents:1", "--change", FLIP).out


def test_a_fork_takes_the_settings_of_its_parent_unless_told(desk: Desk, tmp_path: Path) -> None:
    settings = Settings(k=7, max_rewrites=1, web="off")
    trace = Trace(list(run(get_strategy("self-rag"), "Why?", fake(relevant=[[False]]), settings)))
    file = tmp_path / "run.json"
    file.write_text(json.dumps(trace.to_json()))
    desk("fork", str(file), "--at", "retrieve", "--change", '{"change": "query", "query": "x"}')
    assert desk.built == []
    desk("fork", str(file), "--at", "START", "--change", '{"change": "query", "query": "x"}', "--web", "sample")
    ((used, _),) = desk.built
    assert (used.k, used.max_rewrites, used.web) == (7, 1, "sample")


def test_a_fork_says_what_can_be_changed(desk: Desk, tmp_path: Path) -> None:
    _, file = written(tmp_path)
    listed = desk("fork", file, "--at", "grade_answer")
    assert listed.code == 0
    assert """--change '{"change":"groundedness","passed":false}'""" in listed.out
    told = desk("fork", file, "--at", "grade_answer", "--json").json
    assert told[0] == {
        "label": "The answer is not grounded",
        "change": {"change": "groundedness", "passed": False},
    }
    assert desk.built == []


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (("--at", "nowhere", "--change", FLIP), "It passed START, retrieve"),
        (("--at", "retrieve", "--change", FLIP), "retrieve is no place"),
        (("--at", "grade_documents", "--change", "{"), "not JSON"),
        (("--at", "grade_documents", "--change", FLIP, "--set", "k=many"), "k: Input should be"),
        (("--at", "grade_documents", "--change", FLIP, "--model", "openai:gpt"), "needs a key"),
    ],
)
def test_a_fork_that_cannot_be_is_wrong_usage(
    desk: Desk, tmp_path: Path, arguments: tuple[str, ...], says: str
) -> None:
    _, file = written(tmp_path, relevant=[[False]])
    done = desk("fork", file, *arguments, "--json")
    assert (done.code, set(done.json)) == (2, KEYS)
    assert says in done.json["error"]
    assert done.json["error"] == done.err.strip()


def test_sources_that_are_not_here_are_told(desk: Desk, tmp_path: Path) -> None:
    trace = Trace(list(run(get_strategy("self-rag"), "Why?", fake(), Settings(), sources=["unknown"])))
    file = tmp_path / "run.json"
    file.write_text(json.dumps(trace.to_json()))
    query = '{"change": "query", "query": "x"}'
    done = desk("fork", str(file), "--at", "START", "--change", query, "--json")
    assert done.code == 1
    assert "1 of the run's sources are not here" in done.json["warnings"][0]
    assert "not in your library" in done.json["error"]
    # naming them is enough
    assert desk("fork", str(file), "--at", "START", "--change", query, "--source", "a.md", "--json").code == 0


def test_an_export_to_a_file_or_a_folder_or_standard_output(desk: Desk, tmp_path: Path) -> None:
    trace, file = written(tmp_path)
    assert desk("export", file, "--format", "html", "--output", str(tmp_path / "report.html")).code == 0
    assert (tmp_path / "report.html").read_text(encoding="utf-8").startswith("<!DOCTYPE html>")
    done = desk("export", file, "--format", "png", "--output", str(tmp_path))
    name = done.out.removeprefix("Written: ").strip().replace("\n", "")
    assert Path(name).read_bytes().startswith(b"\x89PNG")
    assert desk("export", file, "--format", "svg").out.startswith("<?xml")
    assert Trace.from_json(desk("export", file, "--format", "json").out).events == trace.events
    refused = desk("export", file, "--format", "svg", "--output", str(tmp_path / "no" / "folder.svg"))
    assert (refused.code, "cannot be written" in refused.err) == (1, True)


def test_a_kept_run_is_found_by_its_id(desk: Desk, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.undo()
    trace, _ = written(tmp_path)
    store = Store(tmp_path / "data")
    run_id = store.import_trace(trace, "somebody-with-a-long-enough-name")
    store.close()
    done = desk("export", run_id, "--format", "json", "--data-dir", str(tmp_path / "data"))
    assert Trace.from_json(done.out).head.run_id == run_id


@pytest.mark.parametrize("name", ["nothing-like-it", "../../etc", "\0", "x" * 5000, ""])
def test_what_is_neither_file_nor_run_is_told(desk: Desk, tmp_path: Path, name: str) -> None:
    done = desk("replay", name, "--data-dir", str(tmp_path / "none"), "--json")
    assert done.code == 2
    assert "Shipped runs: clean-hit" in done.json["error"]
    assert not (tmp_path / "none").exists(), "looking something up makes no folder"


def test_a_damaged_file_is_told(desk: Desk, tmp_path: Path) -> None:
    (tmp_path / "bad.json").write_text("{")
    for arguments in (("replay",), ("fork", "--at", "START"), ("export", "--format", "html")):
        done = desk(arguments[0], str(tmp_path / "bad.json"), *arguments[1:])
        assert (done.code, "not JSON" in done.err) == (1, True)
