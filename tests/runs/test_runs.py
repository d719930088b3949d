"""Runs in the background: followed, held back by the pace, stopped, bounded, kept."""

import re
from collections.abc import Iterator
from threading import Event, Thread
from typing import Any

import pytest
from sqlalchemy import text

from rag_graphs.errors import LibraryError, TooManyRuns, UnknownRun
from rag_graphs.runs.events import RunEvent
from rag_graphs.runs.live import Run, play
from rag_graphs.runs.registry import Runs
from rag_graphs.runs.trace import Trace
from rag_graphs.store import Store
from tests.fakes import DOCS, fake
from tests.runs.conftest import self_rag, to_the_end


def test_a_run_can_be_followed_to_its_end(runs: Runs) -> None:
    run = runs.start("self-rag", "Why?", self_rag())
    trace = Trace(to_the_end(run))
    assert trace.path == ["retrieve", "grade_documents", "generate", "grade_answer"]
    assert trace.stop_reason == "useful"
    assert trace.head.run_id == run.id


def test_two_followers_see_the_same(runs: Runs) -> None:
    run = runs.start("self-rag", "Why?", self_rag(), pace=0.02)
    logs: list[list[str]] = []
    followers = [Thread(target=lambda: logs.append([e.kind for e in to_the_end(run)])) for _ in range(2)]
    for follower in followers:
        follower.start()
    for follower in followers:
        follower.join(20)
    assert len(logs) == 2
    assert logs[0] == logs[1]


def test_an_id_cannot_be_guessed(runs: Runs) -> None:
    ids = {runs.start("self-rag", "Why?", self_rag()).id for _ in range(4)}
    assert len(ids) == 4
    assert all(re.fullmatch(r"[\w-]{16,}", i) for i in ids)


def test_the_pace_holds_the_next_node_back_but_not_the_times(runs: Runs) -> None:
    run = runs.start("self-rag", "Why?", self_rag(), pace=10)
    run.wait(3, timeout=20)
    assert Trace(run.events()).path == ["retrieve"]
    assert not run.ended
    run.stop()
    paced = runs.start("self-rag", "Why?", self_rag(), pace=0.5)
    trace = Trace(to_the_end(paced))
    # four nodes were shown for 0.5 s each; none of that is in the events' times
    assert trace.seconds < 4 * 0.5


def test_a_stop_while_held_back_starts_no_further_node(runs: Runs, store: Store) -> None:
    asked: list[str] = []

    def grade(question: str, documents: list[object]) -> object:
        asked.append(question)
        raise AssertionError("never reached")

    run = runs.start("self-rag", "Why?", self_rag(fake(grade_relevance=grade)), pace=10)
    run.wait(3, timeout=20)
    run.stop()
    events = to_the_end(run)
    assert events[-1].kind == "run_stopped"
    assert Trace(events).stop_reason == "stopped"
    assert asked == []


def test_a_stop_does_not_wait_for_the_call_in_flight(runs: Runs) -> None:
    arrived, release = Event(), Event()

    def slow(query: str) -> list[object]:
        arrived.set()
        release.wait(20)
        return list(DOCS)

    run = runs.start("self-rag", "Why?", self_rag(fake(retrieve=slow)))
    assert arrived.wait(20)
    run.stop()
    assert run.ended
    seen = len(run.events())
    release.set()
    # whatever the call brings is dropped
    assert len(run.events()) == seen
    assert Trace(run.events()).stop_reason == "stopped"


def test_a_stop_after_the_end_changes_nothing(runs: Runs) -> None:
    run = runs.start("self-rag", "Why?", self_rag())
    before = to_the_end(run)
    run.stop()
    assert run.events() == before


def test_a_stop_before_the_first_event_is_not_lost(runs: Runs) -> None:
    arrived, release = Event(), Event()

    def late(started: Run) -> Iterator[RunEvent]:
        arrived.set()
        release.wait(20)
        yield from self_rag()(started)

    run = runs.start("self-rag", "Why?", late)
    assert arrived.wait(20)
    run.stop()
    release.set()
    assert [e.kind for e in to_the_end(run)] == ["run_started", "run_stopped"]


def test_a_run_whose_thread_breaks_ends_all_the_same(
    runs: Runs, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def broken(started: Run) -> Iterator[RunEvent]:
        raise KeyError("secret")
        yield

    assert Trace(to_the_end(runs.start("self-rag", "Why?", broken))).error.startswith("Something in the program broke")

    def break_down(*_: object) -> None:
        raise KeyError("secret")

    monkeypatch.setattr(Store, "append", break_down)
    trace = Trace(to_the_end(runs.start("self-rag", "Why?", self_rag())))
    assert trace.stop_reason == "failed"
    assert "secret" not in trace.error
    assert caplog.text.count("A run's thread broke.") == 2


def test_a_machine_without_threads_left_says_so_and_keeps_no_room(runs: Runs, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(thread: Thread) -> None:
        raise RuntimeError("can't start new thread")

    with monkeypatch.context() as patched:
        patched.setattr(Thread, "start", refuse)
        for _ in range(5):
            with pytest.raises(TooManyRuns, match="Try again"):
                runs.start("self-rag", "Why?", self_rag(), owner="me")
    assert to_the_end(runs.start("self-rag", "Why?", self_rag(), owner="me"))


def test_a_broken_component_ends_the_run_with_its_partial_trace(runs: Runs) -> None:
    def broken(query: str) -> list[object]:
        raise KeyError("x")

    events = to_the_end(runs.start("self-rag", "Why?", self_rag(fake(retrieve=broken))))
    assert [e.kind for e in events] == ["run_started", "edge_taken", "node_started", "run_failed"]


def test_a_recorded_run_plays_like_it_ran(runs: Runs) -> None:
    recorded = Trace(to_the_end(runs.start("self-rag", "Why?", self_rag())))
    assert to_the_end(play(recorded, pace=0.02)) == list(recorded.events)


def test_a_stopped_replay_shows_its_end_at_once(runs: Runs) -> None:
    recorded = Trace(to_the_end(runs.start("self-rag", "Why?", self_rag())))
    shown = play(recorded, pace=10)
    assert not shown.ended
    shown.stop()
    assert shown.ended
    assert Trace(shown.events()).stop_reason == "useful"


def test_one_visitor_cannot_take_every_thread(store: Store) -> None:
    runs = Runs(store, most_for_one=2)
    held = [runs.start("self-rag", "Why?", self_rag(), owner="greedy", pace=10) for _ in range(2)]
    with pytest.raises(TooManyRuns, match="Stop one"):
        runs.start("self-rag", "Why?", self_rag(), owner="greedy")
    assert to_the_end(runs.start("self-rag", "Why?", self_rag(), owner="other"))
    for run in held:
        run.stop()


def test_a_forgotten_run_counts_until_its_call_is_back(store: Store) -> None:
    arrived, release = Event(), Event()

    def slow(query: str) -> list[object]:
        arrived.set()
        release.wait(20)
        return list(DOCS)

    runs = Runs(store, most_for_one=1)
    run = runs.start("self-rag", "Why?", self_rag(fake(retrieve=slow)), owner="me")
    assert arrived.wait(20)
    runs.forget(run.id)
    with pytest.raises(TooManyRuns, match="wait until one ends"):
        runs.start("self-rag", "Why?", self_rag(), owner="me")
    release.set()


def test_the_server_has_a_bound(store: Store) -> None:
    runs = Runs(store, most_running=1)
    held = runs.start("self-rag", "Why?", self_rag(), owner="a", pace=10)
    with pytest.raises(TooManyRuns, match="Try again"):
        runs.start("self-rag", "Why?", self_rag(), owner="b")
    held.stop()


def finish(run: Run, store: Store) -> None:
    to_the_end(run)
    while (kept := store.trace(run.id)) is None or not kept.ended:
        run.wait(len(run.events()) + 1, timeout=0.01)


def test_an_evicted_run_opens_from_the_store(store: Store) -> None:
    runs = Runs(store, most_kept=1)
    first = runs.start("self-rag", "First?", self_rag())
    finish(first, store)
    while runs.get(first.id) is not None:
        finish(runs.start("self-rag", "Again?", self_rag()), store)
    assert runs.trace(first.id).events == tuple(first.events())


def test_an_unknown_run_says_so(runs: Runs) -> None:
    with pytest.raises(UnknownRun, match="no run with this address"):
        runs.trace("nobody-made-this")


def test_a_run_goes_on_when_it_cannot_be_kept(store: Store, caplog: pytest.LogCaptureFixture) -> None:
    runs = Runs(store)
    with store.engine.begin() as db:
        db.execute(text("DROP TABLE events"))
    assert Trace(to_the_end(runs.start("self-rag", "Why?", self_rag()))).stop_reason == "useful"
    while len(caplog.records) < 1:
        Event().wait(0.01)
    assert "not kept" in caplog.text


@pytest.mark.parametrize("fails", ["begin", "append"])
def test_what_could_not_be_kept_is_kept_with_what_comes_next(
    store: Store, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch, fails: str
) -> None:
    works, left = getattr(store, fails), [LibraryError("The disk is full."), LibraryError("The disk is full.")]

    def fail_at_first(*what: Any) -> None:
        if left:
            raise left.pop()
        works(*what)

    monkeypatch.setattr(store, fails, fail_at_first)
    runs = Runs(store)
    run = runs.start("self-rag", "Why?", self_rag())
    events = to_the_end(run)
    run.stop()  # waits until all is handed over
    kept = store.trace(run.id)
    assert kept is not None
    assert list(kept.events) == events
    assert caplog.text.count("A run is not kept. The disk is full.") == 1


def test_an_end_that_is_seen_is_kept_before_the_next_run_is_told_of_it(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The store is slow, as on a busy server: the run has ended on the page, and its end is still being written."""
    runs, may_write, append = Runs(store), Event(), store.append

    def slow(run_id: str, first: int, events: list[RunEvent]) -> None:
        if events[-1].kind == "run_finished":
            assert may_write.wait(20)
        append(run_id, first, events)

    monkeypatch.setattr(store, "append", slow)
    run = runs.start("self-rag", "Why?", self_rag(), owner="me")
    to_the_end(run)
    settling = Thread(target=runs.settle, args=("me",))
    settling.start()
    kept = store.trace(run.id)
    assert kept
    assert kept.stop_reason == "interrupted"
    may_write.set()
    settling.join(20)
    kept = store.trace(run.id)
    assert kept
    assert kept.stop_reason == "useful"
