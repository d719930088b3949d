"""The pure helpers on the state, and the table of stop reasons."""

from dataclasses import FrozenInstanceError, replace

import pytest

from rag_graphs.graphs.state import (
    Answer,
    Draft,
    RagState,
    Seen,
    Turn,
    apply,
    best_attempt,
    field_names,
    start,
    stop_reason,
)
from rag_graphs.graphs.updates import attempt, found_on_web, gave_up, graded, new_query, retrieved, verdict
from tests.fakes import DOCS, HIT, grounded, relevance, useful

ASKED = start("Why?")


def after(state: RagState, *updates: object) -> RagState:
    for update in updates:
        state = apply(state, update(state) if callable(update) else update)
    return state


def test_a_run_starts_with_the_question_as_its_query() -> None:
    state = start("Why?", [Turn(question="Who?", answer="She.")])
    assert (state.question, state.query, state.queries) == ("Why?", "Why?", ["Why?"])
    assert state.history == [Turn(question="Who?", answer="She.")]
    assert state.answers == []
    assert state.rewrites == state.regenerations == state.searches == 0


def test_the_state_cannot_be_changed_in_place() -> None:
    with pytest.raises(FrozenInstanceError):
        ASKED.question = "What?"  # type: ignore[misc]


def test_an_undeclared_field_is_refused_and_not_dropped() -> None:
    with pytest.raises(TypeError, match="reason"):
        apply(ASKED, {"reason": "langgraph would drop this"})
    assert "reason" not in field_names()


def test_without_a_grader_everything_retrieved_is_kept() -> None:
    state = after(ASKED, retrieved(ASKED, DOCS))
    assert state.documents == state.retrieved == DOCS
    assert state.seen == [Seen(document=d) for d in DOCS]


def test_grading_keeps_the_relevant_and_remembers_the_rejected() -> None:
    grades = [relevance(p) for p in (True, False, None, True)]
    state = after(ASKED, lambda s: retrieved(s, DOCS), lambda s: graded(s, grades, keep_unclear=False))
    assert state.documents == [DOCS[0], DOCS[3]]
    assert [s.grade for s in state.seen] == grades


def test_an_unclear_grade_keeps_its_document_where_the_setting_says_so() -> None:
    grades = [relevance(p) for p in (False, None, None, False)]
    state = after(ASKED, lambda s: retrieved(s, DOCS), lambda s: graded(s, grades, keep_unclear=True))
    assert state.documents == [DOCS[1], DOCS[2]]


def test_as_many_grades_as_documents_or_it_is_a_bug() -> None:
    state = after(ASKED, lambda s: retrieved(s, DOCS))
    with pytest.raises(ValueError, match="shorter"):
        graded(state, [relevance(True)], keep_unclear=False)


def test_a_document_seen_twice_is_listed_once_under_its_last_grade() -> None:
    no, yes = [relevance(False)] * 4, [relevance(True)] * 4
    state = after(
        ASKED,
        lambda s: retrieved(s, DOCS),
        lambda s: graded(s, no, keep_unclear=False),
        lambda s: new_query(s, "other words"),
        lambda s: retrieved(s, DOCS[2:]),
        lambda s: graded(s, yes[:2], keep_unclear=False),
    )
    assert [s.document.id for s in state.seen] == ["d1", "d2", "d3", "d4"]
    assert [s.grade.passed for s in state.seen if s.grade] == [False, False, True, True]


def test_a_new_search_keeps_the_grade_of_a_known_document_until_it_is_graded_again() -> None:
    state = after(
        ASKED,
        lambda s: retrieved(s, DOCS),
        lambda s: graded(s, [relevance(False)] * 4, keep_unclear=False),
        lambda s: retrieved(s, DOCS),
    )
    assert all(s.grade == relevance(False) for s in state.seen)


def test_a_new_query_clears_this_round_and_keeps_what_was_seen() -> None:
    state = after(
        ASKED,
        lambda s: retrieved(s, DOCS),
        lambda s: graded(s, [relevance(True)] * 4, keep_unclear=False),
        lambda s: attempt(s, Draft(text="A.")),
        lambda s: verdict(s, grounded(True), useful(False)),
        lambda s: new_query(s, "other words", "changed the language"),
    )
    assert (state.query, state.queries) == ("other words", ["Why?", "other words"])
    assert (state.retrieved, state.relevance, state.grounded, state.useful, state.feedback) == ([], [], None, None, "")
    assert len(state.seen) == 4
    assert len(state.answers) == 1
    assert state.notes == ["changed the language"]
    assert state.question == "Why?"


def test_a_new_query_resets_no_count() -> None:
    state = replace(ASKED, rewrites=1, regenerations=2, searches=1)
    changed = apply(state, new_query(state, "other words"))
    assert (changed.rewrites, changed.regenerations, changed.searches) == (1, 2, 1)


def test_web_results_join_the_kept_documents() -> None:
    state = after(ASKED, lambda s: retrieved(s, DOCS[:1]), lambda s: found_on_web(s, [HIT]))
    assert state.documents == [DOCS[0], HIT]
    assert (state.searches, state.search_error) == (1, "")


def test_an_attempt_remembers_its_query_and_documents() -> None:
    state = after(ASKED, lambda s: retrieved(s, DOCS), lambda s: attempt(s, Draft(text="A. [1]")))
    assert state.answers == [Answer(text="A. [1]", query="Why?", documents=DOCS)]
    assert (state.answer, state.regenerations) == ("A. [1]", 0)


def test_only_an_ungrounded_attempt_counts_as_a_regeneration() -> None:
    once = after(ASKED, lambda s: attempt(s, Draft(text="A.")), lambda s: verdict(s, grounded(False, ""), useful(True)))
    assert after(once, lambda s: attempt(s, Draft(text="B."))).regenerations == 1, "even where no reason was given"
    useless = after(ASKED, lambda s: attempt(s, Draft(text="A.")), lambda s: verdict(s, grounded(True), useful(False)))
    rewritten = after(useless, lambda s: new_query(s, "q"), lambda s: attempt(s, Draft(text="B.")))
    assert rewritten.regenerations == 0


@pytest.mark.parametrize(
    ("g", "u", "feedback"),
    [
        (False, False, "no source"),
        (False, True, "no source"),
        (True, False, "because"),
        (True, True, ""),
        (None, None, ""),
    ],
)
def test_feedback_is_the_reason_of_the_grade_that_failed(g: bool | None, u: bool | None, feedback: str) -> None:
    state = after(
        ASKED, lambda s: attempt(s, Draft(text="A.")), lambda s: verdict(s, grounded(g, "no source"), useful(u))
    )
    assert state.feedback == feedback
    assert state.answers[-1].grounded == state.grounded
    assert state.answers[-1].useful == state.useful


def graded_answer(text: str, g: bool | None, score: float | None, kind: str = "from documents") -> Answer:
    return Answer(text=text, kind=kind, grounded=grounded(g), useful=useful(False, score))  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("answers", "best"),
    [
        ([], None),
        ([graded_answer("only an abstention", True, 1.0, "abstained")], None),
        ([graded_answer("not grounded", False, 0.9), graded_answer("grounded", True, 0.1)], "grounded"),
        ([graded_answer("unclear", None, 0.9), graded_answer("grounded", True, 0.1)], "grounded"),
        ([graded_answer("more useful", True, 0.6), graded_answer("less useful", True, 0.5)], "more useful"),
        ([graded_answer("earlier", True, 0.5), graded_answer("later", True, 0.5)], "later"),
        ([graded_answer("earlier", True, None), graded_answer("later", True, None)], "later"),
        ([Answer(text="never graded"), graded_answer("abstained", True, 1.0, "abstained")], "never graded"),
    ],
)
def test_the_best_attempt(answers: list[Answer], best: str | None) -> None:
    found = best_attempt(answers)
    assert (found.text if found else None) == best


def test_giving_up_carries_the_best_attempts_documents_and_grades() -> None:
    tried = replace(graded_answer("A. [1]", True, 0.4), documents=DOCS)
    state = after(replace(ASKED, answers=[tried]), lambda s: gave_up(s, "Unverified: A. [1]"))
    assert state.answers[-1] == replace(tried, text="Unverified: A. [1]", kind="gave up")
    assert state.answer == "Unverified: A. [1]"


PLAIN, VERIFIED = Answer(text="A."), Answer(text="A.", grounded=grounded(True), useful=useful(True))
GAVE_UP = Answer(text="Sorry.", kind="gave up")


@pytest.mark.parametrize(
    ("answers", "search_error", "reason"),
    [
        ([VERIFIED], "", "useful"),
        ([VERIFIED], "the search failed", "useful"),
        ([PLAIN], "", "answered"),
        ([replace(VERIFIED, useful=useful(None))], "", "not verified"),
        ([replace(VERIFIED, grounded=grounded(None))], "", "not verified"),
        ([replace(VERIFIED, grounded=grounded(False))], "", "not verified"),
        ([replace(PLAIN, kind="from the model")], "", "from the model, without sources"),
        ([replace(PLAIN, kind="abstained")], "", "no relevant documents"),
        ([replace(PLAIN, kind="abstained")], "the search failed", "search unavailable"),
        ([GAVE_UP], "", "no relevant documents"),
        ([GAVE_UP], "the search failed", "search unavailable"),
        ([PLAIN, GAVE_UP], "", "retry budget spent"),
        ([replace(PLAIN, kind="abstained"), GAVE_UP], "", "no relevant documents"),
        ([], "", "no relevant documents"),
        ([], "the search failed", "search unavailable"),
    ],
)
def test_stop_reasons(answers: list[Answer], search_error: str, reason: str) -> None:
    assert stop_reason(replace(ASKED, answers=answers, search_error=search_error)) == reason


def test_the_stop_reason_reads_the_answers_own_grades() -> None:
    # a new query has cleared `grounded` and `useful` by then
    state = replace(ASKED, answers=[VERIFIED], grounded=None, useful=None)
    assert stop_reason(state) == "useful"
