"""The writer of a run's record, by itself: what is written when, and what happens when the store fails."""

from __future__ import annotations

import pytest

from rag_graphs.errors import LibraryError
from rag_graphs.runs import record_writer
from rag_graphs.runs.event_log import EventLog
from rag_graphs.runs.events import NodeStarted, RunEvent, RunStarted, RunStopped, Token
from rag_graphs.runs.record_writer import RecordWriter

HEAD = RunStarted(run_id="r", strategy="naive", question="Why?")
NODE = NodeStarted(node="generate", attempt=1)


class Records:
    """A recorder in memory; `failures` is how often its next calls fail."""

    def __init__(self) -> None:
        self.begun: list[tuple[RunStarted, str]] = []
        self.batches: list[tuple[int, list[RunEvent]]] = []
        self.failures = 0

    def begin(self, head: RunStarted, owner: str) -> None:
        self.begun.append((head, owner))

    def append(self, run_id: str, first: int, events: list[RunEvent]) -> None:
        assert run_id == "r"
        if self.failures:
            self.failures -= 1
            raise LibraryError("The disk is full.")
        self.batches.append((first, events))

    def trace(self, run_id: str) -> None:
        return None


@pytest.fixture
def log() -> EventLog:
    return EventLog()


@pytest.fixture
def records() -> Records:
    return Records()


@pytest.fixture
def writer(records: Records, log: EventLog) -> RecordWriter:
    return RecordWriter(records, "r", "me", log)


def add(writer: RecordWriter, log: EventLog, *events: RunEvent) -> None:
    for event in events:
        log.append(event)
        writer.write_after(event)


def test_each_event_is_written_at_once(writer: RecordWriter, log: EventLog, records: Records) -> None:
    add(writer, log, HEAD, NODE, RunStopped())
    assert records.begun == [(HEAD, "me")]
    assert records.batches == [(0, [HEAD]), (1, [NODE]), (2, [RunStopped()])]


def test_tokens_are_written_with_the_next_event(
    writer: RecordWriter, log: EventLog, records: Records, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(record_writer, "TOKENS_WAIT", 60.0)
    tokens = [Token(text=t) for t in "abc"]
    add(writer, log, HEAD, *tokens)
    assert records.batches == [(0, [HEAD])]
    add(writer, log, RunStopped())
    assert records.batches[1:] == [(1, [*tokens, RunStopped()])]


def test_tokens_do_not_wait_for_long(
    writer: RecordWriter, log: EventLog, records: Records, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(record_writer, "TOKENS_WAIT", -1.0)
    add(writer, log, HEAD, Token(text="a"))
    assert records.batches == [(0, [HEAD]), (1, [Token(text="a")])]


def test_nothing_is_written_twice(writer: RecordWriter, log: EventLog, records: Records) -> None:
    add(writer, log, HEAD, RunStopped())
    writer.write()
    assert len(records.batches) == 2


def test_what_could_not_be_written_is_written_later_and_told_once(
    writer: RecordWriter, log: EventLog, records: Records, caplog: pytest.LogCaptureFixture
) -> None:
    records.failures = 2
    add(writer, log, HEAD, NODE)
    assert records.batches == []
    add(writer, log, RunStopped())
    assert records.batches == [(0, [HEAD, NODE, RunStopped()])]
    assert caplog.text.count("A run is not kept. The disk is full.") == 1
