"""Chunks: bounded, complete, cut where a reader would cut."""

from __future__ import annotations

import re
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rag_graphs.library.index.embeddings import get_embedder
from rag_graphs.library.split.split import Piece, split
from tests.library.conftest import PROSE, WordVectors

words = WordVectors().count_tokens

LANGUAGES = {
    "en": PROSE,
    "ko": "등대는 1874년에 두 형제가 북쪽 곶에 세웠습니다. 처음에는 고래 기름으로 불을 밝혔고 나중에는 전기를 썼습니다. ",
    "ja": "この灯台は千八百七十四年に二人の兄弟によって北の岬に建てられました。最初は鯨油で照らし、後に電気を使いました。",
    "zh": "这座灯塔于一八七四年由两兄弟建在北角。最初用鲸油照明，后来改用电力。守塔人与家人住在那里。",
    "th": "ประภาคารแห่งนี้สร้างขึ้นในปีหนึ่งพันแปดร้อยเจ็ดสิบสี่โดยสองพี่น้องที่แหลมเหนือ เดิมใช้น้ำมันวาฬต่อมาใช้ไฟฟ้า",
    "ar": "بُنيت هذه المنارة عام ألف وثمانمائة وأربعة وسبعين على يد أخوين في الرأس الشمالي. كانت تضاء بزيت الحوت أولا. ",
    "ru": "Маяк был построен в 1874 году двумя братьями на северном мысе. Сначала его освещали китовым жиром. ",
}


def letters(text: str) -> str:
    return re.sub(r"\s", "", text)


def plain(pieces: list[Piece]) -> str:
    return letters("".join(piece.text for piece in pieces))


@pytest.mark.parametrize("name", ["minilm", "e5"])
@pytest.mark.parametrize("language", LANGUAGES)
def test_bound_and_completeness_with_the_real_tokenizers(name: str, language: str) -> None:
    count = get_embedder(name).count_tokens
    for text in (LANGUAGES[language] * 12, letters(LANGUAGES[language]) * 12):
        for size in (40, 250):
            pieces = split(text, count, size)
            assert max(count(piece.text) for piece in pieces) <= size
            assert plain(pieces) == letters(text)
            assert len(pieces) > 1 or size == 250


blocks = st.one_of(
    st.text(max_size=400),
    st.sampled_from(
        [*LANGUAGES.values(), letters(PROSE) * 3, "x" * 3000, "。" * 300, "\u0301" * 200, "🏮" * 200, "a b " * 200]
    ),
    st.builds("{} {}".format, st.sampled_from(["#", "##", "###", "####"]), st.text(max_size=30)),
    st.builds("```\n{}\n```".format, st.text(max_size=300)),
    st.builds("| a | b |\n| --- | --- |\n{}".format, st.sampled_from(["| c | d |\n" * 90, "| " + "word " * 90 + "|"])),
    st.sampled_from(["```", "~~~", "|", "- item\n" * 60, "> quote " * 60, "\x0b\x0c", "    ```\n    code"]),
)


@settings(max_examples=120, deadline=None)
@given(st.lists(blocks, max_size=8), st.integers(40, 300), st.integers(0, 200))
def test_no_chunk_exceeds_the_bound(parts: list[str], size: int, overlap: int) -> None:
    pieces = split("\n\n".join(parts), words, size, overlap)
    assert all(words(piece.text) <= size for piece in pieces)
    assert all(piece.text.strip() for piece in pieces)
    assert [piece.position for piece in pieces] == list(range(len(pieces)))


@settings(max_examples=120, deadline=None)
@given(st.lists(blocks, max_size=8), st.integers(40, 300))
def test_no_text_is_lost_and_none_invented(parts: list[str], size: int) -> None:
    """Only the heads of tables and the fences of code, repeated in each part, may come on top."""
    text = "\n\n".join(parts)
    found = plain(split(text, words, size))
    if found != letters(text):
        assert "|" in text or "```" in text or "~~~" in text
        left = iter(found)
        assert all(letter in left for letter in letters(text))


@settings(max_examples=60, deadline=None)
@given(st.sampled_from(sorted(LANGUAGES)), st.integers(60, 200), st.integers(15, 30))
def test_neighbours_share_text_up_to_the_overlap(language: str, size: int, overlap: int) -> None:
    text = " ".join(f"{n} {LANGUAGES[language]}" for n in range(12))
    pieces = split(text, words, size, overlap)
    shared = [_shared(a.text, b.text) for a, b in pairwise(pieces)]
    assert all(shared)
    assert all(words(s) <= overlap for s in shared)


def _shared(first: str, second: str) -> str:
    """The longest end of the first that begins the second."""
    second = second.lstrip()
    first = first.rstrip()
    return next((first[-n:] for n in range(min(len(first), len(second)), 0, -1) if second.startswith(first[-n:])), "")


def test_headings_come_first_and_give_the_path() -> None:
    text = f"# Cape\n\n{PROSE}\n\n## Lamp\n\n{PROSE}\n\n### Oil\n\n{PROSE}\n\n## Garden\n\n{PROSE}"
    pieces = split(text, words, 130)
    assert [p.heading for p in pieces] == ["Cape", "Cape › Lamp", "Cape › Lamp › Oil", "Cape › Garden"]
    assert pieces[2].text == f"### Oil\n\n{PROSE.strip()}" or pieces[2].text.startswith("### Oil\n\n")


def test_short_sections_share_a_chunk_under_the_heading_that_they_share() -> None:
    entries = "\n\n".join(f"### part {n}\n\nDoes a small thing number {n}." for n in range(12))
    pieces = split(f"# Manual\n\n## Parts\n\n{entries}\n\n## Care\n\n{PROSE}", words, 120)
    assert len(pieces) < 8
    assert pieces[1].heading == "Manual › Parts"
    assert pieces[-1].heading == "Manual › Care"
    assert not any("## Care" in p.text and "### part" in p.text for p in pieces)


def test_a_heading_never_stands_alone() -> None:
    pieces = split(f"# Cape\n\n## Lamp\n\n{PROSE * 3}", words, 100)
    assert all(len(p.text) > 60 for p in pieces)


def test_code_and_tables_stay_whole_where_they_fit() -> None:
    code = "```\n" + "\n".join(f"step_{n}(value)" for n in range(15)) + "\n```"
    table = "| Name | Use |\n| --- | --- |\n" + "\n".join(f"| n{n} | for {n} |" for n in range(12))
    pieces = split(f"# T\n\n{PROSE}\n\n{code}\n\n{PROSE}\n\n{table}", words, 130)
    assert any(code in p.text for p in pieces)
    assert any(table in p.text for p in pieces)


def test_long_code_and_tables_repeat_their_frame() -> None:
    code = "```python\n" + "\n".join(f"step_{n}(value)" for n in range(200)) + "\n```"
    for piece in split(code, words, 100):
        assert piece.text.startswith("```python\n")
        assert piece.text.endswith("\n```")
    table = "| Name | Use |\n| --- | --- |\n" + "\n".join(f"| n{n} | for {n} |" for n in range(200))
    for piece in split(table, words, 100):
        assert piece.text.startswith("| Name | Use |\n| --- | --- |\n| n")


def test_a_hash_inside_code_is_no_heading() -> None:
    pieces = split("# A\n\n```\n# comment\n\n# more\n```\n\nText.", words, 100)
    assert [p.heading for p in pieces] == ["A"]


def test_sentences_stay_whole_where_they_fit() -> None:
    for piece in split(PROSE * 4, words, 60):
        assert piece.text.rstrip().endswith(".")


@pytest.mark.parametrize("text", ["", "  \n\n ", "\n"])
def test_nothing_gives_no_chunks(text: str) -> None:
    assert split(text, words, 100) == []


@pytest.mark.timeout(60)
def test_a_huge_text_without_any_break_is_split() -> None:
    text = "x" * 1_000_000
    pieces = split(text, words, 250)
    assert "".join(p.text for p in pieces) == text
    assert max(len(p.text) for p in pieces) <= 2000
