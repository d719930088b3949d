"""The pace of a run, by itself: when its events are shown, and that the time held back does not count."""

import time
from threading import Thread

from rag_graphs.graphs.state import Grade
from rag_graphs.runs.event_log import EventLog
from rag_graphs.runs.events import Graded, NodeFinished, NodeStarted, RunEvent, RunStarted, RunStopped, Token
from rag_graphs.runs.pacing import Pace, node_by_node
from tests.fakes import relevance

HEAD = RunStarted(run_id="r", strategy="naive", question="Why?")
NODE = NodeStarted(node="retrieve", attempt=1)
DONE = NodeFinished(node="retrieve", attempt=1)
GRADE: Grade = relevance(True)


def logged(pace: Pace, *events: RunEvent) -> EventLog:
    log = EventLog()
    for event in events:
        assert pace.add(log, event)
    return log


def test_grades_land_one_after_the_other() -> None:
    log = logged(Pace(600), HEAD, NODE, Graded(grade=GRADE, index=0))
    assert log.snapshot() == [HEAD, NODE]
    assert 90 < log.last_due - time.monotonic() <= 100


def test_without_a_pace_everything_is_shown_at_once() -> None:
    events: list[RunEvent] = [HEAD, NODE, Token(text="a"), DONE]
    pace = Pace()
    log = logged(pace, *events)
    pace.hold(log)
    assert log.snapshot() == events


def test_the_time_for_which_a_node_is_held_does_not_count() -> None:
    pace = Pace(0.05)
    log = logged(pace, HEAD, NODE)
    shown, begun, clock = time.monotonic(), time.perf_counter(), pace.clock()
    pace.hold(log)
    held = time.perf_counter() - begun
    assert time.monotonic() - shown > 0.03
    assert pace.clock() - clock < held / 2


def test_a_stop_ends_the_hold() -> None:
    pace = Pace(600)
    log = logged(pace, HEAD, NODE)
    holding = Thread(target=pace.hold, args=(log,), daemon=True)
    holding.start()
    log.append(RunStopped())
    holding.join(20)
    assert not holding.is_alive()


def test_what_a_fork_repeats_is_shown_at_once() -> None:
    head = HEAD.model_copy(update={"forked_at": 3})
    pace = Pace(600)
    log = logged(pace, head, NODE, Graded(grade=GRADE, index=0))
    assert pace.is_repeating(log)
    pace.hold(log)
    assert pace.add(log, DONE)
    assert log.snapshot() == [head, NODE, Graded(grade=GRADE, index=0), DONE]
    assert not pace.is_repeating(log)


def test_nothing_is_added_to_a_run_that_is_over() -> None:
    pace = Pace()
    assert not pace.add(logged(pace, HEAD, RunStopped()), NODE)


def test_a_recorded_node_is_shown_for_one_pace() -> None:
    assert node_by_node([HEAD, NODE, DONE, NODE, DONE], 2.0) == [0.0, 0.0, 2.0, 2.0, 4.0]
