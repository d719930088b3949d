"""`ask --conversation`: follow-ups on the command line, and the list of conversations."""

from __future__ import annotations

from pathlib import Path

import pytest

import rag_graphs
from rag_graphs.runs.trace import Trace
from rag_graphs.settings import Settings
from rag_graphs.workspace.workspace import Workspace
from tests.cli.conftest import Desk, FakeLibrary, Outcome
from tests.conversation.conftest import ALONE, FIRST, FOLLOW_UP, talking
from tests.fakes import fake


@pytest.fixture
def desk(desk: Desk, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Desk:
    """A desk whose runs are really kept, in the folders that commands name."""
    opened: dict[Path, Workspace] = {}

    def workspace(settings: Settings) -> Workspace:
        made = opened.setdefault(settings.data_dir, Workspace(settings.data_dir))
        made.__dict__["_library"] = FakeLibrary()
        return made

    monkeypatch.setattr(rag_graphs, "open_workspace", workspace, raising=False)
    monkeypatch.chdir(tmp_path)
    desk.components = talking()
    return desk


def ask(desk: Desk, question: str, *options: str, conversation: str = "bagel") -> Outcome:
    return desk("ask", question, "--strategy", "self-rag", "--conversation", conversation, *options)


def test_a_follow_up_is_understood_and_said_so(desk: Desk) -> None:
    first = ask(desk, FIRST)
    assert (first.code, first.err) == (0, "")
    assert "Understood as" not in first.out
    second = ask(desk, FOLLOW_UP)
    assert f"  Understood as: {ALONE}" in second.out.splitlines()
    assert "● condense_question" in second.out
    assert Path("data/rag_graphs.sqlite").exists()
    assert not Path("data/library").exists(), "that index may belong to a server"


def test_the_document_has_the_history(desk: Desk) -> None:
    ask(desk, FIRST)
    done = ask(desk, FOLLOW_UP, "--json")
    trace = Trace.from_json(done.out)
    assert [(t.question, t.answer) for t in trace.head.history] == [(FIRST, "An answer.")]
    assert (trace.head.conversation, trace.head.settings["conversing"]) == ("bagel", True)
    assert done.json["queries"] == [FOLLOW_UP, ALONE]


def test_conversations_do_not_mix_and_folders_do_not(desk: Desk) -> None:
    ask(desk, FIRST)
    assert "Understood as" not in ask(desk, FOLLOW_UP, conversation="another").out
    assert "Understood as" not in ask(desk, FOLLOW_UP, "--data-dir", "elsewhere").out
    assert "Understood as" in ask(desk, FOLLOW_UP).out


def test_a_question_that_stands_alone_and_one_without_a_conversation(desk: Desk) -> None:
    ask(desk, FIRST)
    assert "Understood as" not in ask(desk, "Why?").out
    alone = desk("ask", FOLLOW_UP, "--strategy", "self-rag", "--set", "conversing=true")
    assert "condense_question" not in alone.out


def test_a_failed_run_is_no_turn(desk: Desk) -> None:
    desk.components = fake(retrieve=lambda query: 1 / 0)
    assert ask(desk, FIRST).code == 1
    desk.components = talking()
    assert Trace.from_json(ask(desk, FOLLOW_UP, "--json").out).head.history == []


@pytest.mark.parametrize("name", ["a b", "../up", "x" * 65])
def test_a_wrong_name_is_told_before_anything_is_loaded(desk: Desk, name: str) -> None:
    done = ask(desk, FIRST, conversation=name)
    assert (done.code, done.out) == (2, "")
    assert "1 to 64 characters" in done.err


def test_conversations_are_listed_and_told(desk: Desk) -> None:
    assert "There are no conversations here" in desk("conversations").out
    assert not Path("data").exists()
    ask(desk, FIRST)
    ask(desk, FOLLOW_UP)
    ask(desk, "Why?", conversation="why")
    lines = desk("conversations").out.splitlines()
    assert [line.split()[0] for line in lines] == ["why", "bagel"]
    assert FIRST in lines[1]
    assert "2 questions" in lines[1]
    (_, listed) = desk("conversations", "--json").json
    assert (listed["id"], listed["question"], listed["runs"]) == ("bagel", FIRST, 2)
    told = desk("conversations", "bagel").out
    assert told.index(FIRST) < told.index(FOLLOW_UP) < told.index(f"Understood as: {ALONE}")
    turns = desk("conversations", "bagel", "--json").json
    assert [t["condensed"] for t in turns] == ["", ALONE]
    assert desk("replay", turns[1]["run_id"], "--speed", "0").code == 0


def test_an_unknown_conversation_is_told_in_words(desk: Desk) -> None:
    done = desk("conversations", "nothing")
    assert (done.code, done.out) == (2, "")
    assert "There is no conversation 'nothing' here" in done.err
