"""The sample library, loaded once for all tests here, and runs on it with the real built-in components."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

import pytest

from rag_graphs.engines.build import build_components
from rag_graphs.graphs.strategies import get_strategy
from rag_graphs.graphs.strategy import Example
from rag_graphs.library import Library, LoadedSource
from rag_graphs.runs.runner import run
from rag_graphs.runs.trace import Trace
from rag_graphs.samples import collections
from rag_graphs.settings import Settings
from rag_graphs.workspace.sample_library import load_samples

RunExample = Callable[[str, Example], Trace]


def defaults() -> Settings:
    """The defaults alone: the constructor would read the environment."""
    return Settings.model_validate({})


@pytest.fixture(scope="session")
def library() -> Library:
    return Library(None)


@pytest.fixture(scope="session")
def sources(library: Library) -> dict[str, list[LoadedSource]]:
    """The sources of each sample collection."""
    return {key: list(_loaded(library, key)) for key in collections()}


def _loaded(library: Library, key: str) -> Iterator[LoadedSource]:
    for report in load_samples(library, [key], defaults()):
        assert report.source is not None, report.message
        yield report.source


@pytest.fixture(scope="session")
def run_example(library: Library, sources: dict[str, list[LoadedSource]]) -> RunExample:
    """Runs an example of a strategy, once per session, on exactly the collections that it names."""
    done: dict[tuple[str, Example], Trace] = {}

    def ids(keys: Iterable[str]) -> list[str]:
        return [source.id for key in keys for source in sources[key]]

    def taken(strategy: str, example: Example) -> Trace:
        if (strategy, example) not in done:
            settings = defaults().change(**dict(example.settings))
            chosen = ids(example.collections)
            components = build_components(settings, library, chosen)
            done[strategy, example] = Trace(
                list(run(get_strategy(strategy), example.question, components, settings, sources=chosen))
            )
        return done[strategy, example]

    return taken
