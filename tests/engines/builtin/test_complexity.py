"""Which questions need more than one search, by their wording."""

import pytest

from rag_graphs.engines.builtin.complexity import classify

SEVERAL = [
    "Which is older, the lighthouse or the harbour wall?",
    "Who was born first, Ada Pell or Martha Pell?",
    "Is the lighthouse taller than the church?",
    "Are both villages in the same county?",
    "What are the heights of Mount Ode and Mount Wick?",
    "When did the director of the film Grey Granite die?",
    "Where was Martha Pell's mother born?",
    "Who is Martha Pell's father-in-law?",
    "When was the keeper's employer founded?",
    "In which county is the town where the lamp was made?",
    "Which actor who played the keeper also played a captain?",
    "Who built the lighthouse and when was it lit?",
    "Wer ist älter, Martha Pell oder Ada Pell?",
    "Wann starb der Regisseur des Films Grauer Granit?",
    "¿Quién nació antes, Ada o Marta?",
    "Où est né le réalisateur du film Granit ?",
    "등대와 교회 중에서 어느 것이 더 높아?",
    "영화 화강암의 감독은 언제 죽었어?",
    "电影的导演是什么时候出生的？",
    "灯塔和教堂哪个更高？",
    "どちらが先に建てられましたか？",
]
ONE = [
    "When was the lighthouse built?",
    "Who is the director of Grey Granite?",
    "What is the bagel method?",
    "How is leek soup cooked?",
    "Who wrote love or hate letters?",
    "What is the name of the keeper?",
    "Wann wurde der Leuchtturm gebaut?",
    "¿Qué es un jonrón?",
    "야구에서 홈런이 뭐야?",
    "什么是检索增强生成?",
    "",
    "??",
]


@pytest.mark.parametrize("question", SEVERAL)
def test_a_question_that_needs_one_fact_to_find_another_is_c(question: str) -> None:
    found = classify(question)
    assert found.label == "C"
    assert "“" in found.reason
    assert found.reason.endswith(".")


@pytest.mark.parametrize("question", ONE)
def test_any_other_question_is_b(question: str) -> None:
    assert classify(question).label == "B"


@pytest.mark.parametrize("question", ["Hello!", "2 + 2", "감사합니다"])
def test_what_needs_no_source_is_a(question: str) -> None:
    found = classify(question)
    assert found.label == "A"
    assert "no source" in found.reason


@pytest.mark.parametrize("text", ["which or " * 20000, "the " * 50000, "What are the a of " * 9000 + "and B"])
def test_a_huge_question_is_classified_all_the_same(text: str) -> None:
    found = classify(text)
    assert found.label in ("B", "C")
    assert len(found.reason) < 300
