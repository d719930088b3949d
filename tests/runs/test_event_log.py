"""The log of a run's events, by itself: added, shown when due, waited for."""

import time
from threading import Timer

import pytest

from rag_graphs.runs.event_log import EventLog
from rag_graphs.runs.events import NodeStarted, RunStarted, RunStopped

HEAD = RunStarted(run_id="r", strategy="naive", question="Why?")
NODE = NodeStarted(node="retrieve", attempt=1)
END = RunStopped()


@pytest.fixture
def log() -> EventLog:
    return EventLog()


def test_an_event_is_visible_only_when_it_is_due(log: EventLog) -> None:
    log.append(HEAD)
    log.append(NODE, time.monotonic() + 60)
    assert log.snapshot() == [HEAD]
    assert log.since(0) == [HEAD, NODE]
    assert log.last == NODE
    log.show_all()
    assert log.snapshot() == [HEAD, NODE]


def test_nothing_is_added_after_the_end(log: EventLog) -> None:
    assert log.append(HEAD)
    assert log.append(END)
    assert not log.append(NODE)
    assert log.snapshot() == [HEAD, END]


def test_a_run_has_ended_when_its_end_is_visible(log: EventLog) -> None:
    assert not log.has_ended
    log.extend([(0.0, HEAD), (time.monotonic() + 60, END)])
    assert log.is_finished
    assert not log.has_ended
    log.show_all()
    assert log.has_ended


def test_a_follower_is_woken_by_an_event_that_falls_due(log: EventLog) -> None:
    log.extend([(0.0, HEAD), (time.monotonic() + 0.02, NODE)])
    assert log.wait(1, timeout=20)
    assert log.snapshot() == [HEAD, NODE]


def test_a_follower_is_woken_by_what_is_added(log: EventLog) -> None:
    later = Timer(0.01, log.append, (HEAD,))
    later.start()
    assert log.wait(0, timeout=20)
    later.join()


def test_a_follower_waits_no_longer_than_it_may_and_not_at_all_after_the_end(log: EventLog) -> None:
    log.append(HEAD)
    assert not log.wait(1, timeout=0.01)
    log.append(END)
    assert log.wait(9, timeout=0)
