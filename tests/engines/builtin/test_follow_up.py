"""Follow-up questions stand alone, and others stay as they are."""

import pytest

from rag_graphs.engines.builtin.follow_up import condense
from rag_graphs.graphs.state import Turn

METHOD = "What is the bagel method?"


def after(*questions: str) -> list[Turn]:
    return [Turn(question=q, answer="") for q in questions]


@pytest.mark.parametrize(
    ("before", "asked", "alone"),
    [
        ((METHOD,), "And how long does it take?", "And how long does the bagel method take?"),
        ((METHOD,), "What is its inner ring?", "What is the bagel method’s inner ring?"),
        ((METHOD,), "What does that mean?", "What does the bagel method mean?"),
        ((METHOD,), "And why?", "And why? (the bagel method)"),
        ((METHOD,), "What about the weekly review?", "What is the weekly review?"),
        (("What are habits?",), "How do they start?", "How do habits start?"),
        (("What are habits?",), "How long does it take?", "How long does it take? (habits)"),
        (("Who was Ada Lovelace?",), "When was she born?", "When was Ada Lovelace born?"),
        (("How do dogs learn?",), "What about cats?", "What about cats? (dogs learn)"),
        (("Was ist die Bagel-Methode?",), "Und wie lange dauert sie?", "Und wie lange dauert sie? (die Bagel-Methode)"),
        (("¿Qué es un jonrón?",), "¿Y cuánto dura?", "¿Y cuánto dura? (un jonrón)"),
        (
            ("Qu'est-ce que la mémoire ?",),
            "Et comment fonctionne-t-elle ?",
            "Et comment fonctionne-t-elle ? (la mémoire)",
        ),
        (("홈런이 뭐야?",), "왜?", "왜? (홈런)"),
        (("什么是检索增强生成?",), "它有什么优点？", "检索增强生成有什么优点？"),
        (("検索拡張生成とは何ですか？",), "それはなぜ役に立ちますか？", "検索拡張生成はなぜ役に立ちますか？"),
        ((METHOD, "How long does it take?", "Thanks!"), "Why is that?", "Why is the bagel method?"),
    ],
)
def test_a_follow_up_says_its_subject(before: tuple[str, ...], asked: str, alone: str) -> None:
    made = condense(asked, after(*before))
    assert made.query == alone
    assert made.note.endswith(".")
    assert "“" in made.note


@pytest.mark.parametrize(
    "question",
    [
        "What is prompt engineering?",
        "And what is RAG?",
        "Thanks!",
        "2 + 2",
        "Is it raining?",
        "What time is it?",
        "Is there a book?",
        "If a habit breaks, how do I repair it?",
        "Who wrote the book that explains this method?",
        "Wie geht es?",
        "랭그래프가 뭐야?",
        "",
    ],
)
def test_a_question_that_stands_alone_is_left_alone(question: str) -> None:
    made = condense(question, after(METHOD))
    assert made.query == question
    assert made.note == ""


@pytest.mark.parametrize("before", [(), ("Hello!",), ("Thanks!", "Why?"), ("",), ("How does it work?",)])
def test_no_subject_is_invented(before: tuple[str, ...]) -> None:
    assert condense("How does it work?", after(*before)).query == "How does it work?"


def test_a_subject_further_back_than_three_turns_is_forgotten() -> None:
    assert condense("Why?", after(METHOD, "Why?", "How?", "When?")).query == "Why?"


@pytest.mark.parametrize("huge", ["it " * 100_000, "and " * 100_000, "?" * 100_000])
def test_a_huge_question_or_history_does_no_harm(huge: str) -> None:
    assert condense(huge, after(METHOD)).query == huge
    assert len(condense("How does it work?", after(huge)).query) < 200
