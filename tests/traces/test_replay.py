"""What a replay shows at each moment is what the live run showed then: every view derives from the events alone."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from random import Random
from typing import Any

import pytest

from rag_graphs.graphs.strategies import all_strategies, get_strategy
from rag_graphs.runs.live import Run, play
from rag_graphs.runs.registry import Runs
from rag_graphs.runs.runner import run
from rag_graphs.runs.trace import Trace
from rag_graphs.samples import RecordedRun, recorded_runs
from rag_graphs.settings import Settings, load_settings
from rag_graphs.store import Store
from rag_graphs.views.diagram import both_ways, describe, marks, sublines
from tests.fakes import fake

EACH_RUN = pytest.mark.parametrize("recorded", recorded_runs(), ids=lambda r: r.key)


def views(trace: Trace) -> dict[str, Any]:
    """All that pages draw from, and the drawing itself."""
    strategy = get_strategy(trace.head.strategy)
    marked = marks(trace)
    names = ("path", "edges", "active", "ended", "stop_reason", "seconds", "state", "visits", "grades", "queries")
    names += ("text", "warnings", "llm_calls", "waiting_for", "error", "interrupted")
    seen = {name: getattr(trace, name) for name in names}
    seen["drawing"] = both_ways(strategy, load_settings(), marked, sub=sublines(trace))
    seen["words"] = describe(strategy, marked)
    return seen


def looked_at(events: Sequence[Any]) -> list[int]:
    """Numbers of events after which a replay is compared: around each node, at the end, and at eight others."""
    counts = range(1, len(events) + 1)
    nodes = {n for n in counts if events[n - 1].kind in ("node_started", "node_finished")}
    others = sorted(set(counts) - nodes)
    return sorted({*nodes, len(events), *Random(len(events)).sample(others, min(8, len(others)))})


def followed(run: Run) -> list[list[Any]]:
    """The events as someone saw them grow."""
    moments: list[list[Any]] = []
    while not run.ended:
        assert run.wait(len(moments[-1]) if moments else 0, timeout=20)
        moments.append(run.events())
    return [*moments, run.events()]


@EACH_RUN
def test_a_shipped_run_replays_moment_by_moment(recorded: RecordedRun) -> None:
    live = recorded.trace
    played = followed(play(live, pace=0.0))
    assert played[-1] == list(live.events)
    written = Trace.from_json(json.dumps(live.to_json()))
    for count in looked_at(live.events):
        assert views(written.upto(count)) == views(Trace(list(live.events[:count])))


@pytest.mark.parametrize("key", list(all_strategies()))
@pytest.mark.parametrize("verdicts", [[[True]], [[False]], [[False], [True, False]]], ids=["hit", "miss", "rescue"])
def test_a_run_replays_from_the_store_as_it_was_seen_live(
    key: str, verdicts: list[list[bool | None]], tmp_path: Path
) -> None:
    store = Store(tmp_path)
    runs = Runs(store)
    components = fake(relevant=verdicts, verdicts=[(False, True), (True, True)])

    def events(started: Run) -> Any:
        return run(get_strategy(key), "Why?", components, Settings(), run_id=started.id, clock=started.clock)

    live = runs.start(key, "Why?", events)
    moments = followed(live)
    while (kept := store.trace(live.id)) is None or kept.stop_reason != Trace(live.events()).stop_reason:
        live.wait(len(live.events()) + 1, timeout=0.01)
    for count in looked_at(moments[-1]):
        assert views(kept.upto(count)) == views(Trace(moments[-1][:count]))
    grew = [len(seen) for seen in moments]
    assert grew == sorted(grew)
    assert all(seen == moments[-1][: len(seen)] for seen in moments)
    store.close()
