"""Hybrid search: order, scores, copies."""

from __future__ import annotations

from dataclasses import replace

import pytest

from rag_graphs.graphs.state import Document
from rag_graphs.library import Hit, Library
from rag_graphs.library.index.corpus import Corpus
from rag_graphs.library.index.fusion import fuse, without_copies
from rag_graphs.library.index.indexing import embed, read_text
from rag_graphs.library.split.split import split
from rag_graphs.settings import Settings
from tests.library.conftest import PROSE, Embedders, WordVectors

TOPICS = {
    "Bees": "Bees carry pollen from flower to flower and store honey for the winter in wax combs.",
    "Lamp": "The lamp of the lighthouse burned whale oil, later paraffin, and since 1931 electricity.",
    "Bread": "Bread dough rises because yeast makes gas that the gluten of the flour holds.",
    "Trains": "A train of this gauge may not run faster than eighty kilometres an hour on this line.",
    "Chess": "In chess the king may castle once, if neither king nor rook has moved before.",
}


@pytest.fixture
def ids(library: Library, settings: Settings) -> list[str]:
    reports = [library.load_text(text * 2, title, settings) for title, text in TOPICS.items()]
    return [r.source.id for r in reports if r.source]


@pytest.mark.parametrize(
    ("query", "title"),
    [
        ("What did the lamp burn?", "Lamp"),
        ("Why does dough rise?", "Bread"),
        ("where do bees store honey", "Bees"),
        ("castling in chess", "Chess"),
        ("KILOMETRES per hour", "Trains"),
    ],
)
def test_the_page_that_answers_comes_first(
    library: Library, settings: Settings, ids: list[str], query: str, title: str
) -> None:
    hits = library.search(query, ids, settings)
    assert hits[0].document.title == title
    assert len(hits) == settings.k
    assert [h.fused for h in hits] == sorted((h.fused for h in hits), reverse=True)


def test_scores(library: Library, settings: Settings, ids: list[str]) -> None:
    hits = library.search("lamp whale oil", ids, settings, k=20)
    assert len(hits) == len(ids)
    for hit in hits:
        assert -1.001 <= hit.cosine <= 1.001
        assert hit.document.score == min(1.0, max(0.0, hit.cosine))
        assert hit.lexical >= 0
        assert hit.document.origin == "library"
    assert hits[0].lexical > 0
    assert any(hit.lexical == 0 for hit in hits)


def test_searching_is_repeatable(library: Library, settings: Settings, ids: list[str]) -> None:
    def found(order: list[str]) -> list[tuple[str, float]]:
        return [(h.document.id, h.fused) for h in library.search("what may not move before", order, settings, k=5)]

    assert found(ids) == found(ids) == found(list(reversed(ids)))


@pytest.mark.parametrize("query", ["", "   ", "???", "\0", "x" * 50_000, "등대", "\ud800", "the of and"])
def test_no_query_breaks_it(library: Library, settings: Settings, ids: list[str], query: str) -> None:
    hits = library.search(query, ids, settings)
    assert isinstance(hits, list)
    assert all(isinstance(h, Hit) for h in hits)


def test_a_single_chunk_has_a_lexical_score() -> None:
    """Okapi's weights are negative there."""
    document = Document(id="a", text=TOPICS["Lamp"], source="x")
    assert Corpus([document], ["minilm"]).lexical("lamp")["a"] > 0
    assert Corpus([document], ["minilm"]).lexical("bees") == {}
    assert Corpus([], []).lexical("bees") == {}


def test_titles_and_headings_are_searched_too() -> None:
    plain = Document(id="b", text="Opens it.", source="x")
    corpus = Corpus([plain, replace(plain, id="a", heading="shelve.open(file)")], ["minilm"] * 2)
    assert list(corpus.lexical("shelve")) == ["a"]


def test_fusion_prefers_what_several_rankings_prefer() -> None:
    fused = fuse([["a", "b", "c"], ["b", "c", "d"]])
    assert sorted(fused, key=lambda i: -fused[i])[:2] == ["b", "c"]
    assert fuse([]) == {}


def test_near_copies_of_other_pages_are_left_out() -> None:
    words = {
        "a": frozenset("abcdefghij"),
        "b": frozenset("abcdefghij"),
        "c": frozenset("abcdefghix"),
        "d": frozenset("klm"),
    }
    page = {"a": "1", "b": "2", "c": "1", "d": "2"}
    assert without_copies(["a", "b", "c", "d"], words, page, 4) == ["a", "c", "d"]
    assert without_copies(["a", "b", "c", "d"], words, page, 2) == ["a", "c"]


def test_near_copies_in_a_search(library: Library, settings: Settings, embedders: Embedders) -> None:
    one = library.load_text(PROSE, "Cape", settings)
    two = library.load_text(PROSE + " Again.", "Cape", settings)
    assert one.source
    assert two.source
    hits = library.search("lamp", [one.source.id, two.source.id], settings, k=5)
    assert len({h.document.source for h in hits}) == 1


def test_the_model_reads_where_a_chunk_stands_unless_the_chunk_says_so() -> None:
    assert read_text("Cape", "Cape life › Lamp", "It burned oil.") == "Cape\nLamp\nIt burned oil."
    assert read_text("Cape", "Lamp", "# Cape\n\n## Lamp\n\nIt burned oil.") == "# Cape\n\n## Lamp\n\nIt burned oil."


def test_a_chunk_longer_than_the_model_reads_is_embedded_whole() -> None:
    embedder = WordVectors("minilm")
    text = "lamp " * 400 + "honey " * 400
    [vector] = embed(embedder, [text])
    assert len(embedder.embedded) > 1
    assert sum(x * x for x in vector) == pytest.approx(1)
    honey = embedder.embed_query("honey")
    assert sum(a * b for a, b in zip(vector, honey, strict=True)) > 0.5


def test_headings_of_hits_do_not_repeat_the_title(library: Library, settings: Settings) -> None:
    report = library.load_text(f"# Cape\n\n## Lamp\n\n{PROSE * 3}", "Cape", settings)
    assert report.source
    assert {d.heading for d in library.chunks(report.source.id, settings)} == {"Lamp"}
    assert {p.heading for p in split("# Cape\n\nWords.", WordVectors().count_tokens, 100)} == {"Cape"}
