"""Decomposing a text into strips."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rag_graphs.engines.builtin.strips import LONGEST, decompose
from rag_graphs.language.text import sentence_spans, sentences

PIECES = st.sampled_from(
    [
        "# A\n",
        "- b: c\n",
        "1. d\n",
        "```\n",
        "x = 1.\n",
        "|a|b|\n",
        "\n\n",
        "A word. ",
        "다. ",
        "句。",
        "e.g. ",
        "see: ",
        "\0",
        "…",
    ]
)
TEXT = st.text(max_size=300) | st.lists(PIECES | st.text(max_size=12), max_size=60).map("".join)


def strips(text: str) -> list[str]:
    return [text[start:end] for start, end in decompose(text)]


@given(TEXT)
def test_strips_are_in_order_apart_trimmed_and_lose_nothing_but_white_space(text: str) -> None:
    spans = decompose(text)
    position = 0
    for start, end in spans:
        assert start < end
        assert not text[position:start].strip()
        assert text[start:end] == text[start:end].strip()
        position = end
    assert not text[position:].strip()


@given(TEXT)
def test_sentences_stand_where_their_spans_say(text: str) -> None:
    assert sentences(text) == [" ".join(text[start:end].split()) for start, end in sentence_spans(text)]


@given(st.integers(1, 30))
def test_running_text_goes_in_units_of_two_or_three_sentences(count: int) -> None:
    found = strips(" ".join(f"This is sentence {n}." for n in range(count)))
    sizes = [len(sentences(s)) for s in found]
    assert sum(sizes) == count
    assert sizes == [count] if count <= 2 else set(sizes) <= {2, 3}


@pytest.mark.parametrize(
    "text", ["第一句。第二句！第三句？第四句。第五句。", "첫 문장이다. 둘째다. 셋째다. 넷째다. 다섯째다."]
)
def test_languages_without_spaces_and_with_other_stops_are_cut_too(text: str) -> None:
    assert [len(sentences(s)) for s in strips(text)] in ([2, 3], [3, 2])


def test_paragraphs_stay_whole_where_they_can() -> None:
    assert strips("One. Two.\n\nThree. Four. Five.\n\nSix. Seven.") == [
        "One. Two.",
        "Three. Four. Five.",
        "Six. Seven.",
    ]


def test_a_heading_and_a_lead_in_go_with_what_they_lead_to() -> None:
    text = "First. Second.\n\n## How it works\n\nThere are two kinds:\n\n- red\n- blue\n\nLast one. And out."
    found = strips(text)
    assert found[0] == "First. Second."
    assert found[1].startswith("## How it works\n\nThere are two kinds:\n\n- red")
    assert len(found) == 3


def test_no_line_of_code_a_list_or_a_heading_is_torn() -> None:
    text = (
        "# What? And how? So.\n\nA sentence. Another.\n\n```python\na = 1.\n\nb = 2. # no. stop.\n```\n\n"
        "- An item. With two sentences.\n- Another. One.\n\n| a. b | c. d |\n"
    )
    edges = {edge for span in decompose(text) for edge in span}
    for line in ("# What? And how? So.", "b = 2. # no. stop.", "- An item. With two sentences.", "| a. b | c. d |"):
        start = text.index(line)
        assert not edges & set(range(start + 1, start + len(line)))
    code = text.index("```python"), text.index("```\n\n-") + 3
    assert not edges & set(range(code[0] + 1, code[1]))


@pytest.mark.parametrize(
    "text",
    [
        "x" * 100_000,
        "!" * 100_000 + "x",
        "word " * 20_000,
        "a. b. " * 16_000,
        "# h\n" * 25_000,
        "```\n" * 25_000,
        "so:\n\n" * 20_000,
        "\n" * 100_000 + "x",
        "字" * 100_000,
        '."' * 50_000,
    ],
    ids=lambda t: repr(t[:4]),
)
def test_a_long_text_without_structure_is_bounded(text: str) -> None:
    spans = decompose(text)
    assert all(end - start <= 3 * LONGEST + 4 for start, end in spans)
    assert sum(end - start for start, end in spans) >= len("".join(text.split()))


@pytest.mark.parametrize("text", ["", "   ", "\n\n\n", "\u3000"])
def test_a_text_without_words_has_no_strips(text: str) -> None:
    assert decompose(text) == []
