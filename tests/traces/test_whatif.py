"""What if: each change, where it is possible, what follows from it, and in what words it is refused."""

from __future__ import annotations

import pytest

from rag_graphs.errors import SearchUnavailable, SettingsError
from rag_graphs.graphs.state import Update
from rag_graphs.graphs.strategies import get_strategy
from rag_graphs.runs.comparison import compare
from rag_graphs.runs.runner import ForkRequest, fork, run
from rag_graphs.runs.trace import Trace
from rag_graphs.runs.whatif import (
    AnswerChange,
    Change,
    ChoiceChange,
    DocumentChange,
    QueryChange,
    RelevanceChange,
    VerdictChange,
    offers_at,
    offers_now,
    parse_change,
    update_at,
    update_now,
    visit_named,
)
from rag_graphs.settings import Settings
from tests.fakes import DOCS, HIT, fake
from tests.runs.conftest import in_steps
from tests.traces.conftest import recorded


def forked(parent: Trace, at: int, change: Change | None, **scripted: object) -> Trace:
    update = update_at(parent, at, change) if change else {}
    components = fake(**scripted)  # type: ignore[arg-type]
    strategy = get_strategy(parent.head.strategy)
    request = ForkRequest(
        parent=parent, at=at, change=update, strategy=strategy, components=components, settings=Settings()
    )
    return Trace(list(fork(request)))


def labels(trace: Trace, at: int) -> list[str]:
    return [offer.label for offer in offers_at(trace, at)]


def test_a_flipped_grade_keeps_its_document_and_says_what_it_was() -> None:
    parent = recorded("self-rag", relevant=[[False]])
    at = visit_named(parent, "grade_documents")
    child = forked(parent, at, RelevanceChange(document=2, passed=True))
    assert child.path == ["retrieve", "grade_documents", "generate", "grade_answer"]
    after = child.visits[at].after
    assert after is not None
    assert after.documents == [DOCS[1]]
    assert [g.passed for g in after.relevance] == [False, True, False, False]
    assert (after.relevance[1].label, after.relevance[1].reason) == ("relevant", "Set by hand. It was: not relevant.")
    assert [s.grade.passed for s in after.seen if s.grade] == [False, True, False, False]
    # the record keeps the grader's verdict, and the one set by hand lands after it
    landed = [(d.id, g.passed) for d, g in child.grades if d]
    assert landed == [("d1", False), ("d2", False), ("d3", False), ("d4", False), ("d2", True)]


def test_a_document_is_named_by_its_number_or_its_id() -> None:
    parent = recorded("self-rag", relevant=[[False]])
    by_number, by_id = (update_at(parent, 1, RelevanceChange(document=d, passed=True)) for d in (3, "d3"))
    assert by_number == by_id


def test_an_unclear_grade_can_be_set_and_follows_the_setting() -> None:
    parent = Trace(list(run(get_strategy("self-rag"), "Why?", fake(), Settings(keep_unclear=True))))
    assert len(update_at(parent, 1, RelevanceChange(document=1, passed=None))["documents"]) == 1
    parent = recorded("self-rag")
    assert len(update_at(parent, 1, RelevanceChange(document=1, passed=None))["documents"]) == 0


@pytest.mark.parametrize(
    ("change", "goes_on"),
    [
        (VerdictChange(change="groundedness", passed=False), ["generate", "grade_answer"]),
        (
            VerdictChange(change="usefulness", passed=False),
            ["rewrite_query", "retrieve", "grade_documents", "generate", "grade_answer"],
        ),
        (VerdictChange(change="groundedness", passed=None), []),
        (None, []),
    ],
)
def test_a_flipped_verdict_takes_the_edge_that_it_implies(change: Change | None, goes_on: list[str]) -> None:
    parent = recorded("self-rag")
    child = forked(parent, 3, change)
    assert child.path[4:] == goes_on
    assert child.stop_reason == ("not verified" if change and change.passed is None else "useful")  # type: ignore[union-attr]


def test_a_flipped_verdict_reaches_the_attempt_and_the_feedback() -> None:
    update = update_at(recorded("self-rag"), 3, VerdictChange(change="groundedness", passed=False))
    last = update["answers"][-1]
    assert (last.grounded.passed, last.useful.passed) == (False, True)
    assert update["feedback"].startswith("Set by hand.")
    child = forked(recorded("self-rag"), 3, VerdictChange(change="groundedness", passed=False))
    verdicts = [g.passed for d, g in child.grades if d is None and g.aspect == "groundedness"]
    assert verdicts == [True, False, True]


def test_other_words_at_the_start_are_searched_and_recorded() -> None:
    searched: list[str] = []
    parent = recorded("self-rag")
    child = forked(parent, -1, QueryChange(query=" other  words "), retrieve=lambda q: searched.append(q) or DOCS)
    assert searched == ["other words"]
    assert child.queries == ["Why?", "other words"]
    assert child.head.question == "Why?"
    again = Trace.from_json(child.to_json())
    assert again.state.query == "other words"
    assert again.visits[0].before.query == "other words"


def test_a_rewritten_query_is_replaced_and_counts_once() -> None:
    searched: list[str] = []
    parent = recorded("crag", relevant=[[False]])
    at = visit_named(parent, "rewrite_query")
    child = forked(parent, at, QueryChange(query="mine"), search_web=lambda q: searched.append(q) or [HIT])
    assert searched == ["mine"]
    assert child.queries == ["Why?", "mine"]
    assert child.state.rewrites == 1


def test_the_other_route() -> None:
    parent = recorded("adaptive")
    assert "Choose web search" in labels(parent, 0)
    child = forked(parent, 0, ChoiceChange(change="route", to="web search"))
    assert child.path == ["route_question", "search_web", "generate", "grade_answer"]
    assert child.state.route is not None
    assert child.state.route.reason == "Chosen by hand. It was: vectorstore. scripted"


def test_a_dropped_document_is_not_given_to_the_generator() -> None:
    given: list[list[str]] = []

    def write(request: object) -> object:
        given.append([d.id for d in request.documents])  # type: ignore[attr-defined]
        return fake().generate(request)  # type: ignore[arg-type]

    parent = recorded("self-rag", relevant=[[True, True, False, False]])
    forked(parent, 1, DocumentChange(change="drop", document=1), generate=write)
    forked(parent, 1, DocumentChange(change="keep", document=4), generate=write)
    assert given == [["d2"], ["d1", "d2", "d4"]]


def test_documents_are_dropped_after_their_grades_or_where_none_come() -> None:
    assert labels(recorded("naive"), 0) == [f"Drop “Page {n}”" for n in (1, 2, 3, 4)]
    assert labels(recorded("self-rag"), 0) == []
    with pytest.raises(SettingsError, match="retrieve is no place"):
        update_at(recorded("self-rag"), 0, DocumentChange(change="drop", document=4))
    child = forked(recorded("naive"), 0, DocumentChange(change="drop", document=1))
    assert [d.id for d in child.state.answers[-1].documents] == ["d2", "d3", "d4"]


def test_too_few_kept_documents_lead_crag_to_the_web() -> None:
    parent = recorded("crag", relevant=[[True] * 4])
    assert "search_web" not in parent.path
    two = forked(parent, 1, RelevanceChange(document=1, passed=False))
    assert "search_web" not in two.path, "three of four are more than the required share"
    grandchild = forked(two, 1, RelevanceChange(document=2, passed=False))
    assert grandchild.path == ["retrieve", "grade_documents", "rewrite_query", "search_web", "generate"]
    assert grandchild.head.parent == two.head.run_id


def test_another_answer_goes_on_to_be_graded() -> None:
    graded: list[str] = []

    def grade(question: str, documents: object, answer: str) -> object:
        graded.append(answer)
        return fake().grade_answer(question, documents, answer)  # type: ignore[arg-type]

    child = forked(recorded("self-rag"), 2, AnswerChange(text="Mine [1]."), grade_answer=grade)
    assert graded == ["Mine [1]."]
    assert child.text == "Mine [1]."


def test_what_is_offered_where() -> None:
    parent = recorded("self-rag", relevant=[[True, False, False, False]])
    assert labels(parent, -1) == ["Search with other words"]
    assert labels(parent, 1)[:4] == ["“Page 1” is not relevant", *(f"“Page {n}” is relevant" for n in (2, 3, 4))]
    assert labels(parent, 1)[4:] == ["Drop “Page 1”", *(f"Keep “Page {n}”" for n in (2, 3, 4))]
    assert labels(parent, 2) == ["Another answer"]
    assert labels(parent, 3) == ["The answer is not grounded", "The answer is not useful"]
    assert [o.document for o in offers_at(parent, 1)][:2] == ["d1", "d2"]


def test_nothing_is_offered_inside_a_node_that_broke_off() -> None:
    parent = recorded("self-rag", retrieve=lambda q: (_ for _ in ()).throw(SearchUnavailable("down")))
    assert parent.stop_reason == "failed"
    assert offers_at(parent, 0) == []
    assert labels(parent, -1) == ["Search with other words"]


def test_a_giving_up_answer_and_a_search_that_found_nothing() -> None:
    parent = recorded("self-rag", retrieve=lambda q: [])
    assert labels(parent, visit_named(parent, "give_up")) == []
    assert labels(parent, visit_named(parent, "grade_documents")) == []


@pytest.mark.parametrize(
    ("at", "change", "says"),
    [
        (9, VerdictChange(change="usefulness", passed=False), "4 nodes to go on from; 9"),
        (-2, QueryChange(query="x"), "4 nodes to go on from; -2"),
        (0, VerdictChange(change="usefulness", passed=False), "retrieve is no place"),
        (-1, RelevanceChange(document="d1", passed=True), "none of them"),
        (1, RelevanceChange(document=5, passed=True), "had seen 4 documents by then; 5 is none"),
        (1, DocumentChange(change="keep", document=1), "kept already"),
        (1, ChoiceChange(change="route", to="web search"), "no node that chooses a route"),
        (2, QueryChange(query="x"), "generate is no place"),
        (-1, QueryChange(query="  "), "Write a query first"),
        (3, AnswerChange(text="x"), "no node that writes an answer"),
    ],
)
def test_what_cannot_be_changed_is_refused_in_words(at: int, change: Change, says: str) -> None:
    with pytest.raises(SettingsError, match=says):
        update_at(recorded("self-rag"), at, change)


def test_a_route_that_the_graph_does_not_have_is_refused() -> None:
    with pytest.raises(SettingsError, match="can choose vectorstore, web search; 'no retrieval' is none"):
        update_at(recorded("adaptive"), 0, ChoiceChange(change="route", to="no retrieval"))


@pytest.mark.parametrize(
    ("name", "index"),
    [("START", -1), ("retrieve", 0), ("retrieve:2", 3), ("grade_documents:2", 4)],
)
def test_a_visit_is_named_by_its_node(name: str, index: int) -> None:
    assert visit_named(recorded("self-rag", relevant=[[False], [True]]), name) == index


@pytest.mark.parametrize("name", ["", "nothing", "retrieve:0", "retrieve:3", "retrieve:x", "retrieve:²", ":1"])
def test_a_visit_that_never_was_is_refused(name: str) -> None:
    with pytest.raises(SettingsError, match="It passed START, retrieve"):
        visit_named(recorded("self-rag", relevant=[[False], [True]]), name)


@pytest.mark.parametrize(
    "change",
    [
        RelevanceChange(document=2, passed=True),
        RelevanceChange(document="d2", passed=None),
        VerdictChange(change="groundedness", passed=False),
        QueryChange(query="other words"),
        ChoiceChange(change="route", to="web search"),
        DocumentChange(change="drop", document=1),
        AnswerChange(text="Another."),
    ],
)
def test_a_change_survives_json(change: Change) -> None:
    assert parse_change(change.model_dump_json()) == change


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("", "not JSON"),
        ("[1]", "change"),
        ("{}", 'no "change"'),
        ('{"change": "everything"}', '"change" is one of relevance, groundedness'),
        ('{"change": "relevance", "document": 1}', "passed: Field required"),
        ('{"change": "relevance", "document": 0, "passed": true}', "document"),
        ('{"change": "relevance", "document": 1, "passed": "yes"}', "passed"),
        ('{"change": "query", "query": ""}', "query: String should have at least 1"),
        ('{"change": "query", "query": "x", "more": 1}', "more: Extra inputs"),
        ('{"change": "answer", "text": 3}', "text: Input should be a valid string"),
        ("[" * 100_000, "not JSON"),
    ],
)
def test_a_change_that_is_none_is_refused_in_words(text: str, says: str) -> None:
    with pytest.raises(SettingsError, match=says) as failure:
        parse_change(text)
    assert "An example" in str(failure.value)


def test_a_run_in_step_mode_takes_the_same_changes() -> None:
    def answer(waiting: Trace) -> Update:
        if waiting.waiting_for != "rewrite_query":
            return {}
        assert "“Page 1” is relevant" in [o.label for o in offers_now(waiting)]
        return update_now(waiting, RelevanceChange(document=1, passed=True))

    stepped = Trace(list(in_steps(get_strategy("self-rag"), fake(relevant=[[False]]), Settings(), answer)))
    assert stepped.path == ["retrieve", "grade_documents", "generate", "grade_answer"]
    # a fork from there goes on from what was edited, and the offers are those of the edited state
    assert forked(stepped, 1, None).path == stepped.path
    assert "“Page 1” is not relevant" in labels(stepped, 1)
    assert [g.passed for d, g in stepped.grades if d and d.id == "d1"] == [False, True]
    both = forked(stepped, 1, RelevanceChange(document=2, passed=True))
    assert [d.id for d in both.state.documents] == ["d1", "d2"]


def test_a_run_of_a_graph_that_has_lost_the_node_is_refused() -> None:
    parent = recorded("self-rag")
    old = parent.to_json()
    for event in old["events"]:
        event["node"] = event["node"].replace("retrieve", "fetch")
    with pytest.raises(SettingsError, match="no node fetch any more"):
        forked(Trace.from_json(old), 0, None)


def test_parent_and_child_side_by_side() -> None:
    parent = recorded("self-rag", relevant=[[False]])
    child = forked(parent, 1, RelevanceChange(document=2, passed=True))
    both = compare(parent, child)
    assert (both.related, both.path, both.parted_at) == (True, ("retrieve", "grade_documents"), "grade_documents")
    assert [e.target for e in both.edges] == ["retrieve", "grade_documents"]
    assert both.parent.edges[0].outcome == "none relevant"
    assert both.child.edges[0].outcome == "some relevant"
    assert both.child.path == ("generate", "grade_answer")
    assert set(both.changed) == {"relevance", "documents", "seen"}
    assert (both.parent.stop_reason, both.child.stop_reason) == ("no relevant documents", "useful")
    assert [d.id for d in both.child.documents] == ["d2"]
    assert "".join(t for kind, t in both.answer if kind != "gone") == child.text
    assert "".join(t for kind, t in both.answer if kind != "came") == parent.text


def test_runs_that_part_at_the_start() -> None:
    parent = recorded("self-rag")
    both = compare(parent, forked(parent, -1, QueryChange(query="other")))
    assert (both.path, both.parted_at, both.edges) == ((), "START", ())
    assert set(both.changed) == {"query", "queries"}


def test_two_runs_that_are_not_related() -> None:
    one, other = recorded("self-rag"), recorded("self-rag", relevant=[[False]])
    both = compare(one, other)
    assert (both.related, both.path) == (False, ("retrieve",))
    assert compare(one, one).path == tuple(one.path)
    assert compare(one, recorded("crag")).path == ("retrieve", "grade_documents")
