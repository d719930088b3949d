"""The graders of answers, on answers that are extracts, edited, or written by someone else."""

import pytest

from rag_graphs.engines.builtin.claims import Claim, claims, numbers
from rag_graphs.graphs.state import Document
from tests.engines.builtin.kit import LIGHTHOUSE, SOUP, doc, engine, grades

QUESTION = "When was the lighthouse of Oddwick built?"
GIVEN = [LIGHTHOUSE, SOUP]


def test_claims_carry_their_citations_wherever_these_stand() -> None:
    text = "It is tall [1]. It was built in 1847. [1][2] Nobody lives there.[3] And now"
    assert claims(text) == [
        Claim("It is tall.", (1,)),
        Claim("It was built in 1847.", (1, 2)),
        Claim("Nobody lives there.", (3,)),
        Claim("And now", ()),
    ]
    assert len(claims("값을 바꿉니다. [2] fan out으로 나뉩니다. [1] iPhones cost more. [3] eBay does not. [4]")) == 4
    assert claims("등대는 1847년에 지어졌다.[2] 높다 [1].") == [
        Claim("등대는 1847년에 지어졌다.", (2,)),
        Claim("높다.", (1,)),
    ]


def test_numbers_are_compared_by_their_digits() -> None:
    assert numbers("1,600 mm and 1 600 [3] or 5.3") == {"1600", "1", "600", "53"}


@pytest.mark.parametrize(
    "answer",
    [
        "The lighthouse of Oddwick was built in 1847 from grey granite. [1]",
        "The lighthouse of Oddwick was built in 1847, from grey granite [1].",
        "The lighthouse was built of granite in 1847. [1]",
        "Leek soup is cooked from leeks, potatoes and stock. [2] Martha Pell kept the light for thirty years. [1]",
        "Martha Pell kept the light for thirty years.",
    ],
)
def test_what_the_cited_documents_state_is_grounded(answer: str) -> None:
    grade = grades(engine(), QUESTION, GIVEN, answer)["groundedness"]
    assert (grade.passed, grade.label, grade.score) == (True, "grounded", 1.0), grade.reason


@pytest.mark.parametrize(
    ("answer", "named"),
    [
        ("The lighthouse of Oddwick was built in 1848 from grey granite. [1]", "1848"),
        ("The lighthouse of Oddwick was built in 1847 from grey granite. [2]", "[2]"),
        ("The lighthouse of Oddwick was built in 1847 from grey granite. [3]", "cites [3]"),
        ("The lighthouse of Oddwick was built in 1847 by Ernest Vole. [1]", "Ernest"),
        ("The lighthouse of Oddwick was not built in 1847 from grey granite. [1]", "opposite"),
        ("Dolphins can be seen from the tower in spring. [1]", "Dolphins can be seen"),
    ],
)
def test_what_they_do_not_state_is_not_grounded_and_the_reason_says_what(answer: str, named: str) -> None:
    fine = "Martha Pell kept the light for thirty years. [1] "
    grade = grades(engine(), QUESTION, GIVEN, fine + answer)["groundedness"]
    assert (grade.passed, grade.label, grade.score) == (False, "not grounded", 0.5)
    assert named in grade.reason
    assert "Martha Pell" not in grade.reason


def test_without_documents_nothing_is_grounded() -> None:
    grade = grades(engine([]), QUESTION, [], "It was built in 1847.")["groundedness"]
    assert grade.passed is False


def test_an_empty_answer_is_unclear_and_not_useful() -> None:
    found = grades(engine(), QUESTION, GIVEN, " [1] ")
    assert found["groundedness"].passed is None
    assert found["groundedness"].error
    assert found["usefulness"].passed is False


def test_an_abstaining_answer_is_grounded_and_not_useful() -> None:
    found = grades(engine(), QUESTION, GIVEN, "The documents do not hold an answer to this question.")
    assert found["groundedness"].passed is True
    assert found["usefulness"].passed is False
    assert "not found" in found["usefulness"].reason


def test_an_answer_is_useful_if_it_speaks_of_what_is_asked() -> None:
    found = grades(engine(), QUESTION, GIVEN, "The lighthouse of Oddwick was built in 1847 from grey granite. [1]")
    assert found["usefulness"].passed is True
    assert found["usefulness"].label == "useful"


@pytest.mark.parametrize(
    ("question", "wanted"),
    [
        ("When was leek soup invented?", "a date or a year"),
        ("How many people eat leek soup?", "a number"),
        ("Who invented leek soup?", "a name"),
    ],
)
def test_an_answer_without_the_kind_of_thing_asked_for_is_not_useful(question: str, wanted: str) -> None:
    answer = "Leek soup is cooked from leeks and stock. [1]"
    document: Document = doc("soup", answer.replace(" [1]", ""), "Leek soup")
    grade = grades(engine(), question, [document], answer)["usefulness"]
    assert grade.passed is False
    assert grade.score is not None
    assert grade.score < 0.5
    assert wanted in grade.reason


def test_an_answer_on_something_else_is_not_useful() -> None:
    grade = grades(engine(), "How do I mend a puncture?", [SOUP], "A spoonful of cream makes the soup smooth. [1]")
    assert grade["usefulness"].passed is False
    assert "puncture" in grade["usefulness"].reason


def test_a_short_answer_need_not_repeat_the_question() -> None:
    found = grades(engine(), QUESTION, GIVEN, "In 1847. [1]")
    assert found["groundedness"].passed is True
    assert found["usefulness"].passed is True
    assert "a date or a year" in found["usefulness"].reason


def test_a_condition_is_a_useful_answer_to_a_question_that_asks_for_one() -> None:
    text = "A bicycle chain is replaced as soon as it has stretched by half a percent."
    document = doc("chain", text, "Bicycle chains")
    grade = grades(engine([document]), "When is a bicycle chain replaced?", [document], f"{text} [1]")["usefulness"]
    assert grade.passed is True, grade.reason
    asked_for_a_date = grades(engine([document]), "When was the bicycle chain replaced?", [document], f"{text} [1]")
    assert asked_for_a_date["usefulness"].passed is False
