"""Every node, with lambdas for components and a list for the stream."""

from collections.abc import Iterator
from dataclasses import replace
from typing import Any, NoReturn

import pytest

from rag_graphs.errors import SearchUnavailable, ServiceError
from rag_graphs.graphs import nodes
from rag_graphs.graphs.components import GenerateRequest, RewriteRequest, Thought
from rag_graphs.graphs.state import (
    Answer,
    Document,
    Draft,
    Grade,
    Link,
    RagState,
    Rewrite,
    Route,
    Seen,
    Turn,
    field_names,
    start,
)
from rag_graphs.graphs.strategies import get_strategy
from rag_graphs.runs.from_trace import chain_of
from rag_graphs.runs.runner import run
from rag_graphs.runs.trace import Trace
from rag_graphs.settings import Settings
from tests.fakes import DOCS, HIT, fake, grounded, relevance, useful

ASKED = start("Why?", [Turn(question="Who?", answer="She.")])


def call(node: nodes.Node, state: RagState = ASKED) -> tuple[dict[str, Any], list[dict[str, Any]]]:
    """A node's update and what it wrote to the stream."""
    written: list[dict[str, Any]] = []
    update = node(state, written.append)
    assert set(update) <= field_names(), "langgraph drops an undeclared field without a word"
    assert "question" not in update, "the question never changes"
    return update, written


def test_retrieve_searches_with_the_query_and_not_the_question() -> None:
    asked: list[str] = []
    node = nodes.retrieve(lambda query: asked.append(query) or DOCS)  # type: ignore[func-returns-value]
    update, written = call(node, replace(ASKED, query="other words"))
    assert asked == ["other words"]
    assert update["retrieved"] == DOCS
    assert written == [{"kind": "retrieved", "documents": DOCS}]


def test_grades_are_told_as_they_land_and_kept_in_the_order_of_the_documents() -> None:
    landed = [(2, relevance(True)), (0, relevance(False)), (3, relevance(False)), (1, relevance(True))]
    update, written = call(
        nodes.grade_documents(lambda question, documents: iter(landed)), replace(ASKED, retrieved=DOCS)
    )
    assert [w["index"] for w in written] == [2, 0, 3, 1]
    assert [g.passed for g in update["relevance"]] == [False, True, True, False]
    assert update["documents"] == [DOCS[1], DOCS[2]]


def test_relevance_is_graded_against_the_question_and_never_the_rewritten_query() -> None:
    asked: list[str] = []

    def grade(question: str, documents: object) -> Iterator[tuple[int, Grade]]:
        asked.append(question)
        return iter(())

    call(nodes.grade_documents(grade), replace(ASKED, query="other words", retrieved=[]))
    assert asked == ["Why?"]


def test_an_answer_is_graded_against_the_question_and_never_the_rewritten_query() -> None:
    asked: list[str] = []

    def grade(question: str, documents: object, answer: str) -> Iterator[Grade]:
        asked.append(question)
        return iter(())

    call(nodes.grade_answer(grade), replace(ASKED, query="other words", answer="A.", answers=[Answer(text="A.")]))
    assert asked == ["Why?"]


def test_a_rewriter_is_given_all_that_was_seen_where_the_last_search_found_nothing() -> None:
    requests: list[RewriteRequest] = []

    def rewrite(request: RewriteRequest) -> Rewrite:
        requests.append(request)
        return Rewrite(query="other words")

    call(nodes.rewrite_query(rewrite), replace(ASKED, retrieved=[], seen=[Seen(document=HIT)]))
    assert requests[0].found == [HIT]


@pytest.mark.parametrize(("keep", "word", "kept"), [(False, "dropped", []), (True, "kept", [DOCS[0]])])
def test_an_unclear_grade_is_said(keep: bool, word: str, kept: list[Any]) -> None:
    unclear = replace(relevance(None), error="The reply could not be read.")
    node = nodes.grade_documents(lambda q, d: iter([(0, unclear)]), keep_unclear=keep)
    update, written = call(node, replace(ASKED, retrieved=DOCS[:1]))
    assert update["documents"] == kept
    warnings = [w["message"] for w in written if w["kind"] == "warned"]
    assert warnings == [f"“Page 1” was {word}: its relevance is unclear. The reply could not be read."]


def test_a_grade_that_never_comes_is_unclear() -> None:
    update, written = call(nodes.grade_documents(lambda q, d: iter(())), replace(ASKED, retrieved=DOCS[:2]))
    assert [g.passed for g in update["relevance"]] == [None, None]
    assert update["documents"] == []
    assert len(written) == 2


def test_rewrite_query_counts_and_passes_on_what_was_found() -> None:
    asked: list[RewriteRequest] = []

    def rewrite(request: RewriteRequest) -> Rewrite:
        asked.append(request)
        return Rewrite(query="  other words ", note="In Korean now.")

    update, _ = call(nodes.rewrite_query(rewrite, aim="web"), replace(ASKED, retrieved=DOCS, rewrites=1))
    assert asked == [RewriteRequest(question="Why?", queries=["Why?"], found=DOCS, aim="web")]
    assert (update["query"], update["queries"], update["rewrites"]) == ("other words", ["Why?", "other words"], 2)
    assert update["notes"] == ["In Korean now."]


def test_a_rewriter_that_finds_no_words_leaves_the_question() -> None:
    update, _ = call(nodes.rewrite_query(lambda request: Rewrite(query=" ")))
    assert update["query"] == "Why?"


def test_search_web_adds_to_the_kept_documents() -> None:
    update, written = call(nodes.search_web(lambda query: [HIT]), replace(ASKED, documents=DOCS[:1]))
    assert update["documents"] == [DOCS[0], HIT]
    assert written == [{"kind": "retrieved", "documents": [HIT]}]


@pytest.mark.parametrize(("found", "new"), [([HIT], False), ([], True), ([HIT, DOCS[0]], True)])
def test_a_search_that_finds_only_what_was_found_before_says_so(found: list[Document], new: bool) -> None:
    known = replace(ASKED, documents=[HIT], seen=[Seen(document=HIT)], searches=1)
    update, written = call(nodes.search_web(lambda query: found), known)
    assert (update["documents"][0], update["searches"]) == (HIT, 2)
    said = [w["message"] for w in written if w["kind"] == "warned"]
    assert said == ([] if new else ["The web search found nothing that was not found before."])


def test_a_failing_search_is_noted_and_the_run_goes_on() -> None:
    def fail(query: str) -> NoReturn:
        raise SearchUnavailable("Tavily refused the key. Check TAVILY_API_KEY.")

    update, written = call(nodes.search_web(fail), replace(ASKED, documents=DOCS[:1]))
    assert update["documents"] == DOCS[:1]
    assert update["search_error"] == "Tavily refused the key. Check TAVILY_API_KEY."
    assert written[0] == {"kind": "warned", "message": "Tavily refused the key. Check TAVILY_API_KEY."}


def test_any_other_failure_of_a_search_is_not_hidden() -> None:
    def fail(query: str) -> NoReturn:
        raise ServiceError("broken")

    with pytest.raises(ServiceError):
        call(nodes.search_web(fail))


def test_route_question_sees_a_follow_up_as_it_stands_alone() -> None:
    asked: list[str] = []

    def route(question: str) -> Route:
        asked.append(question)
        return Route(target="web search", reason="new")

    call(nodes.route_question(route), replace(ASKED, condensed="Why does it rain?"))
    update, written = call(nodes.route_question(route))
    assert asked == ["Why does it rain?", "Why?"]
    assert update == {"route": Route(target="web search", reason="new")}
    assert written == []


def test_an_unreadable_route_is_said() -> None:
    failed = Route(target="web search", error="The reply was empty.")
    update, written = call(nodes.route_question(lambda q: failed))
    assert update["route"] == failed
    assert written[0]["message"] == "The route was unclear, so the library is searched. The reply was empty."


def test_generate_streams_and_records_the_draft() -> None:
    node = nodes.generate(lambda request: iter(["An ", "answer.", Draft(text="An answer. [1]")]))
    update, written = call(node, replace(ASKED, documents=DOCS))
    assert [w["text"] for w in written] == ["An ", "answer."]
    assert update["answers"] == [Answer(text="An answer. [1]", query="Why?", documents=DOCS)]


def test_a_second_attempt_is_given_the_first_and_what_was_wrong_with_it() -> None:
    asked: list[GenerateRequest] = []

    def write(request: GenerateRequest) -> Iterator[str | Draft]:
        asked.append(request)
        yield Draft(text="B.")

    state = replace(
        ASKED,
        documents=DOCS[:1],
        seen=[Seen(document=d) for d in DOCS[:2]],
        answer="A.",
        feedback="no source says so",
        grounded=grounded(False),
        answers=[Answer(text="A.", grounded=grounded(False))],
    )
    update, _ = call(nodes.generate(write), state)
    request = asked[0]
    assert (request.previous, request.feedback) == ("A.", "no source says so")
    assert (request.documents, request.rejected) == (DOCS[:1], [DOCS[1]])
    assert update["regenerations"] == 1


def test_an_answer_that_is_not_useful_is_passed_on_where_the_next_attempt_has_the_same_query() -> None:
    asked: list[GenerateRequest] = []
    node = nodes.generate(lambda request: asked.append(request) or iter([Draft(text="B.")]))  # type: ignore[func-returns-value]
    update, _ = call(
        node, replace(ASKED, answer="A.", feedback="no date", grounded=grounded(True), useful=useful(False))
    )
    assert (asked[0].previous, asked[0].feedback) == ("A.", "no date")
    assert update["regenerations"] == 0


def test_a_rejected_answer_is_passed_on_even_where_no_reason_was_given() -> None:
    asked: list[GenerateRequest] = []
    node = nodes.generate(lambda request: asked.append(request) or iter([Draft(text="B.")]))  # type: ignore[func-returns-value]
    call(node, replace(ASKED, answer="A.", feedback="", grounded=grounded(False, "")))
    assert asked[0].previous == "A."


def test_a_generator_that_yields_no_draft_has_abstained() -> None:
    update, _ = call(nodes.generate(lambda request: iter(())))
    assert update["answers"][-1].kind == "abstained"


@pytest.mark.parametrize("order", [(0, 1), (1, 0)])
def test_grade_answer_takes_the_grades_in_any_order(order: tuple[int, int]) -> None:
    both = [grounded(True), useful(False, 0.3)]
    state = replace(ASKED, answer="A.", answers=[Answer(text="A.")])
    update, written = call(nodes.grade_answer(lambda q, d, a: iter([both[i] for i in order])), state)
    assert (update["grounded"], update["useful"]) == tuple(both)
    assert [w["grade"] for w in written] == [both[i] for i in order]
    assert all(w["index"] is None for w in written)


def test_a_missing_grade_of_an_answer_is_unclear() -> None:
    state = replace(ASKED, answer="A.", answers=[Answer(text="A.")])
    update, _ = call(nodes.grade_answer(lambda q, d, a: iter([grounded(True)])), state)
    assert update["useful"].passed is None
    assert update["useful"].error == "The grader gave no verdict."


def test_give_up_concludes_from_the_best_attempt_and_every_query() -> None:
    asked: list[Any] = []
    best = Answer(text="A.", grounded=grounded(True))
    state = replace(ASKED, queries=["Why?", "other words"], answers=[best, Answer(text="B.", grounded=grounded(False))])
    node = nodes.give_up(lambda *given: asked.append(given) or "Unverified: A.")  # type: ignore[func-returns-value]
    update, _ = call(node, replace(state, search_error="off"))
    assert asked == [("Why?", best, ["Why?", "other words"], "off")]
    assert update["answers"][-1] == replace(best, text="Unverified: A.", kind="gave up")


@pytest.mark.parametrize(("sentence", "ends"), [("It is in Bonn.", True), (" ", True), ("It is by the Rhine.", False)])
def test_a_step_that_says_nothing_new_ends_the_chain_and_says_so(sentence: str, ends: bool) -> None:
    chain = [Link(query="Why?", sentence="It is in Bonn."), Link(query="It is in Bonn.")]
    node = nodes.reason_step(lambda request: Thought(sentence=sentence))
    update, written = call(node, replace(ASKED, chain=chain))
    assert update["chain"][-1].final is ends
    assert [w["kind"] for w in written] == ["warned"] * ends


@pytest.mark.parametrize(
    ("second", "reached"),
    [(Thought(sentence="It is in Bonn."), False), (Thought(sentence="So the answer is: Bonn.", final=True), True)],
)
def test_only_a_sentence_that_says_something_new_reaches_the_answer(second: Thought, reached: bool) -> None:
    components = fake(complexity="C", thoughts=[Thought(sentence="It is in Bonn."), second])
    said = Trace(list(run(get_strategy("adaptive-complexity"), "Why?", components, Settings())))
    assert [(r.final, r.reached) for r in chain_of(said).rungs] == [(False, False), (True, reached)]
