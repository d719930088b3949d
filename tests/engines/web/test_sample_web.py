"""The sample web: what is on it is found, what is not finds nothing, and a hit is a bounded passage of its page."""

import pytest

from rag_graphs.engines.sample_web import SampleWeb, passages
from rag_graphs.engines.web import build_search
from rag_graphs.language.clean_text import estimate_tokens
from rag_graphs.samples import SamplePage
from rag_graphs.settings import Settings

SEARCH = build_search(Settings())


@pytest.mark.parametrize(
    ("query", "key"),
    [
        ("What is prompt engineering?", "prompt-engineering"),
        ("손흥민의 이번 시즌 공격 포인트", "attacking-points"),
        ("How to cook a bagel?", "bagels-at-home"),
        ("二十四节气是什么", "ershisi-jieqi"),
        ("¿Qué es la inflación?", "la-inflacion"),
        ("why do steam engines need a governor", "steam-engines"),
    ],
)
def test_a_page_on_the_subject_comes_first(query: str, key: str) -> None:
    first = SEARCH(query)[0]

    assert first.source.endswith(f"/{key}")
    assert first.origin == "web"
    assert first.score is not None
    assert 0.42 <= first.score <= 1
    assert 0 < estimate_tokens(first.text) <= 300


@pytest.mark.parametrize(
    "query",
    ["How to improve relationships", "capital of Mongolia", "怎么做红烧肉", "김치찌개 끓이는 법", "the of and", "?!"],
)
def test_an_unrelated_query_finds_nothing(query: str) -> None:
    assert SEARCH(query) == []


def test_a_hit_is_the_best_passage_under_its_heading() -> None:
    long = "\n\n".join(f"Filler sentence number {n} about nothing in particular." for n in range(80))
    text = f"# Rivers\n\n{long}\n\n## Lengths\n\nThe Danube is 2,850 km long.\n\n## Names\n\n{long}"
    page = SamplePage(key="r", title="Rivers", text=text, language="en", address="https://example.org/r")

    (hit,) = SampleWeb([page]).search("How long is the Danube?", 3)
    assert (hit.heading, hit.text) == ("Lengths", "The Danube is 2,850 km long.")


def test_passages_are_bounded_and_lose_nothing() -> None:
    paragraph = " ".join(f"Sentence {n} is here." for n in range(300))
    found = list(passages(f"# Title\n\nFirst.\n\n{paragraph}"))

    assert all(estimate_tokens(p.text) <= 250 for p in found)
    assert " ".join(p.text.replace("\n\n", " ") for p in found) == f"First. {paragraph}"
    assert {p.heading for p in found} == {"Title"}
