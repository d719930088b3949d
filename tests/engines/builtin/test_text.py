"""Tokens, content words, sentences and languages."""

import unicodedata

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rag_graphs.engines.builtin.claims import claims, flat, numbers
from rag_graphs.engines.builtin.questions import holds, kind_of
from rag_graphs.language.lexical import coverage, terms, uniform, vocabulary
from rag_graphs.language.markdown import plain_sentences
from rag_graphs.language.text import content_words, detect_language, sentences, tokens

ANY = st.text(max_size=200)
MARKDOWN = st.lists(
    st.sampled_from(
        ["# A", "- b: c", "```", "|a|b|", "|---|", "\n\n", "[1]", "[x](y)", "**", "`", "다. ", "句。", "e.g. ", "\0"]
    )
    | st.text(max_size=12)
).map("".join)


@settings(deadline=None)  # the first text may load the language model
@given(ANY | MARKDOWN)
def test_no_helper_fails_on_any_text(text: str) -> None:
    assert all(tokens(text))
    assert set(content_words(text)) <= set(tokens(text))
    assert all(s == s.strip() and s for s in sentences(text))
    assert all(plain_sentences(text))
    assert isinstance(detect_language(text), str)
    assert 0 <= coverage(terms(text), vocabulary(text), uniform).share <= 1
    for claim in claims(text):
        assert claim.text
    assert holds(kind_of(text), text) in (True, False, None)
    assert flat(text) == flat(flat(text))
    assert all(n.isdigit() for n in numbers(text))


@given(ANY | MARKDOWN)
def test_sentences_lose_nothing_but_white_space(text: str) -> None:
    assert "".join("".join(s.split()) for s in sentences(text)) == "".join(text.split())


@given(ANY)
def test_a_text_covers_itself(text: str) -> None:
    wanted = terms(text)
    assert coverage(wanted, vocabulary(text), uniform).share == (pytest.approx(1) if wanted else 0)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Cooking methods", "cook METHOD"),
        ("café", "CAFE"),
        ("memories", "memory"),
        ("홈런이", "홈런"),
        ("야구에서", "야구"),
        ("война", "войны"),
        ("الشركة", "شركة"),
        (unicodedata.normalize("NFD", "Größe"), "größe"),
    ],
)
def test_forms_of_a_word_share_their_tokens(one: str, other: str) -> None:
    assert tokens(one) == tokens(other)


def test_hangul_becomes_bigrams_and_chinese_single_characters() -> None:
    assert tokens("랭그래프는 좋다") == ["랭그", "그래", "래프", "좋다"]
    assert tokens("中国") == ["中", "国"]
    assert tokens("fan out의") == ["fan", "out", "의"]


@pytest.mark.parametrize(
    ("question", "words"),
    [
        ("What's the bagel method?", ["bagel", "method"]),
        ("How to cook a bagel?", ["cook", "bagel"]),
        ("야구에서 홈런이 뭐야?", ["야구", "홈런"]),
        ("Wie hoch ist der Eiffelturm?", ["hoch", "eiffelturm"]),
        ("What does it mean?", ["mean"]),
    ],
)
def test_content_words_carry_the_subject(question: str, words: list[str]) -> None:
    assert content_words(question) == words


@pytest.mark.parametrize(
    ("question", "topic"),
    [
        ("What is a tea cosy good for?", "tea cosy"),
        ("What are rain gauges used for?", "rain gauges"),
        ("What do people use a sextant for?", "people sextant"),
        ("Wofür ist ein Sextant gut?", "Sextant"),
        ("Wozu dient ein Regenmesser?", "Regenmesser"),
        ("Waarvoor wordt een sextant gebruikt?", "sextant"),
        ("¿Para qué sirve un sextante?", "sextante"),
        ("À quoi sert un sextant ?", "sextant"),
        ("A cosa serve un sestante?", "sestante"),
        ("Para que serve um sextante?", "sextante"),
        ("Для чего нужен секстант?", "секстант"),
        ("망원경은 어디에 쓰나요?", "망원경"),
    ],
)
def test_a_question_for_a_purpose_is_not_about_being_good_or_used(question: str, topic: str) -> None:
    assert content_words(question) == tokens(topic)


def test_good_and_used_are_topics_elsewhere() -> None:
    assert content_words("Is a used car good?") == tokens("used car good")
    assert content_words("A sextant is good for finding the latitude.") == tokens("sextant good finding latitude")


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("What is prompt engineering?", "en"),
        ("¿Dónde está Madrid?", "es"),
        ("Wat is een polder?", "nl"),
        ("Wie hoch ist der Eiffelturm?", "de"),
        ("Qu'est-ce que la mémoire des agents ?", "fr"),
        ("Che cos'è una lingua?", "it"),
        ("Quem descobriu o Brasil?", "pt"),
        ("랭그래프에서 fan in, fan out의 의미", "ko"),
        ("야구에서 홈런이 뭐야?", "ko"),
        ("中国的首都在哪里？", "zh"),
        ("日本の首都はどこですか？", "ja"),
        ("Кто написал «Войну и мир»?", "ru"),
        ("متى تأسست الشركة؟", "ar"),
        ("The Korean word 김치 stands for pickled vegetables.", "en"),
        ("bagel", ""),
        ("1234 !?", ""),
        ("", ""),
    ],
)
def test_languages_are_told_even_from_short_questions(text: str, language: str) -> None:
    assert detect_language(text) == language


def test_sentences_end_where_a_reader_would_end_them() -> None:
    text = 'Dr. J. Smith paid 3.5 million in the U.S. in May, e.g. for oil. "Really?" Yes! 첫 문장이다. 둘째다. 第一句。第二句！'
    assert sentences(text) == [
        "Dr. J. Smith paid 3.5 million in the U.S. in May, e.g. for oil.",
        '"Really?"',
        "Yes!",
        "첫 문장이다.",
        "둘째다.",
        "第一句。",
        "第二句！",
    ]


def test_a_korean_sentence_ends_even_before_a_small_letter() -> None:
    assert sentences("상태를 바꿉니다. fan out으로 나뉩니다.") == ["상태를 바꿉니다.", "fan out으로 나뉩니다."]


def test_plain_sentences_drop_what_is_no_running_text() -> None:
    text = (
        "# Title\n\nA *bid* is a [request](https://e.org) [12]. It is `small`.\n\n```python\nx = 1\n```\n\n"
        "| name | age |\n|---|---|\n| Ada | 36 |\n\nSetext\n======\n\nLast <b>one</b>."
    )
    assert plain_sentences(text) == [
        "A bid is a request.",
        "It is small.",
        "name, age",
        "Ada, 36",
        "Last one.",
    ]


def test_a_sentence_that_announces_a_list_takes_the_items_in() -> None:
    found = plain_sentences("There are two:\n\n- red. It is warm.\n- blue\n\nMore text.")
    assert found == ["There are two: red; blue", "red.", "It is warm.", "blue", "More text."]


def test_headings_are_taken_where_nothing_else_is_there() -> None:
    assert plain_sentences("# Only a title") == ["Only a title"]
    assert plain_sentences("") == []
