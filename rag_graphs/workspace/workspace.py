"""Everything that one process shares: the library's index, the kept runs, the running ones. Holds no key."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property
from pathlib import Path
from threading import RLock
from typing import TYPE_CHECKING

from rag_graphs.errors import SettingsError
from rag_graphs.graphs.state import Turn, Update
from rag_graphs.runs import conversation as talk
from rag_graphs.runs.events import RunEvent
from rag_graphs.settings import Settings

if TYPE_CHECKING:
    from rag_graphs.library import Library
    from rag_graphs.runs.live import Run
    from rag_graphs.runs.registry import Runs
    from rag_graphs.runs.trace import Trace
    from rag_graphs.runs.whatif import Change
    from rag_graphs.store import Store

LONGEST_QUESTION = 2000


class Workspace:
    """Opened once per process on a data folder. Its parts are made when first asked for: importing them takes a second."""

    def __init__(self, folder: Path, *, allowed_hosts: frozenset[str] = frozenset(), database_url: str = "") -> None:
        self.folder = folder
        self._database_url = database_url
        self._allowed_hosts = allowed_hosts
        self._lock = RLock()

    @property
    def library(self) -> Library:
        with self._lock:
            return self._library

    @property
    def store(self) -> Store:
        with self._lock:
            return self._store

    @property
    def runs(self) -> Runs:
        with self._lock:
            return self._runs

    def ask(
        self,
        strategy_key: str,
        question: str,
        settings: Settings,
        source_ids: Sequence[str],
        *,
        owner: str = "",
        conversation: str = "",
        history: Sequence[Turn] = (),
        stepping: bool = False,
    ) -> Run:
        """Start a run in the background, in step mode if `stepping`. In a `conversation` of the owner's it is told the turns
        before it, unless a `history` is given. Raises SettingsError, SetupError or TooManyRuns."""
        from rag_graphs.engines.build import build_components
        from rag_graphs.graphs.strategies import get_strategy
        from rag_graphs.runs.runner import resume, run

        strategy = get_strategy(strategy_key)
        asked = checked(question)
        told = list(history) or self.history(owner, conversation)
        settings = settings.change(conversing=bool(told))
        components = build_components(settings, self.library, list(source_ids))

        def events(started: Run) -> Iterator[RunEvent]:
            return run(
                strategy,
                asked,
                components,
                settings,
                history=told,
                conversation=conversation,
                run_id=started.id,
                sources=source_ids,
                stepping=stepping,
                clock=started.clock,
            )

        def later(waiting: Run, record: Trace, change: Update) -> Iterator[RunEvent]:
            return resume(
                record, change, strategy, components, settings, stepping=waiting.stepping, clock=waiting.clock
            )

        return self.runs.start(
            strategy.key, asked, events, owner=owner, pace=settings.pace, resume=later if stepping else None
        )

    def history(self, owner: str, conversation: str) -> list[Turn]:
        """What the next question of a visitor's conversation is told. Raises SettingsError for what is no conversation's id."""
        if not conversation:
            return []
        name = talk.named(conversation)
        self.runs.settle(owner)
        return talk.history(self.store.turns(owner, name))

    def trace(self, run_id: str) -> Trace:
        """What is known of a run: a shipped one, one that is running, or a kept one. Raises UnknownRun."""
        from rag_graphs.samples import recorded_runs

        shipped = {r.trace.head.run_id: r.trace for r in recorded_runs()}
        return shipped.get(run_id) or self.runs.trace(run_id)

    def fork(
        self, parent: str | Trace, visit: int, change: Change | None, settings: Settings, *, owner: str = ""
    ) -> Run:
        """Go on from a run in the background, after the visit of that index or from the start (-1), with something changed
        or nothing. The new run has the parent's settings, with keys, addresses, bounds and pace from `settings`. Raises
        SettingsError, SetupError, UnknownRun or TooManyRuns."""
        from rag_graphs.workspace.forking import prepare_fork

        trace = self.trace(parent) if isinstance(parent, str) else parent
        shelf = self.store.shelf(owner) if owner else None
        ready = prepare_fork(trace, visit, change, self.library, settings, shelf=shelf)

        def events(started: Run) -> Iterator[RunEvent]:
            return ready.events(started.id, started.clock)

        return self.runs.start(ready.strategy.key, ready.question, events, owner=owner, pace=settings.pace)

    def delete(self, owner: str, run_id: str) -> bool:
        """Stop and forget one of a visitor's runs. False when it is not one of theirs."""
        run = self.runs.get(run_id)
        if run and run.owner == owner:
            run.stop()
        gone = self.store.delete(owner, run_id)
        if gone:
            self.runs.forget(run_id)
        return gone

    @cached_property
    def _library(self) -> Library:
        from rag_graphs.engines.llm.embedding_servers import find_embedder, server_of
        from rag_graphs.library import Library

        return Library(
            self.folder / "library",
            allowed_hosts=self._allowed_hosts,
            find_embedder=find_embedder,
            server_of=server_of,
        )

    @cached_property
    def _store(self) -> Store:
        from rag_graphs.store import Store

        return Store(self.folder, self._database_url)

    @cached_property
    def _runs(self) -> Runs:
        from rag_graphs.runs.registry import Runs

        self._store.mark_interrupted()
        return Runs(self._store)


def checked(question: str) -> str:
    """The question as it is asked: trimmed. Raises SettingsError when it is empty or far too long."""
    trimmed = question.strip()
    if not trimmed:
        raise SettingsError("Write a question first.")
    if len(trimmed) > LONGEST_QUESTION:
        raise SettingsError(
            f"This question has {len(trimmed)} characters; {LONGEST_QUESTION} are the most. Shorten it."
        )
    return trimmed


def open_workspace(settings: Settings) -> Workspace:
    """The workspace on the settings' data folder."""
    url = settings.database_url.get_secret_value() if settings.database_url else ""
    return Workspace(settings.data_dir, allowed_hosts=settings.allowed_hosts(), database_url=url)
