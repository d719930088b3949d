"""The list of a visitor's runs: in order, searched, filtered, starred, deleted, and nobody else's."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from rag_graphs.runs.events import RunStopped
from rag_graphs.runs.trace import Trace
from rag_graphs.store import Store
from tests.traces.conftest import ME, OTHER, keep, recorded


def ids(store: Store, owner: str = ME, **filters: object) -> list[str]:
    rows = store.history(owner, **filters)  # type: ignore[arg-type]
    assert len(rows) == store.count(owner, **filters)  # type: ignore[arg-type]
    return [row.id for row in rows]


def test_a_row_tells_what_the_list_shows(store: Store) -> None:
    trace = recorded(run_id="r1")
    keep(store, trace)
    (row,) = store.history(ME)
    assert (row.id, row.strategy, row.question, row.stop_reason) == ("r1", "self-rag", "Why?", "useful")
    assert (row.seconds, row.llm_calls, row.starred, row.parent) == (trace.seconds, 0, False, "")
    assert (datetime.now(UTC) - row.started).total_seconds() < 60


def test_the_newest_comes_first_and_pages_follow_each_other(store: Store) -> None:
    for n in range(5):
        keep(store, recorded("naive", run_id=f"r{n}"))
    assert ids(store) == ["r4", "r3", "r2", "r1", "r0"]
    assert [r.id for r in store.history(ME, limit=2, offset=2)] == ["r2", "r1"]
    assert store.history(ME, limit=2, offset=9) == []


def test_everybody_sees_their_own_and_nobody_what_nobody_owns(store: Store) -> None:
    keep(store, recorded("naive", run_id="mine"))
    keep(store, recorded("naive", run_id="theirs"), OTHER)
    keep(store, recorded("naive", run_id="nobodys"), "")
    assert ids(store) == ["mine"]
    assert ids(store, OTHER) == ["theirs"]
    assert ids(store, "") == []


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("bagel", ["bagel"]),
        ("BAGEL cook", ["bagel"]),
        ("strasse", ["street"]),
        ("홈런", ["korean"]),
        ("100%", ["percent"]),
        ("100_", []),
        ("answer", ["percent", "korean", "street", "bagel"]),
        ("'; DROP TABLE runs; --", []),
        ("   ", ["percent", "korean", "street", "bagel"]),
    ],
)
def test_a_search_looks_for_every_word_in_question_and_answer(store: Store, text: str, found: list[str]) -> None:
    questions = {"bagel": "How to cook a bagel?", "street": "Wo ist die Straße?"}
    questions |= {"korean": "야구에서 홈런이 뭐야?", "percent": "Is 100% enough?"}
    for run_id, question in questions.items():
        keep(store, recorded("naive", question, run_id=run_id))
    assert ids(store, text=text) == found


def test_filters(store: Store) -> None:
    keep(store, recorded("naive", run_id="naive"))
    keep(store, recorded("self-rag", run_id="self"))
    keep(store, recorded("self-rag", run_id="none", relevant=[[False]]))
    assert ids(store, strategy="self-rag") == ["none", "self"]
    assert ids(store, stop_reason="no relevant documents") == ["none"]
    assert ids(store, strategy="self-rag", stop_reason="useful") == ["self"]
    assert store.star(ME, "self", True)
    assert ids(store, starred=True) == ["self"]
    assert ids(store, starred=False) == ["none", "naive"]
    assert store.star(ME, "self", False)
    assert ids(store, starred=True) == []


def test_nobody_stars_or_deletes_what_is_not_theirs(store: Store) -> None:
    keep(store, recorded("naive", run_id="mine"))
    assert not store.star(OTHER, "mine", True)
    assert not store.delete(OTHER, "mine")
    assert not store.delete(ME, "never")
    assert store.trace("mine") is not None
    assert store.delete(ME, "mine")
    assert store.trace("mine") is None
    assert ids(store) == []


def test_a_run_that_goes_on_is_listed_with_what_it_has(store: Store) -> None:
    trace = recorded(run_id="r1")
    keep(store, trace.upto(9))
    (row,) = store.history(ME)
    assert (row.stop_reason, row.seconds) == ("", trace.events[8].at)


def test_a_server_that_starts_calls_what_has_no_end_interrupted(store: Store) -> None:
    trace = recorded(run_id="cut")
    keep(store, trace.upto(9))
    keep(store, recorded(run_id="whole"))
    store.mark_interrupted()
    assert ids(store, stop_reason="interrupted") == ["cut"]
    # another process was still at it
    store.append("cut", 9, list(trace.events[9:]))
    assert ids(store, stop_reason="useful") == ["whole", "cut"]


def test_a_stopped_run(store: Store) -> None:
    trace = recorded(run_id="r1").upto(9)
    keep(store, Trace([*trace.events, RunStopped(at=trace.seconds)]))
    assert [r.stop_reason for r in store.history(ME)] == ["stopped"]


def test_an_imported_run_gets_an_id_of_its_own(store: Store) -> None:
    trace = recorded(run_id="an-id-that-its-sender-knows")
    first, second = store.import_trace(trace, ME), store.import_trace(trace, ME)
    assert len({first, second, trace.head.run_id}) == 3
    assert len(first) == 16
    kept = store.trace(first)
    assert kept is not None
    assert kept.head.run_id == first
    assert kept.events[1:] == trace.events[1:]
    assert ids(store, stop_reason="useful") == [second, first]


def test_an_imported_run_without_an_end_was_interrupted(store: Store) -> None:
    store.import_trace(Trace.from_json(recorded().upto(9).to_json()), ME)
    assert [r.stop_reason for r in store.history(ME)] == ["interrupted"]


def test_a_question_with_a_null_character_can_be_kept(store: Store) -> None:
    keep(store, recorded("naive", "Wh\0y?", run_id="r1"))
    assert [r.question for r in store.history(ME)] == ["Why?"]
    kept = store.trace("r1")
    assert kept is not None
    assert kept.head.question == "Wh\0y?"
