"""Forks from the page: which sources they may search, under whose settings, and that they are kept like any run."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from rag_graphs.errors import SettingsError, UnknownRun
from rag_graphs.graphs.strategies import get_strategy
from rag_graphs.runs.live import Run
from rag_graphs.runs.runner import run
from rag_graphs.runs.trace import Trace
from rag_graphs.runs.whatif import QueryChange, RelevanceChange
from rag_graphs.samples import recorded_runs
from rag_graphs.settings import Settings
from rag_graphs.workspace import forking
from rag_graphs.workspace.forking import prepare_fork
from rag_graphs.workspace.workspace import Workspace
from tests.fakes import fake
from tests.traces.conftest import ME, OTHER, keep

QUERY = QueryChange(query="other words")


class FakeLibrary:
    """Sources by id: those of two visitors, and the sample library once it has been asked for."""

    def __init__(self, **there: str) -> None:
        self.there = dict(there)

    def sources(self, ids: Sequence[str]) -> list[SimpleNamespace]:
        return [SimpleNamespace(id=i, collection=self.there[i]) for i in ids if i in self.there]

    def load_collection(
        self, key: str, pages: object, settings: Settings, on_progress: object
    ) -> Iterator[SimpleNamespace]:
        self.there[f"sample of {key}"] = key
        yield SimpleNamespace(source=SimpleNamespace(id=f"sample of {key}"))


@pytest.fixture
def built(monkeypatch: pytest.MonkeyPatch) -> list[tuple[Settings, list[str]]]:
    """What components were built from."""
    seen: list[tuple[Settings, list[str]]] = []

    def build(settings: Settings, library: object, ids: list[str]) -> Any:
        seen.append((settings, ids))
        return fake(relevant=[[False], [True]])

    monkeypatch.setattr(forking, "build_components", build)
    return seen


@pytest.fixture
def workspace(tmp_path: Path) -> Iterator[Workspace]:
    opened = Workspace(tmp_path)
    yield opened
    opened.store.close()


def parent_of(sources: list[str], settings: Settings | None = None, strategy: str = "self-rag") -> Trace:
    made = run(get_strategy(strategy), "Why?", fake(), settings or Settings(), run_id="parent", sources=sources)
    return Trace(list(made))


def ended(run: Run) -> Trace:
    while not run.ended:
        assert run.wait(len(run.events()), timeout=60)
    return Trace(run.events())


def test_only_ones_own_sources_and_samples_are_searched(built: list[Any]) -> None:
    library: Any = FakeLibrary(mine="", theirs="", sample="relationships")
    parent = parent_of(["mine", "theirs", "sample"])
    ready = prepare_fork(parent, -1, QUERY, library, Settings(), shelf=["mine"])
    assert built[-1][1] == ["mine", "sample"]
    assert ready.missing == 1
    prepare_fork(parent, -1, QUERY, library, Settings(), shelf=None)
    assert built[-1][1] == ["mine", "theirs", "sample"]


@pytest.mark.parametrize("strategy", ["self-rag", "self-rag-critique"])
def test_without_any_of_its_sources_a_search_is_refused_in_words(built: list[Any], strategy: str) -> None:
    library: Any = FakeLibrary(theirs="")
    searching = prepare_fork(parent_of(["theirs"], strategy=strategy), -1, QUERY, library, Settings(), shelf=[])
    child = Trace(list(searching.events("child", lambda: 0.0)))
    assert child.stop_reason == "failed"
    assert "not in your library" in child.error


def test_what_searches_nothing_needs_no_source(built: list[Any]) -> None:
    library: Any = FakeLibrary(theirs="")
    flipped = prepare_fork(
        parent_of(["theirs"]), 1, RelevanceChange(document=2, passed=True), library, Settings(), shelf=[]
    )
    assert Trace(list(flipped.events("child", lambda: 0.0))).stop_reason == "useful"


def test_the_sample_library_is_loaded_for_a_shipped_run(built: list[Any]) -> None:
    for recorded in recorded_runs():
        library: Any = FakeLibrary()
        prepare_fork(recorded.trace, -1, None, library, Settings(), shelf=[])
        assert set(library.there.values()) == set(recorded.collections)


def test_settings_are_the_parents_and_keys_are_ones_own(built: list[Any]) -> None:
    library: Any = FakeLibrary()
    recorded = Settings(k=7, max_rewrites=1, openai_base_url="https://theirs.example", max_calls=0)
    mine = Settings(openai_api_key="sk-mine", max_calls=9, k=2)  # type: ignore[arg-type]
    prepare_fork(parent_of([], recorded), -1, QUERY, library, mine)
    used = built[-1][0]
    assert (used.k, used.max_rewrites, used.max_calls, used.openai_base_url) == (7, 1, 9, "")
    assert used.openai_api_key == mine.openai_api_key


def test_a_fork_is_kept_with_its_parent(built: list[Any], workspace: Workspace) -> None:
    keep(workspace.store, parent_of([]))
    child = workspace.fork("parent", 1, RelevanceChange(document=2, passed=True), Settings(), owner=ME)
    trace = ended(child)
    assert trace.head.parent == "parent"
    while workspace.store.history(ME)[0].stop_reason != "useful":
        child.wait(len(trace) + 1, timeout=0.01)
    row, parent = workspace.store.history(ME)
    assert (row.id, row.parent, parent.id) == (child.id, "parent", "parent")
    assert workspace.trace(child.id).events == trace.events


def test_a_fork_shows_its_parents_part_at_once(built: list[Any], workspace: Workspace) -> None:
    keep(workspace.store, parent_of([]))
    child = workspace.fork("parent", 2, None, Settings(pace=10), owner=ME)
    assert child.wait(0, timeout=20)
    while len(Trace(child.events()).path) < 4:
        # a parent's part at this pace would take half a minute
        assert child.wait(len(child.events()), timeout=20)
    shown = Trace(child.events())
    assert shown.path == ["retrieve", "grade_documents", "generate", "grade_answer"]
    child.stop()
    stopped = Trace(child.events())
    assert stopped.seconds >= stopped.events[-2].at


def test_what_cannot_be_forked_is_told_at_once(built: list[Any], workspace: Workspace) -> None:
    with pytest.raises(UnknownRun):
        workspace.fork("never", -1, None, Settings(), owner=ME)
    with pytest.raises(SettingsError, match="4 nodes"):
        workspace.fork(parent_of([]), 9, RelevanceChange(document=1, passed=True), Settings(), owner=ME)
    with pytest.raises(SettingsError, match="4 nodes"):
        workspace.fork(parent_of([]), 9, None, Settings(), owner=ME)
    told = parent_of([]).to_json()
    for event in told["events"]:
        event["node"] = event["node"].replace("retrieve", "fetch")
    with pytest.raises(SettingsError, match="no node fetch any more"):
        workspace.fork(Trace.from_json(told), 0, None, Settings(), owner=ME)


def test_a_deleted_run_is_gone_from_memory_too(built: list[Any], workspace: Workspace) -> None:
    keep(workspace.store, parent_of([]))
    child = workspace.fork("parent", 1, None, Settings(), owner=ME)
    ended(child)
    assert not workspace.delete(OTHER, child.id)
    assert workspace.trace(child.id)
    while not workspace.store.history(ME, stop_reason="useful"):
        child.wait(999, timeout=0.01)
    assert workspace.delete(ME, child.id)
    with pytest.raises(UnknownRun):
        workspace.trace(child.id)


def test_a_shipped_run_can_be_forked_on_the_real_engine(workspace: Workspace) -> None:
    settings = Settings()
    child = workspace.fork("sample-clean-hit", 1, RelevanceChange(document=1, passed=False), settings, owner=ME)
    trace = ended(child)
    flipped = next(r.trace for r in recorded_runs() if r.key == "flipped")
    assert trace.path == flipped.path
    assert trace.state.answer == flipped.state.answer
