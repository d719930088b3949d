"""Relevance, routing and rewriting on a little library."""

import pytest

from rag_graphs.graphs.components import RewriteRequest
from rag_graphs.graphs.state import Document, Grade, Turn
from tests.engines.builtin.kit import BICYCLE, DOCUMENTS, LIGHTHOUSE, SOUP, TEA, doc, engine

ASKED = [
    ("When was the lighthouse of Oddwick built?", LIGHTHOUSE),
    ("How is leek soup cooked?", SOUP),
    ("How often should I clean a bicycle chain?", BICYCLE),
    ("Why is my green tea bitter?", TEA),
]


def relevance(question: str, documents: list[Document], **settings: object) -> list[Grade]:
    found = dict(engine(**settings).grade_relevance(question, documents))
    assert sorted(found) == list(range(len(documents)))
    return [found[i] for i in range(len(documents))]


@pytest.mark.parametrize("strictness", ["lenient", "strict"])
@pytest.mark.parametrize(("question", "right"), ASKED)
def test_the_right_page_alone_is_relevant(question: str, right: Document, strictness: str) -> None:
    found = relevance(question, DOCUMENTS, strictness=strictness)
    assert [g.passed for g in found] == [d is right for d in DOCUMENTS]
    for grade in found:
        assert grade.label == ("relevant" if grade.passed else "not relevant")
        assert grade.score is not None
        assert (grade.score >= 0.5) is grade.passed


def test_reasons_name_the_shared_words_and_the_closest_sentence() -> None:
    found = relevance("How is leek soup cooked?", DOCUMENTS)
    assert "“leek”, “soup”" in found[1].reason
    assert "closest sentence 0." in found[1].reason
    assert "Shares no key word" in found[0].reason


def test_a_shared_word_alone_is_not_enough() -> None:
    method = doc(
        "m", "The soup method sorts a team's wishes: what must stay in the pot, and what may boil away.", "Wishes"
    )
    grade = relevance("How do I freeze soup?", [method])[0]
    assert grade.passed is False
    assert "but not “freeze”" in grade.reason


def test_a_paraphrase_that_shares_no_word_can_be_relevant() -> None:
    page = doc(
        "p",
        "Spouses who quarrel a lot do better once each of them listens first. A marriage calms down when arguments wait.",
    )
    assert relevance("How can married couples stop fighting?", [page])[0].passed is True


def test_strict_wants_the_answer_not_the_subject() -> None:
    page = doc(
        "m",
        "The lighthouse of Oddwick is a museum. Visitors of the lighthouse like its granite.",
        "The lighthouse of Oddwick",
    )
    question = "When was the lighthouse of Oddwick built?"
    assert relevance(question, [page])[0].passed is True
    strict = relevance(question, [page], strictness="strict")[0]
    assert strict.passed is False
    assert "a date or a year" in strict.reason


def test_no_documents_no_grades() -> None:
    assert relevance("Anything?", []) == []


@pytest.mark.parametrize("question", ["", "?!", "the", "..."])
def test_a_question_without_words_is_graded_all_the_same(question: str) -> None:
    assert all(g.passed is False for g in relevance(question, [SOUP]))


def test_pages_in_another_language_are_compared_by_meaning() -> None:
    spanish = doc("faro", "El faro de Oddwick se construyó en 1847 con granito gris.", "El faro", "es")
    korean = doc("tea", "녹차는 물이 너무 뜨거우면 쓴맛이 난다.", "녹차", "ko")
    found = relevance("When was the lighthouse of Oddwick built?", [spanish, korean])
    assert [g.passed for g in found] == [True, False]
    assert "another language (es)" in found[0].reason


@pytest.mark.parametrize(
    ("question", "settings", "target", "said"),
    [
        ("When was the lighthouse of Oddwick built?", {}, "vectorstore", "The lighthouse of Oddwick"),
        ("Who won the football match yesterday?", {}, "web search", "Nothing in the library"),
        ("Who won the football match yesterday?", {"web": "off"}, "vectorstore", "Web search is off"),
    ],
)
def test_the_library_is_looked_into_before_the_web(
    question: str, settings: dict[str, object], target: str, said: str
) -> None:
    route = engine(**settings).route(question)
    assert route.target == target
    assert said in route.reason


def test_an_empty_library_sends_to_the_web() -> None:
    components = engine([])
    assert components.route("When?").target == "web search"
    assert components.retrieve("When?") == []


def test_a_follow_up_is_routed_once_it_stands_alone() -> None:
    components = engine()
    before = [Turn(question="When was the lighthouse of Oddwick built?", answer="In 1847. [1]")]
    assert components.route(components.condense("And why?", before).query).target == "vectorstore"
    assert components.route("And why?").target == "web search"


@pytest.mark.parametrize(
    "question", ["How to cook a bagel?", "홈런이 뭐야?", "灯塔是什么时候建的？", "x", "", "the of"]
)
@pytest.mark.parametrize("aim", ["library", "web"])
def test_each_rewrite_differs_from_all_before_it_and_says_what_it_did(question: str, aim: str) -> None:
    components = engine()
    queries = [question]
    for _ in range(10):
        request = RewriteRequest(question=question, queries=queries, found=DOCUMENTS, aim=aim)  # type: ignore[arg-type]
        new = components.rewrite(request)
        assert new.query.strip()
        assert new.note
        assert len(new.query) <= 400
        assert new.query not in queries
        queries = [*queries, new.query]


@pytest.mark.parametrize(
    ("question", "found", "foreign"),
    [
        ("hi bicycle", [doc("ko", "검색하는 검색 문서 검색하는 문서", "검색", "ko")], "검색"),
        ("What is a lighthouse?", [doc("es", "El faro guía los barcos. Un faro alto.", "El faro", "es")], "faro"),
        ("홈런이 뭐야?", [doc("en", "A homer is a homer in baseball.", "Homer and baseball", "en")], "homer"),
    ],
)
def test_a_query_is_widened_with_words_of_its_own_language_alone(
    question: str, found: list[Document], foreign: str
) -> None:
    components, queries = engine(), [question]
    for _ in range(6):
        request = RewriteRequest(question=question, queries=queries, found=found)
        queries = [*queries, components.rewrite(request).query]
    assert not any(foreign in q.casefold() for q in queries)


def test_a_query_is_widened_with_words_of_documents_in_its_language() -> None:
    queries = ["How is leek soup cooked?", "leek soup cooked"]
    request = RewriteRequest(question=queries[0], queries=queries, found=[SOUP, LIGHTHOUSE])
    assert "Widened" in engine().rewrite(request).note


def test_the_first_rewrite_keeps_the_key_words() -> None:
    request = RewriteRequest(question="What is prompt engineering?", queries=["What is prompt engineering?"], aim="web")
    assert engine().rewrite(request).query == "prompt engineering"


def test_a_long_question_is_cut_at_a_word() -> None:
    question = " ".join(f"granite{n}" for n in range(100))
    query = engine().rewrite(RewriteRequest(question=question, queries=[question], aim="web")).query
    assert len(query) <= 400
    assert query.split()[-1] in question.split()


def test_the_description_names_engine_embeddings_and_search() -> None:
    assert engine().description == "Built-in engine, MiniLM or multilingual E5 by language + BM25, web: sample"
    assert "no web search" in engine(web="off", embeddings="e5").description
