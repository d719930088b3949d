"""Steps between two searches: what to look up next, and the end of the chain."""

import pytest

from rag_graphs.engines.builtin.names import names
from rag_graphs.graphs.components import GenerateRequest, ReasonRequest, Thought
from rag_graphs.graphs.state import Document
from rag_graphs.language.phrases import phrases
from tests.engines.builtin.kit import SOUP, answer, doc, engine

WALK = doc(
    "walk",
    "The lantern walk is a habit for dark evenings. The lantern walk was thought up by Oda Ferrin, a captain.",
    "The lantern walk",
)
VISIT = doc(
    "visit", "Oda Ferrin lives in Marrow Bay, above the harbour office. She pours the tea.", "A visit to Oda Ferrin"
)
QUESTION = "Where does the inventor of the lantern walk live?"


def step(question: str, documents: list[Document], *chain: str) -> Thought:
    request = ReasonRequest(question=question, documents=documents, chain=list(chain))
    return engine(documents).reason(request)


def test_the_first_step_names_what_to_look_up_and_what_is_open() -> None:
    thought = step(QUESTION, [WALK, SOUP])
    assert thought == Thought(sentence="Oda Ferrin: inventor, live?")


def test_a_name_that_has_its_page_already_is_not_looked_up() -> None:
    assert "Oda Ferrin" not in step(QUESTION, [WALK, VISIT]).sentence.partition(":")[0]


def test_the_last_sentence_quotes_what_the_look_up_led_to() -> None:
    chain = ["Oda Ferrin: inventor, live?", "Marrow Bay: inventor, lantern, walk?"]
    thought = step(QUESTION, [WALK, VISIT], *chain)
    assert thought.final
    assert thought.sentence == "So the answer is: Oda Ferrin lives in Marrow Bay, above the harbour office."


def test_the_answer_follows_the_chain() -> None:
    documents = [WALK, VISIT]
    draft = answer(engine(documents), QUESTION, documents, chain=["Oda Ferrin: inventor, live?"])
    assert draft.text.startswith("The lantern walk was thought up by Oda Ferrin, a captain. [1]")
    assert "Marrow Bay, above the harbour office. [2]" in draft.text


def test_no_chain_goes_on_for_ever_or_says_a_thing_twice() -> None:
    for documents in ([WALK, VISIT], [WALK, SOUP], [SOUP], []):
        chain: list[str] = []
        for _ in range(20):
            thought = step(QUESTION, documents, *chain)
            if thought.final:
                break
            assert thought.sentence not in chain
            chain.append(thought.sentence)
        assert thought.final


@pytest.mark.parametrize(
    ("question", "language"),
    [(QUESTION, "en"), ("등대는 언제 지어졌나요?", "ko"), ("Wann wurde der Turm gebaut?", "de")],
)
def test_without_documents_the_chain_ends_and_says_that_nothing_was_found(question: str, language: str) -> None:
    assert step(question, []) == Thought(sentence=phrases()[language]["abstain"], final=True)
    assert step(question, [doc("empty", "")]).final


def test_a_script_without_capitals_looks_for_the_open_words() -> None:
    page = doc("walk", "등불 산책은 어두운 저녁의 습관입니다.", "등불 산책", "ko")
    thought = step("등불 산책과 빵 만들기 중에서 어느 것이 더 오래 걸려?", [page])
    assert not thought.final
    assert "만들기" in thought.sentence
    assert "등불" not in thought.sentence


def test_a_long_sentence_of_names_is_bounded() -> None:
    crowd = ", ".join(f"Ada{n} Pell{n}" for n in range(200))
    thought = step(QUESTION, [doc("crowd", f"The lantern walk was liked by {crowd}.", "The lantern walk")])
    assert len(thought.sentence) < 300


@pytest.mark.parametrize(
    ("sentence", "found"),
    [
        ("The film was directed by Edward L. Cahn and starred Pat O'Brien.", ["Edward L. Cahn", "Pat O'Brien"]),
        ("It was built in March by the University of Oddwick.", ["University of Oddwick"]),
        ("Barren hills are near Oddwick's mill.", ["Oddwick"]),
        ("Answer in writing: What do I leave out?", []),
        ("no names here", []),
        ("", []),
        ("홈런을 치면 점수가 납니다.", []),
    ],
)
def test_names_begin_with_a_capital_and_not_for_standing_first(sentence: str, found: list[str]) -> None:
    assert names(sentence) == found


def test_generate_without_a_chain_is_as_before() -> None:
    one = answer(engine([WALK]), "What is the lantern walk?", [WALK])
    request = GenerateRequest(question="What is the lantern walk?", documents=[WALK])
    assert request.chain == []
    assert one.text.startswith("The lantern walk is a habit")
