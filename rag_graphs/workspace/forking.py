"""Prepares a fork: the parent's settings under the new owner's keys, and those of the parent's sources that may be searched."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, NoReturn
from urllib.parse import urlsplit

from rag_graphs.engines.build import build_components
from rag_graphs.errors import LibraryError
from rag_graphs.graphs.strategies import get_strategy
from rag_graphs.graphs.strategy import Strategy
from rag_graphs.runs.events import RunEvent
from rag_graphs.runs.runner import ForkRequest, fork
from rag_graphs.runs.trace import Trace
from rag_graphs.runs.whatif import Change, moment_at, update_at
from rag_graphs.samples import LIBRARY_ADDRESS, collections, recorded_runs
from rag_graphs.settings import Settings
from rag_graphs.workspace.sample_library import load_samples

if TYPE_CHECKING:
    from rag_graphs.graphs.components import Components
    from rag_graphs.library import Library

Clock = Callable[[], float]


@dataclass(frozen=True, kw_only=True)
class Fork:
    """A fork that is ready to run. `missing`: how many of the parent's sources it cannot search."""

    strategy: Strategy
    question: str
    settings: Settings
    missing: int
    events: Callable[[str, Clock], Iterator[RunEvent]]
    """(id of the new run, its clock) -> its events."""


def prepare_fork(
    parent: Trace,
    visit: int,
    change: Change | None,
    library: Library,
    settings: Settings,
    *,
    shelf: Collection[str] | None = None,
    sources: Sequence[str] | None = None,
    instead: Mapping[str, Any] | None = None,
) -> Fork:
    """A fork of `parent` after the visit of that index, or from the start for -1, with something changed or nothing.

    `settings` are the new owner's: keys, addresses and bounds are taken from them, everything else from the parent. Only
    sources of the `shelf` and of the sample library are searched: a record may name those of other visitors. None: all that
    the library has. `sources` replace the parent's, and `instead` some of its settings. Raises SettingsError and SetupError.
    """
    strategy = get_strategy(parent.head.strategy)
    given = {**parent.head.settings, **(instead or {}), "conversing": bool(parent.head.history)}
    mine = settings.as_recorded(given)
    moment_at(parent, visit)
    update = update_at(parent, visit, change) if change else {}
    wanted = parent.head.sources if sources is None else sources
    allowed = _searchable(parent, wanted, library, mine, shelf)
    components = build_components(mine, library, allowed)
    if wanted and not allowed:
        components = _without_library(components)

    def events(run_id: str, clock: Clock) -> Iterator[RunEvent]:
        request = ForkRequest(
            parent=parent,
            at=visit,
            change=update,
            strategy=strategy,
            components=components,
            settings=mine,
            run_id=run_id,
            sources=wanted,
        )
        return fork(request, clock=clock)

    missing = len(set(wanted)) - len(allowed)
    return Fork(strategy=strategy, question=parent.head.question, settings=mine, missing=missing, events=events)


def _searchable(
    parent: Trace, wanted: Sequence[str], library: Library, settings: Settings, shelf: Collection[str] | None
) -> list[str]:
    """Those of the wanted sources that are there and may be searched; sample pages are loaded if they are not there."""
    if len(library.sources(wanted)) < len(set(wanted)):
        for _ in load_samples(library, _collections(parent), settings):
            pass
    return [s.id for s in library.sources(wanted) if shelf is None or s.collection or s.id in shelf]


def _collections(trace: Trace) -> list[str]:
    """The sample collections that a run has searched: those of its documents, and those that a recorded run names."""
    named = {key for r in recorded_runs() if r.trace.head.run_id == trace.head.run_id for key in r.collections}
    host = urlsplit(LIBRARY_ADDRESS).hostname
    for seen in trace.state.seen:
        address = urlsplit(seen.document.source)
        if address.hostname == host:
            named.add(address.path.split("/")[1])
    return [key for key in collections() if key in named]


def _without_library(components: Components) -> Components:
    """Nodes that search nothing still run on; a search is refused in words."""

    def refuse(query: str, k: int = 0) -> NoReturn:
        raise LibraryError(
            "The sources of this run are not in your library, so they cannot be searched. Load them first."
        )

    return replace(components, retrieve=refuse, retrieve_many=refuse)
