"""The extractive generator: true citations, abstaining, second attempts, the careless switch."""

import pytest

from rag_graphs.engines.builtin.claims import claims, flat
from rag_graphs.language.markdown import plain_sentences
from rag_graphs.language.phrases import phrases
from rag_graphs.samples import collections
from tests.engines.builtin.kit import BICYCLE, DOCUMENTS, LIGHTHOUSE, SOUP, TEA, answer, doc, engine, grades

QUESTIONS = [
    "When was the lighthouse of Oddwick built?",
    "How is leek soup cooked?",
    "How often should a bicycle chain be cleaned?",
    "Why does green tea taste bitter?",
]


@pytest.mark.parametrize("question", QUESTIONS)
def test_every_sentence_stands_in_the_document_that_it_cites(question: str) -> None:
    components = engine()
    draft = answer(components, question, DOCUMENTS)
    assert not draft.abstained
    found = claims(draft.text)
    assert 1 <= len(found) <= 3
    for claim in found:
        assert claim.citations
        for number in claim.citations:
            assert flat(claim.text) in flat(DOCUMENTS[number - 1].text)
    assert all(g.passed for g in grades(components, question, DOCUMENTS, draft.text).values())


def test_the_answer_is_in_the_answer() -> None:
    components = engine()
    assert "1847" in answer(components, QUESTIONS[0], DOCUMENTS).text
    assert "three hundred kilometres" in answer(components, QUESTIONS[2], DOCUMENTS).text


def test_it_keeps_to_the_number_of_sentences() -> None:
    assert len(claims(answer(engine(max_sentences=1), QUESTIONS[1], DOCUMENTS).text)) == 1


def test_it_repeats_nothing_and_cites_every_document_that_holds_a_sentence() -> None:
    copy = doc("copy", LIGHTHOUSE.text, "A copy")
    found = claims(answer(engine(), QUESTIONS[0], [LIGHTHOUSE, copy]).text)
    assert len({c.text for c in found}) == len(found)
    assert all(c.citations == (1, 2) for c in found)


@pytest.mark.parametrize("documents", [[], [TEA]])
def test_it_abstains_where_nothing_fits_in_the_language_of_the_question(documents: list[object]) -> None:
    draft = answer(engine(), "Wann wurde der Leuchtturm von Oddwick gebaut?", [])
    assert draft.abstained
    assert draft.text == phrases()["de"]["abstain"]
    assert answer(engine(), QUESTIONS[0], documents).abstained  # type: ignore[arg-type]


def test_marks_and_brackets_of_a_document_stay_out_of_the_answer() -> None:
    page = doc(
        "page", "## The **lighthouse**\n\n- The *lighthouse* of [Oddwick](https://e.org) was built in 1847 [12]."
    )
    assert answer(engine(), QUESTIONS[0], [page]).text == "The lighthouse of Oddwick was built in 1847. [1]"


def test_a_second_attempt_leaves_out_what_the_feedback_quotes() -> None:
    components = engine()
    first = answer(components, QUESTIONS[0], [LIGHTHOUSE])
    sentence = claims(first.text)[0].text
    second = answer(
        components, QUESTIONS[0], [LIGHTHOUSE], previous=first.text, feedback=f"“{sentence}” is not stated in [1]."
    )
    assert sentence not in second.text
    assert second.text != first.text


def test_copied_lines_without_a_full_stop_are_grounded_each_for_itself() -> None:
    page = doc(
        "page",
        "Finding the height of the lighthouse of Oddwick:\n\n```\nheight()\n```\n\nThe weather is fine.\n\n"
        "Counting the visitors of the lighthouse of Oddwick:\n\n```\ncount()\n```\n",
    )
    components = engine([page])
    question = "How do I find the height and the visitors of the lighthouse of Oddwick?"
    text = answer(components, question, [page]).text
    assert len(claims(text)) == 2
    grade = grades(components, question, [page], text)["groundedness"]
    assert (grade.passed, grade.score) == (True, 1.0), grade.reason


def test_an_answer_does_not_end_by_announcing_code_that_is_left_out() -> None:
    code = "\n\n```\nmeasure(tower)\n```\n\n"
    page = doc(
        "page",
        "The height of the lighthouse of Oddwick is found with a cord. The cord is let down from the lamp.\n\n"
        f"To find the height of the lighthouse of Oddwick in a program, write:{code}The tower itself is of granite.",
    )
    text = answer(engine([page]), "How do I find the height of the lighthouse of Oddwick?", [page]).text
    assert "with a cord" in text
    assert not claims(text)[-1].text.endswith(":")
    alone = doc("alone", f"To find the height of the lighthouse of Oddwick, write:{code}")
    text = answer(engine([alone]), "How do I find the height of the lighthouse of Oddwick?", [alone]).text
    assert claims(text)[0].text.endswith("write:")


def test_a_second_attempt_leaves_out_each_part_of_a_quoted_claim() -> None:
    components = engine()
    one, other = (s.rstrip(".") for s in plain_sentences(LIGHTHOUSE.text)[:2])
    run_on = f"{one} [1] {other}. [1]"
    assert len(claims(run_on)) == 1
    feedback = f"“{one} {other}.” is not stated in [1]."
    second = answer(components, QUESTIONS[0], [LIGHTHOUSE], previous=run_on, feedback=feedback)
    assert one not in second.text
    assert other not in second.text


def test_a_second_attempt_differs_even_without_a_quote_until_nothing_is_left() -> None:
    components = engine()
    attempt = answer(components, QUESTIONS[0], [LIGHTHOUSE])
    again = answer(components, QUESTIONS[0], [LIGHTHOUSE], previous=attempt.text, feedback="no")
    assert again.text != attempt.text


@pytest.mark.parametrize(
    ("documents", "rejected", "question"),
    [
        ([LIGHTHOUSE], [SOUP, BICYCLE], QUESTIONS[0]),
        ([LIGHTHOUSE], [], QUESTIONS[0]),
        ([SOUP], [], QUESTIONS[1]),
    ],
)
def test_a_careless_attempt_is_caught_and_the_next_one_is_clean(
    documents: list[object], rejected: list[object], question: str
) -> None:
    components = engine(careless=True)
    first = answer(components, question, documents, rejected=rejected)  # type: ignore[arg-type]
    caught = grades(components, question, documents, first.text)["groundedness"]  # type: ignore[arg-type]
    assert caught.passed is False
    second = answer(
        components,
        question,
        documents,  # type: ignore[arg-type]
        rejected=rejected,
        previous=first.text,
        feedback=caught.reason,
    )
    assert not second.abstained
    assert second.text != first.text
    assert grades(components, question, documents, second.text)["groundedness"].passed is True  # type: ignore[arg-type]


def test_extracts_in_another_language_are_introduced_as_such() -> None:
    page = doc("faro", "El faro de Oddwick se construyó en 1847 con granito gris.", "El faro", "es")
    components = engine([page])
    draft = answer(components, QUESTIONS[0], [page])
    assert draft.text.startswith(phrases()["en"]["quoted"])
    assert grades(components, QUESTIONS[0], [page], draft.text)["groundedness"].passed is True


def test_an_answer_does_not_go_over_into_another_language() -> None:
    pages = {p.key: p for p in collections()["language-models"].pages if "memor" in p.key}
    assert sorted(p.language for p in pages.values()) == ["en", "es"]
    documents = [doc(p.key, p.text, p.title, p.language) for p in pages.values()]
    draft = answer(engine(documents), "¿Qué tipos de memoria tiene un agente?", documents)
    assert "tres tipos de memoria" in draft.text
    assert {n for n, d in enumerate(documents, 1) if f"[{n}]" in draft.text} == {
        n for n, d in enumerate(documents, 1) if d.language == "es"
    }
