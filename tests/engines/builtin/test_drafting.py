"""A draft from each document alone, with the three judgements of Self-RAG."""

import pytest

from rag_graphs.graphs.critique_scores import RELEVANCE, SUPPORT, USE
from rag_graphs.graphs.state import Document, JudgedDraft
from tests.engines.builtin.kit import DOCUMENTS, LIGHTHOUSE, SOUP, doc, engine

QUESTION = "When was the lighthouse of Oddwick built?"
KEEPER = doc(
    "keeper",
    "The lighthouse of Oddwick was painted by Ada Pell. It was built from grey granite.",
    "The lighthouse of Oddwick",
)


def drafts(question: str, documents: list[Document], **settings: object) -> list[JudgedDraft]:
    made = dict(engine(documents, **settings).draft(question, documents))
    assert sorted(made) == list(range(len(documents)))
    for draft in made.values():
        assert draft.relevance.label in RELEVANCE
        assert draft.support.label in SUPPORT
        assert draft.use.label in USE
        assert (draft.relevance.label == "relevant") is draft.relevance.passed
        assert (draft.support.label == "fully supported") is draft.support.passed
        assert (draft.use.label in ("4", "5")) is draft.use.passed
        assert not any((draft.relevance.probabilities, draft.support.probabilities, draft.use.probabilities))
        assert draft.likelihood is None
        assert all(g.reason for g in (draft.relevance, draft.support, draft.use))
    return [made[i] for i in range(len(documents))]


def test_each_draft_quotes_its_own_document_alone() -> None:
    made = drafts(QUESTION, [LIGHTHOUSE, KEEPER, SOUP])
    assert [d.document for d in made] == [LIGHTHOUSE, KEEPER, SOUP]
    assert "1847" in made[0].text
    assert made[0].text.rstrip().endswith("[1]")
    assert "1847" not in made[1].text
    assert made[0].relevance.passed
    assert made[0].support.label == "fully supported"
    assert made[0].use.label in ("4", "5")


def test_a_draft_without_the_kind_of_answer_is_of_little_use() -> None:
    full, empty = drafts(QUESTION, [LIGHTHOUSE, KEEPER])
    assert int(empty.use.label) < 4 <= int(full.use.label)
    assert "a date or a year" in empty.use.reason


def test_a_document_that_cannot_be_quoted_is_irrelevant() -> None:
    made = drafts(QUESTION, [SOUP, doc("empty", ""), doc("marks", "--- | ---")])
    assert [d.text for d in made] == ["", "", ""]
    assert {d.relevance.label for d in made} == {"irrelevant"}
    assert {d.support.label for d in made} == {"no support"}
    assert {d.use.label for d in made} == {"1"}


def test_the_careless_switch_reaches_the_other_levels_of_support() -> None:
    first, second, third = drafts(QUESTION, [LIGHTHOUSE, KEEPER, SOUP], careless=True)
    assert first.support.label == "partially supported"
    assert second.support.label == "no support"
    assert "1847" in second.text
    assert third.text == ""


def test_one_careless_draft_needs_no_other_document() -> None:
    (made,) = drafts(QUESTION, [LIGHTHOUSE], careless=True)
    assert made.support.label != "fully supported"


def test_a_draft_of_a_document_in_another_language_says_so() -> None:
    spanish = doc("faro", "El faro de Oddwick se construyó en 1847 con granito gris.", "El faro", "es")
    (made,) = drafts(QUESTION, [spanish])
    assert made.text.startswith("The sources say, in their own language:")
    assert made.support.label == "fully supported"


@pytest.mark.parametrize("question", ["", "?", "the"])
def test_a_question_without_words_gets_drafts_all_the_same(question: str) -> None:
    assert len(drafts(question, DOCUMENTS)) == 4


def test_no_documents_no_drafts() -> None:
    assert drafts(QUESTION, []) == []
