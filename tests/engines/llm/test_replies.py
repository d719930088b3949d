"""Thinking, fences, preambles and the marker are taken off replies, whole or piece by piece."""

import pytest

from rag_graphs.engines.llm.replies import MarkerFilter, citations, query_of, visible, without_thinking

MARKER = "NOT_FOUND"


@pytest.mark.parametrize(
    ("text", "rest"),
    [
        ("plain", "plain"),
        ("<think>a</think>b", "b"),
        ("a <THINK>b</THINK> c", "a  c"),
        ("<think>one</think>x<thinking>two</thinking>y", "xy"),
        ("no opening</think>rest", "rest"),
        ("before <think>never closed", "before"),
        ("[THINK]a[/THINK]b", "b"),
        ("a < b and [1] stay", "a < b and [1] stay"),
        ("", ""),
    ],
)
def test_thinking_is_taken_off(text: str, rest: str) -> None:
    assert without_thinking(text) == rest


@pytest.mark.parametrize("size", [1, 2, 3, 7, 100])
@pytest.mark.parametrize(
    ("text", "rest"),
    [
        ("<think>secret</think>The answer [1].", "The answer [1]."),
        ("Before <think>secret</think>after", "Before after"),
        ("a < b, [1] and <b>bold</b>", "a < b, [1] and <b>bold</b>"),
        ("<think>never closed", ""),
        ("ends with <", "ends with <"),
    ],
)
def test_thinking_is_taken_off_a_stream_however_it_is_cut(text: str, rest: str, size: int) -> None:
    pieces = [text[i : i + size] for i in range(0, len(text), size)]

    assert "".join(visible(pieces)) == rest


@pytest.mark.parametrize("size", [1, 2, 3, 5, 100])
@pytest.mark.parametrize(
    ("text", "rest", "leading", "seen"),
    [
        ("NOT_FOUND The documents do not say.", "The documents do not say.", True, True),
        ("**NOT_FOUND**: nothing on it", "nothing on it", True, True),
        ("  NOT_FOUND\n\nNothing.", "Nothing.", True, True),
        ("NOT_FOUND", "", True, True),
        ("The gauge is 12 mm [1].", "The gauge is 12 mm [1].", False, False),
        ("It does not say. NOT_FOUND", "It does not say. ", False, True),
        ("NOT everything is FOUND here", "NOT everything is FOUND here", False, False),
        ("NO", "NO", False, False),
        ("**Bold** start", "**Bold** start", False, False),
    ],
)
def test_the_marker_never_shows(text: str, rest: str, leading: bool, seen: bool, size: int) -> None:
    pieces = [text[i : i + size] for i in range(0, len(text), size)]
    marker = MarkerFilter(MARKER)

    shown = list(marker.feed(pieces))
    assert "".join(shown) == rest
    assert (marker.leading, marker.seen) == (leading, seen)


@pytest.mark.parametrize(
    ("reply", "query"),
    [
        ("bagel recipe", "bagel recipe"),
        ('"bagel recipe"', "bagel recipe"),
        ("<think>hm</think>\nbagel recipe", "bagel recipe"),
        ("Here is the rewritten query: bagel recipe", "bagel recipe"),
        ("Sure! Here's a better query:\n\n**bagel recipe**", "bagel recipe"),
        ("Query: bagel recipe", "bagel recipe"),
        ("Rewritten search query: “bagel recipe”", "bagel recipe"),
        ("1. bagel recipe\n2. boiled rolls", "bagel recipe"),
        ("```\nbagel recipe\n```", "bagel recipe"),
        ('{"query": "bagel recipe"}', "bagel recipe"),
        ("bagel recipe\n\nThis query is better because it is shorter.", "bagel recipe"),
        ("search engines of the 1990s", "search engines of the 1990s"),
        ("the new york subway: history", "the new york subway: history"),
        ("Query optimization in databases: a survey", "Query optimization in databases: a survey"),
        ("here come the bagels", "here come the bagels"),
        ("홈런 규칙", "홈런 규칙"),
        ("<think>never closed", ""),
        ("", ""),
    ],
)
def test_a_query_is_taken_out_of_a_rewriter_s_reply(reply: str, query: str) -> None:
    assert query_of(reply) == query


def test_a_query_is_cut_to_what_searches_take() -> None:
    assert len(query_of("word " * 500)) <= 400


@pytest.mark.parametrize(
    ("text", "same"),
    [
        ("a [1, 3].", "a [1][3]."),
        ("a [Document 2] b [doc. 3]", "a [2] b [3]"),
        ("a【1】", "a[1]"),
        ("a [1][2]", "a [1][2]"),
        ("[see 3] and [12345] and [x]", "[see 3] and [12345] and [x]"),
    ],
)
def test_citations_get_one_form(text: str, same: str) -> None:
    assert citations(text) == same
