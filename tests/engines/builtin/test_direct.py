"""What needs no source: small talk and arithmetic, and nothing else."""

import time

import pytest

from rag_graphs.engines.builtin import small_talk as small_talk_module
from rag_graphs.engines.builtin.arithmetic import calculate
from rag_graphs.engines.builtin.direct import generate_directly, sourceless
from rag_graphs.engines.builtin.router import route_direct
from rag_graphs.engines.builtin.small_talk import small_talk
from rag_graphs.graphs.components import GenerateRequest
from rag_graphs.graphs.state import Draft, Route
from rag_graphs.language.phrases import is_abstaining, phrases
from rag_graphs.language.word_lists import word_lists
from tests.engines.builtin.kit import engine
from tests.engines.builtin.test_phrases import QUESTIONS

LISTS = word_lists(small_talk_module.__file__, "small_talk")

TALK = [
    ("Hello!", "greeting", "en"),
    ("hi there", "greeting", "en"),
    ("Good morning, who are you?", "identity", "en"),
    ("Thanks a lot!", "thanks", "en"),
    ("Bye!", "goodbye", "en"),
    ("Guten Tag", "greeting", "de"),
    ("Wer bist du?", "identity", "de"),
    ("¡Hola!", "greeting", "es"),
    ("Muchas gracias", "thanks", "es"),
    ("Merci beaucoup !", "thanks", "fr"),
    ("Qui es-tu ?", "identity", "fr"),
    ("안녕하세요!", "greeting", "ko"),
    ("당신은 누구세요?", "identity", "ko"),
    ("你好！", "greeting", "zh"),
    ("你是谁？", "identity", "zh"),
    ("こんにちは", "greeting", "ja"),
    ("ありがとうございます", "thanks", "ja"),
    ("Здравствуйте!", "greeting", "ru"),
    ("شكرًا لك", "thanks", "ar"),
]
SUMS = [
    ("What is 12 * 7?", "12 * 7 = 84"),
    ("2+2=?", "2+2 = 4"),
    ("How much is 10-3?", "10-3 = 7"),
    ("What's 5 divided by 2?", "5 / 2 = 2.5"),
    ("What is 15% of 80?", "15 / 100 * 80 = 12"),
    ("1,000 + 1", "1000 + 1 = 1001"),
    ("What is 1/3 + 1?", "1/3 + 1 ≈ 1.333333333"),
    ("2^10", "2**10 = 1024"),
    ("-3 * (2 + 1)", "-3 * (2 + 1) = -9"),
    ("Was ist 3,5 mal 3?", "3.5 * 3 = 10,5"),
    ("¿Cuánto es 12 por 7?", "12 * 7 = 84"),
    ("Combien font 2 plus 2 ?", "2 + 2 = 4"),
    ("12 곱하기 7은 얼마야?", "12 * 7 = 84"),
    ("12乘以7等于多少？", "12 * 7 = 84"),
    ("12かける7は？", "12 * 7 = 84"),
    ("сколько будет 2 плюс 2?", "2 + 2 = 4"),
    ("１２×７", "12 * 7 = 84"),
]
NEITHER = [
    "",
    "?",
    "hello world program",
    "What is a greeting?",
    "Thanks to whom was it built?",
    "谢谢你的解释里什么是检索？",
    "Who are you going to call?",
    "What is 24/7?",
    "What is 9/11?",
    "555-1234",
    "2020-2021",
    "12:30",
    "What is GPT-4?",
    "What is 5?",
    "How many innings are 9 innings?",
    "__import__('os').system('true') + 1",
    "1 if 2 else 3",
    "[1] * 9",
    "1 / 0",
]


@pytest.mark.parametrize(("said", "talk", "language"), TALK)
def test_small_talk_is_answered_in_its_language(said: str, talk: str, language: str) -> None:
    found = small_talk(said)
    assert found is not None
    assert (found.talk, found.language) == (talk, language)
    assert found.reply == LISTS.text(language, "replies", found.talk)


def test_every_language_of_the_project_has_small_talk() -> None:
    assert set(LISTS.having()) == set(phrases())
    kinds = {"greeting", "thanks", "goodbye", "identity"}
    assert all(set(LISTS.table(language)) - {"addressed"} == kinds | {"replies"} for language in LISTS.having())
    assert all(set(LISTS.texts(language, "replies")) == kinds for language in LISTS.having())
    assert all("RAG Graphs" in LISTS.text(language, "replies", "identity") for language in LISTS.having())


@pytest.mark.parametrize(("asked", "result"), SUMS)
def test_plain_arithmetic_is_calculated(asked: str, result: str) -> None:
    assert str(calculate(asked)) == result


@pytest.mark.parametrize("question", [*NEITHER, *QUESTIONS.values()])
def test_whatever_asks_for_a_fact_needs_a_source(question: str) -> None:
    assert sourceless(question) is None
    *pieces, draft = generate_directly(GenerateRequest(question=question, documents=[]))
    assert isinstance(draft, Draft)
    assert draft.abstained
    assert is_abstaining(draft.text)
    assert "".join(str(p) for p in pieces) == draft.text


@pytest.mark.parametrize("language", QUESTIONS)
def test_the_news_that_it_only_quotes_is_in_the_question_s_language(language: str) -> None:
    *_, draft = generate_directly(GenerateRequest(question=QUESTIONS[language], documents=[]))
    assert draft == Draft(text=phrases()[language]["only quotes"], abstained=True)


@pytest.mark.parametrize(
    "bomb",
    [
        "9**9**9**9",
        "9" * 110 + "*9",
        "(" * 59 + "1+1" + ")" * 57,
        "10^100 * 10^100",
        "1" + "+1" * 55,
        "2^-9999",
        "-" * 100 + "1+1",
        "hi " * 5000,
        "1+" * 20000,
        "a" * 200_000,
    ],
)
def test_bombs_neither_explode_nor_take_long(bomb: str) -> None:
    started = time.process_time()
    found = sourceless(bomb)
    assert time.process_time() - started < 5
    assert found is None or len(found.answer) < 300


@pytest.mark.parametrize("question", ["Hello!", "What is 12 * 7?", "Wer bist du?"])
def test_gate_route_and_classifier_agree_on_what_needs_no_source(question: str) -> None:
    components = engine()
    assert components.decide_retrieval(question, "").retrieve is False
    assert components.route_direct(question).target == "no retrieval"
    assert components.classify(question).label == "A"


@pytest.mark.parametrize("question", ["When was the lighthouse of Oddwick built?", "How is leek soup cooked?"])
def test_everything_else_is_retrieved(question: str) -> None:
    components = engine()
    decision = components.decide_retrieval(question, "")
    assert decision.retrieve is True
    assert decision.probability is None
    assert "knows nothing" in decision.reason
    assert components.route_direct(question) == components.route(question)
    assert components.classify(question).label == "B"


@pytest.mark.parametrize(
    ("attempt", "retrieve", "said"),
    [
        ("I do not know.", True, "holds no answer"),
        ("Bananas are yellow.", True, "does not answer"),
        ("The lighthouse of Oddwick was built in 1847.", False, "unchecked"),
    ],
)
def test_an_attempt_decides_by_what_it_says(attempt: str, retrieve: bool, said: str) -> None:
    decision = engine().decide_retrieval("When was the lighthouse of Oddwick built?", attempt)
    assert decision.retrieve is retrieve
    assert said in decision.reason
    assert decision.probability is None


def test_the_other_routes_stay_as_they_were() -> None:
    elsewhere = Route(target="web search", reason="Nothing here.")
    assert route_direct("Who won?", lambda question: elsewhere) is elsewhere
