"""What the store knows of conversations: their runs in order, nobody else's, and what became of each question."""

from __future__ import annotations

from pathlib import Path

import pytest

from rag_graphs.runs.events import RunStopped
from rag_graphs.runs.trace import Trace
from rag_graphs.store import Store
from tests.conversation.conftest import ALONE, FIRST, FOLLOW_UP, ME, OTHER, TURN, keep, recorded, talking


def test_a_conversation_has_its_runs_in_order_with_how_each_was_understood(store: Store) -> None:
    keep(store, recorded(run_id="r1", conversation="talk"))
    keep(store, recorded("Alone?", run_id="alone"))
    keep(store, recorded(FOLLOW_UP, [TURN], run_id="r2", conversation="talk"))
    first, second = store.turns(ME, "talk")
    assert (first.id, first.question, first.condensed) == ("r1", FIRST, "")
    assert (second.id, second.question, second.condensed) == ("r2", FOLLOW_UP, ALONE)
    assert (second.answer, second.stop_reason) == ("An answer. [1]", "useful")


def test_the_list_tells_first_question_length_and_time_and_begins_with_the_latest(store: Store) -> None:
    keep(store, recorded("Older?", run_id="o1", conversation="older"))
    keep(store, recorded(run_id="n1", conversation="newer"))
    keep(store, recorded(FOLLOW_UP, [TURN], run_id="n2", conversation="newer"))
    rows = store.conversations(ME)
    assert [(r.id, r.question, r.runs) for r in rows] == [("newer", FIRST, 2), ("older", "Older?", 1)]
    assert rows[0].last > rows[1].last
    assert [r.id for r in store.conversations(ME, limit=1)] == ["newer"]
    keep(store, recorded("Again?", [TURN], run_id="o2", conversation="older"))
    assert [r.id for r in store.conversations(ME)] == ["older", "newer"]


def test_nobody_sees_anothers_conversation_not_even_under_the_same_name(store: Store) -> None:
    keep(store, recorded(run_id="mine", conversation="talk"))
    keep(store, recorded("Secret?", run_id="theirs", conversation="talk"), OTHER)
    assert [r.id for r in store.turns(ME, "talk")] == ["mine"]
    assert [(r.question, r.runs) for r in store.conversations(ME)] == [(FIRST, 1)]
    assert [r.id for r in store.turns(OTHER, "talk")] == ["theirs"]
    assert store.turns("", "talk") == []
    assert store.turns(ME, "") == []


def test_it_survives_a_restart(tmp_path: Path) -> None:
    first = Store(tmp_path)
    keep(first, recorded(run_id="r1", conversation="talk"))
    first.close()
    again = Store(tmp_path)
    assert [t.id for t in again.turns(ME, "talk")] == ["r1"]
    trace = again.trace("r1")
    again.close()
    assert trace is not None
    assert trace.head.conversation == "talk"


def test_a_deleted_run_leaves_its_conversation_and_the_last_one_ends_it(store: Store) -> None:
    keep(store, recorded(run_id="r1", conversation="talk"))
    keep(store, recorded(FOLLOW_UP, [TURN], run_id="r2", conversation="talk"))
    assert store.delete(ME, "r1")
    assert [(r.question, r.runs) for r in store.conversations(ME)] == [(FOLLOW_UP, 1)]
    assert store.delete(ME, "r2")
    assert store.conversations(ME) == []


def test_the_latest_runs_of_a_long_conversation(store: Store) -> None:
    for n in range(5):
        keep(store, recorded(f"Question {n}?", run_id=f"r{n}", conversation="talk", strategy="naive"))
    assert [t.id for t in store.turns(ME, "talk", limit=2)] == ["r3", "r4"]


def test_an_imported_run_joins_no_conversation(store: Store) -> None:
    keep(store, recorded(run_id="mine", conversation="talk"))
    told = recorded("Words put into it", run_id="theirs", conversation="talk").to_json()
    store.import_trace(Trace.from_json(told), ME)
    assert [t.id for t in store.turns(ME, "talk")] == ["mine"]


def test_a_run_that_goes_on_and_one_that_was_stopped_have_no_answer(store: Store) -> None:
    trace = recorded(run_id="r1", conversation="talk")
    store.begin(trace.head, ME)
    store.append("r1", 0, trace.events[:8])
    (row,) = store.turns(ME, "talk")
    assert (row.answer, row.stop_reason) == ("", "")
    store.append("r1", 8, [RunStopped(at=9)])
    (row,) = store.turns(ME, "talk")
    assert (row.answer, row.stop_reason) == ("", "stopped")


@pytest.mark.parametrize("conversation", ["'; DROP TABLE runs; --", "%", "x" * 500, "\n"])
def test_a_hostile_name_finds_nothing(store: Store, conversation: str) -> None:
    keep(store, recorded(run_id="r1", conversation="talk"))
    assert store.turns(ME, conversation) == []
    assert len(store.turns(ME, "talk")) == 1


def test_a_conversation_begins_with_a_run_that_was_made_before(store: Store) -> None:
    keep(store, recorded(run_id="r1"))
    keep(store, recorded(run_id="theirs"), OTHER)
    keep(store, recorded(run_id="empty", components=talking(retrieve=lambda query: 1 / 0)))
    fork = recorded()
    keep(store, Trace([fork.head.model_copy(update={"run_id": "fork", "parent": "r1"}), *fork.events[1:]]))
    assert store.may_begin(ME, "r1")
    assert store.begin_with(ME, "r1", "talk")
    for run_id in ("r1", "theirs", "empty", "fork", "never"):
        assert not store.may_begin(ME, run_id)
        assert not store.begin_with(ME, run_id, "another")
    assert [t.id for t in store.turns(ME, "talk")] == ["r1"]
