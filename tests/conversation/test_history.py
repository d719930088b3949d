"""What the next question of a conversation is told."""

from __future__ import annotations

import pytest

from rag_graphs.errors import SettingsError
from rag_graphs.graphs.state import Turn
from rag_graphs.runs.conversation import LONGEST_ANSWER, MOST_TURNS, history, named, turn
from rag_graphs.store import TurnRow


def row(question: str = "Why?", answer: str = "Because.", condensed: str = "", stop_reason: str = "useful") -> TurnRow:
    return TurnRow(id="r", question=question, condensed=condensed, answer=answer, stop_reason=stop_reason)


def test_questions_as_they_were_understood_and_answers_without_citations() -> None:
    rows = [
        row("What is it?", "A ring [1][12]. And a hole. [2]"),
        row("And then?", "Rest.", condensed="What follows it?"),
    ]
    assert history(rows) == [
        Turn(question="What is it?", answer="A ring. And a hole."),
        Turn(question="What follows it?", answer="Rest."),
    ]


@pytest.mark.parametrize("reason", ["", "failed", "stopped", "interrupted"])
def test_a_run_without_an_answer_is_no_turn(reason: str) -> None:
    assert history([row(answer="", stop_reason=reason), row()]) == [Turn(question="Why?", answer="Because.")]


def test_a_run_that_goes_on_is_no_turn_although_it_has_written_something() -> None:
    assert history([row(answer="An attempt", stop_reason="")]) == []


def test_the_last_turns_only_and_answers_are_cut_at_a_word() -> None:
    rows = [row(f"Question {n}?", "word " * 1000) for n in range(40)]
    told = history(rows)
    assert [t.question for t in told] == [f"Question {n}?" for n in range(40 - MOST_TURNS, 40)]
    assert all(len(t.answer) <= LONGEST_ANSWER and t.answer.endswith("word…") for t in told)


def test_a_text_without_spaces_is_cut_all_the_same() -> None:
    assert turn("Q?", "字" * 2000).answer == "字" * (LONGEST_ANSWER - 1) + "…"
    assert turn("Q?", "short").answer == "short"


@pytest.mark.parametrize("name", ["", "a b", "ä", "../x", "x" * 65, "a\n"])
def test_what_is_no_name_is_told_in_words(name: str) -> None:
    with pytest.raises(SettingsError, match="1 to 64 characters"):
        named(name)


def test_names() -> None:
    assert [named(n) for n in ("bagel", "A-1_b", "x" * 64)] == ["bagel", "A-1_b", "x" * 64]
