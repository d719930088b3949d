"""The searches that need no key: off, DuckDuckGo (its client replaced: it has no address to point elsewhere), queries."""

from collections.abc import Callable
from typing import Any

import pytest
from ddgs.ddgs import DDGS
from ddgs.exceptions import DDGSException, RatelimitException, TimeoutException

from rag_graphs.engines.web import build_search
from rag_graphs.errors import SearchUnavailable
from rag_graphs.language.clean_text import clean_query, shorten
from rag_graphs.settings import Settings


def duckduckgo(monkeypatch: pytest.MonkeyPatch, text: Callable[..., Any]) -> Callable[[str], Any]:
    monkeypatch.setattr(DDGS, "text", text)
    return build_search(Settings().change(web="duckduckgo", web_results=2))


def test_off_says_so() -> None:
    with pytest.raises(SearchUnavailable, match="switched off") as raised:
        build_search(Settings().change(web="off"))("tides")
    assert raised.value.kind == "off"


def test_duckduckgo_hits_become_documents(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[Any] = []

    def text(client: Any, query: str, **options: Any) -> list[dict[str, str]]:
        asked.append((query, options["backend"], options["max_results"]))
        return [
            {"title": "Tides", "href": "https://example.org/tides", "body": "The moon pulls."},
            {"title": "", "href": "https://example.org/moon", "body": "Far away."},
            {"title": "Third", "href": "https://example.org/3", "body": "Too many."},
        ]

    documents = duckduckgo(monkeypatch, text)("tides")
    assert asked == [("tides", "duckduckgo", 2)]
    assert [(d.title, d.source, d.score) for d in documents] == [
        ("Tides", "https://example.org/tides", None),
        ("example.org", "https://example.org/moon", None),
    ]


@pytest.mark.parametrize(
    ("error", "kind"),
    [
        (RatelimitException("202"), "rate limit"),
        (TimeoutException("timed out"), "time-out"),
        (DDGSException("No results found."), "no results"),
        (DDGSException("ConnectError: refused"), "refused connection"),
        (OSError("no network"), "refused connection"),
        (AttributeError("no such tag"), "unusable reply"),
    ],
)
def test_every_duckduckgo_fault_has_its_sentence(monkeypatch: pytest.MonkeyPatch, error: Exception, kind: str) -> None:
    def text(*_: Any, **__: Any) -> None:
        raise error

    with pytest.raises(SearchUnavailable, match=r"^DuckDuckGo ") as raised:
        duckduckgo(monkeypatch, text)("tides")
    assert raised.value.kind == kind


@pytest.mark.parametrize("results", [None, "an error", {"error": "x"}])
def test_what_is_no_list_is_unusable(monkeypatch: pytest.MonkeyPatch, results: Any) -> None:
    with pytest.raises(SearchUnavailable, match="not a list"):
        duckduckgo(monkeypatch, lambda *_, **__: results)("tides")


@pytest.mark.parametrize(
    ("text", "query"),
    [
        ("  plain words ", "plain words"),
        ('"in quotes"', "in quotes"),
        ("„in Anführungszeichen“", "in Anführungszeichen"),
        ("「月の潮」", "月の潮"),
        ('"two" and "phrases"', '"two" and "phrases"'),
        ('{"query": "from json"}', "from json"),
        ('{"search": ["from a list"]}', "from a list"),
        ('["first", "second"]', "first"),
        ("{broken json", "{broken json"),
        ("a\nb\x00c\u2028d", "a b c d"),
        ("", ""),
    ],
)
def test_queries_are_cleaned(text: str, query: str) -> None:
    assert clean_query(text) == query


def test_an_empty_query_is_not_sent(monkeypatch: pytest.MonkeyPatch) -> None:
    assert duckduckgo(monkeypatch, lambda *_, **__: pytest.fail("was sent"))('""  ') == []


def test_shorten_cuts_at_a_word_or_inside_an_endless_one() -> None:
    assert shorten("one two three", 9) == "one two"
    assert shorten("x" * 500, 400) == "x" * 400
    assert shorten("月" * 500, 400) == "月" * 400
    assert shorten("short", 400) == "short"
