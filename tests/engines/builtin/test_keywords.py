"""Keywords for a web search."""

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from rag_graphs.engines.builtin.keywords import MOST, keywords
from rag_graphs.engines.sample_web import search_pages
from rag_graphs.graphs.components import RewriteRequest
from rag_graphs.graphs.strategies import get_strategy
from rag_graphs.language.lexical import uniform
from rag_graphs.language.text import content_words, tokens
from tests.engines.builtin.kit import DOCUMENTS, engine

WORDS = st.lists(
    st.sampled_from(
        [
            "What",
            "is",
            "the",
            "Eiffel",
            "Tower",
            "야구에서",
            "홈런이",
            "中国的",
            "首都",
            "fan in,",
            "?",
            "Paris's",
            "1998",
            "—",
        ]
    )
    | st.text(max_size=8),
    max_size=20,
).map(" ".join)


@settings(deadline=None)  # the first text may load the language model
@given(st.text(max_size=200) | WORDS)
@example("¼ ß")
def test_keywords_are_at_most_three_and_words_of_the_question(question: str) -> None:
    found = keywords(question, uniform)
    assert len(found) <= MOST
    assert len(set(found)) == len(found)
    for keyword in found:
        assert keyword == keyword.strip() != ""
        assert "," not in keyword
        assert set(tokens(keyword)) <= set(tokens(question))


@pytest.mark.parametrize(
    ("question", "wanted"),
    [
        ("What is Henry Feilden's occupation?", ["Henry Feilden", "occupation"]),
        ("In what city was Billy Carlson born?", ["Billy Carlson", "city", "born"]),
        ("What is prompt engineering?", ["prompt engineering"]),
        ("야구에서 홈런이 뭐야?", ["야구", "홈런"]),
        ("提示工程是什么？", ["提示工程"]),
        ("¿Qué es la inflación?", ["inflación"]),
    ],
)
def test_neighbouring_words_are_one_keyword_and_names_stay_whole(question: str, wanted: list[str]) -> None:
    assert keywords(question, uniform) == wanted


def test_the_rarest_keyword_comes_first() -> None:
    rare = {"granit": 5.0, "lighthous": 2.0}
    found = keywords("Was granite the stone for the lighthouse of a town?", lambda token: rare.get(token, 1.0))
    assert found[:2] == ["granite", "lighthouse"]


@pytest.mark.parametrize(
    "question", ["How to cook a bagel?", "홈런이 뭐야?", "灯塔是什么时候建的？", "x", "", "the of", "a, b, c, d, e"]
)
def test_each_set_of_keywords_differs_from_all_before_it(question: str) -> None:
    components, queries = engine(), [question]
    for _ in range(10):
        request = RewriteRequest(question=question, queries=queries, found=DOCUMENTS, aim="keywords")
        new = components.rewrite(request)
        assert new.query.strip()
        assert new.note
        assert new.query not in queries
        assert new.query.count(",") < MOST
        queries = [*queries, new.query]


@pytest.mark.parametrize(
    "question", [e.question for e in get_strategy("crag").examples if "search_web" in e.path] + ["How to cook a bagel?"]
)
def test_the_sample_web_finds_with_keywords_what_it_finds_with_the_question(question: str) -> None:
    request = RewriteRequest(question=question, queries=[question], aim="keywords")
    query = engine().rewrite(request).query
    assert content_words(query)
    first, again = ([hit.address for hit in search_pages(q, 3)[:1]] for q in (question, query))
    assert again == first
