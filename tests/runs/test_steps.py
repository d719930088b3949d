"""Step mode: a run that waits before each node, and takes what was changed meanwhile into account."""

from collections.abc import Callable
from threading import Event, Thread, active_count
from threading import enumerate as enumerate_threads

import pytest
from hypothesis import given, settings

from rag_graphs.errors import TooManyRuns
from rag_graphs.graphs.state import Document, RagState, Update
from rag_graphs.graphs.strategies import get_strategy
from rag_graphs.graphs.updates import graded, new_query
from rag_graphs.runs import registry
from rag_graphs.runs.events import RunEvent
from rag_graphs.runs.live import Run
from rag_graphs.runs.registry import Runs
from rag_graphs.runs.runner import run
from rag_graphs.runs.trace import Trace
from rag_graphs.settings import Settings
from rag_graphs.store import Store
from tests.fakes import DOCS, HIT, VARIANTS, fake, relevance
from tests.property.choices import picked
from tests.property.test_forks import CHOICES, Script
from tests.runs.conftest import in_steps, self_rag, stepping_through, to_the_end


def stepped(key: str, gate: Callable[[RagState, str], Update], **scripted: object) -> Trace:
    components = fake(**scripted)  # type: ignore[arg-type]
    events = in_steps(get_strategy(key), components, Settings(), lambda t: gate(t.state, t.waiting_for))
    return Trace(list(events))


@pytest.mark.parametrize("variant", list(VARIANTS))
@settings(max_examples=8, deadline=None)
@given(choices=CHOICES)
def test_stepping_alone_changes_nothing(variant: str, choices: list[int]) -> None:
    key, own = VARIANTS[variant]
    plain = Trace(list(run(get_strategy(key), "Why?", picked(Script(choices)), Settings(**own))))
    trace = Trace(list(in_steps(get_strategy(key), picked(Script(choices)), Settings(**own))))
    assert [e.node for e in trace.events if e.kind == "paused"] == trace.path == plain.path
    assert trace.state == plain.state
    assert (trace.stop_reason, trace.text) == (plain.stop_reason, plain.text)
    assert [told(e) for e in trace.events if e.kind != "paused"] == [told(e) for e in plain.events]
    assert [e.at for e in trace.events] == sorted(e.at for e in trace.events)


def told(event: RunEvent) -> dict[str, object]:
    """An event without its times and its run's id."""
    return event.model_dump(exclude={"at", "seconds", "run_id", "started"})


def test_an_edited_grade_takes_the_other_edge() -> None:
    def gate(state: RagState, node: str) -> Update:
        if node == "rewrite_query":
            return graded(state, [relevance(True) for _ in state.retrieved], keep_unclear=False)
        return {}

    trace = stepped("self-rag", gate, relevant=[[False]])
    assert trace.path == ["retrieve", "grade_documents", "generate", "grade_answer"]
    assert [e.outcome for e in trace.edges if e.source == "grade_documents"] == ["some relevant"]
    assert len(trace.state.documents) == 4
    assert Trace.from_json(trace.to_json()).state == trace.state


def test_an_edited_query_is_what_is_searched() -> None:
    searched: list[str] = []

    def gate(state: RagState, node: str) -> Update:
        return new_query(state, "edited") if node == "retrieve" and not searched else {}

    def retrieve(query: str) -> list[Document]:
        searched.append(query)
        return [HIT]

    stepped("self-rag", gate, retrieve=retrieve)
    assert searched == ["edited"]


def test_an_edit_can_end_the_run() -> None:
    def gate(state: RagState, node: str) -> Update:
        if node == "rewrite_query":
            return {"grounded": relevance(True), "useful": relevance(True)}
        return {}

    trace = stepped("self-rag", gate, verdicts=[(True, False)])
    assert trace.path[-1] == "grade_answer"
    assert trace.edges[-1].target == "END"


def test_what_a_run_waits_for_can_be_seen() -> None:
    seen: list[str] = []
    events = []
    for event in in_steps(get_strategy("crag"), fake(), Settings()):
        events.append(event)
        seen.append(Trace(events).waiting_for)
    assert [s for s in seen if s] == Trace(events).path


def waits_before(run: Run, node: str) -> None:
    assert run.wait(0, timeout=20)
    while Trace(run.events()).waiting_for != node:
        assert run.wait(len(run.events()), timeout=20)


def test_a_run_in_the_background_goes_on_when_told(runs: Runs) -> None:
    run = stepping_through(runs)
    waits_before(run, "retrieve")
    run.next()
    while Trace(run.events()).path != ["retrieve"] or not Trace(run.events()).waiting_for:
        assert run.wait(len(run.events()), timeout=20)
    state = Trace(run.events()).state
    run.next(new_query(state, "edited"))
    while Trace(run.events()).queries[-1] != "edited":
        assert run.wait(len(run.events()), timeout=20)
    run.run_on()
    events = to_the_end(run)
    assert Trace(events).ended
    assert Trace(events).queries[:2] == ["Why?", "edited"]


def test_a_second_click_on_the_same_pause_skips_no_node(runs: Runs) -> None:
    arrived, release = Event(), Event()

    def slow(query: str) -> list[object]:
        arrived.set()
        release.wait(20)
        return list(DOCS)

    run = stepping_through(runs, fake(retrieve=slow))
    waits_before(run, "retrieve")
    run.next()
    assert arrived.wait(20)
    run.next()
    release.set()
    while Trace(run.events()).waiting_for != "grade_documents":
        assert run.wait(len(run.events()), timeout=20)
    assert not run.wait(len(run.events()), timeout=0.1)
    run.stop()


def test_a_run_that_nobody_comes_back_to_is_stopped(runs: Runs, store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    forgotten = stepping_through(runs)
    lets_go(forgotten)
    monkeypatch.setattr(registry, "LONGEST_PAUSE", 0.0)
    stepping_through(runs).stop()
    assert Trace(forgotten.events()).stop_reason == "stopped"
    kept = store.trace(forgotten.id)
    assert kept
    assert kept.stop_reason == "stopped"


def test_a_visitor_has_only_so_many_runs_that_wait(store: Store) -> None:
    runs = Runs(store, most_waiting=2)
    mine = []
    theirs = stepping_through(runs, owner="them")
    lets_go(theirs)
    for _ in range(3):
        mine.append(stepping_through(runs, owner="me"))
        lets_go(mine[-1])
    assert [run.ended for run in [theirs, *mine]] == [False, True, False, False]


def test_a_run_that_waits_makes_room_last_and_is_stopped_then(store: Store) -> None:
    runs = Runs(store, most_kept=2)
    waiting, ended = stepping_through(runs), runs.start("self-rag", "Why?", self_rag())
    lets_go(waiting)
    to_the_end(ended)
    lets_go(ended)
    others = []
    for _ in range(2):
        others.append(stepping_through(runs))
        lets_go(others[-1])
        assert runs.get(ended.id) is None
        assert waiting.ended is (len(others) == 2)
    assert runs.get(waiting.id) is None


def workers(run: Run) -> list[Thread]:
    return [thread for thread in enumerate_threads() if thread.name == f"run-{run.id[:4]}"]


def lets_go(run: Run) -> None:
    """Wait until a run waits or is over, and its worker is gone."""
    while not (run.ended or run.waiting_since):
        assert run.wait(len(run.events()), timeout=20)
    for thread in workers(run):
        thread.join(20)
    assert not workers(run)


def test_a_run_that_waits_holds_no_thread_and_takes_no_place(store: Store) -> None:
    runs = Runs(store, most_running=1, most_for_one=1)
    before = active_count()
    waiting = []
    for _ in range(20):
        waiting.append(stepping_through(runs, owner="me"))
        lets_go(waiting[-1])
    assert active_count() <= before
    assert not any(run.ended for run in waiting)
    waiting[3].next()
    waits_before(waiting[3], "grade_documents")
    lets_go(waiting[3])
    assert active_count() <= before
    for left in waiting:
        left.stop()


def test_it_goes_on_under_its_id_and_is_kept_whole(runs: Runs, store: Store) -> None:
    run = stepping_through(runs)
    waits_before(run, "retrieve")
    while not run.ended:
        seen = len(run.events())
        run.next()
        assert run.wait(seen, timeout=20)
        lets_go(run)
    trace = Trace(run.events())
    assert trace.head.run_id == run.id
    assert runs.get(run.id) is run
    assert trace.path == ["retrieve", "grade_documents", "generate", "grade_answer"]
    assert trace.stop_reason == "useful"
    assert [e.kind for e in trace.events].count("run_started") == 1
    kept = store.trace(run.id)
    assert kept
    assert list(kept.events) == run.events()


def test_the_time_that_it_waits_does_not_count(runs: Runs) -> None:
    run = stepping_through(runs)
    waits_before(run, "retrieve")
    lets_go(run)
    Event().wait(0.5)
    run.next()
    waits_before(run, "grade_documents")
    paused = Trace(run.events()).seconds
    Event().wait(0.5)
    run.stop()
    assert paused < 0.5
    assert run.events()[-1].at == paused


def test_without_a_thread_it_still_waits(store: Store) -> None:
    runs, arrived, release = Runs(store, most_running=1), Event(), Event()

    def slow(query: str) -> list[object]:
        arrived.set()
        release.wait(20)
        return list(DOCS)

    run = stepping_through(runs)
    waits_before(run, "retrieve")
    lets_go(run)
    other = runs.start("self-rag", "Why?", self_rag(fake(retrieve=slow)))
    assert arrived.wait(20)
    for go_on in (run.next, run.run_on):
        with pytest.raises(TooManyRuns):
            go_on()
        assert run.stepping
        assert run.waiting_since
    release.set()
    to_the_end(other)
    lets_go(other)
    run.run_on()
    assert Trace(to_the_end(run)).stop_reason == "useful"


def test_a_waiting_run_can_be_stopped(runs: Runs) -> None:
    run = stepping_through(runs)
    waits_before(run, "retrieve")
    run.stop()
    assert Trace(to_the_end(run)).stop_reason == "stopped"
    assert Trace(run.events()).path == []


def test_a_stop_while_it_waits_is_kept(runs: Runs, store: Store) -> None:
    run = stepping_through(runs)
    waits_before(run, "retrieve")
    lets_go(run)
    run.stop()
    kept = store.trace(run.id)
    assert kept
    assert kept.events[-1].kind == "run_stopped"
    before = run.events()
    run.next()
    run.run_on()
    assert not workers(run)
    assert run.events() == before
