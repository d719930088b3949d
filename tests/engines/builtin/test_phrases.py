"""Sentences of our own, in every language that the engine speaks."""

import string

import pytest

from rag_graphs.engines.builtin.answers import is_abstaining
from rag_graphs.engines.builtin.own_phrases import conclude, phrase
from rag_graphs.graphs.state import Answer
from rag_graphs.language.phrases import is_phrase, phrases
from rag_graphs.language.text import detect_language

PHRASES = phrases()
QUESTIONS = {
    "en": "When was the lighthouse built?",
    "es": "¿Cuándo se construyó el faro?",
    "nl": "Wanneer is de vuurtoren gebouwd?",
    "de": "Wann wurde der Leuchtturm gebaut?",
    "fr": "Quand le phare a-t-il été construit ?",
    "it": "Quando è stato costruito il faro?",
    "pt": "Quando foi construído o farol?",
    "ko": "등대는 언제 지어졌나요?",
    "zh": "灯塔是什么时候建的？",
    "ja": "灯台はいつ建てられましたか？",
    "ru": "Когда был построен маяк?",
    "ar": "متى بُنيت المنارة؟",
}


def test_twelve_languages_have_every_phrase_with_its_variables() -> None:
    assert set(PHRASES) == set(QUESTIONS)
    fields = {name: _fields(text) for name, text in PHRASES["en"].items()}
    for language, own in PHRASES.items():
        assert {name: _fields(text) for name, text in own.items()} == fields, language


def _fields(text: str) -> list[str]:
    return [name for _, name, _, _ in string.Formatter().parse(text) if name]


@pytest.mark.parametrize("language", QUESTIONS)
def test_the_question_decides_the_language(language: str) -> None:
    question = QUESTIONS[language]
    assert detect_language(question) == language
    text = phrase("abstain", question)
    assert text == PHRASES[language]["abstain"]
    assert is_phrase("abstain", text)
    assert is_abstaining(text)
    nothing = conclude(question, None, [question, "a {b}", question], "timed out")
    assert nothing.startswith(PHRASES[language]["not found"])
    assert nothing.count(question) == 1
    assert "a {b}" in nothing
    assert "timed out" in nothing
    assert is_abstaining(nothing)


def test_an_unknown_language_is_answered_in_english() -> None:
    assert phrase("abstain", "Kto odkrył Amerykę?") == PHRASES["en"]["abstain"]


def test_the_best_attempt_is_shown_as_unverified() -> None:
    best = Answer(text="It was built in 1847. [1]")
    assert conclude("When?", best, ["When?"], "") == f"{PHRASES['en']['unverified']} It was built in 1847. [1]"
    assert "no key" in conclude("When?", best, ["When?"], "no key")


@pytest.mark.parametrize(
    ("answer", "abstains"),
    [
        ("The documents do not mention when it was built.", True),
        ("I could not find this in the sources.", True),
        ("I don't know.", True),
        ("It was built in 1847. [1]", False),
        ("The keeper could not find the lamp that night. [1]", False),
    ],
)
def test_abstaining_is_recognised_in_answers_of_others(answer: str, abstains: bool) -> None:
    assert is_abstaining(answer) is abstains
