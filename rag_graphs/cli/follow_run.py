"""Share what commands that follow a run need: its sources, its events on the screen or as one document, its end as an exit
code."""

from __future__ import annotations

from abc import ABC, abstractmethod
from argparse import Namespace
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from rag_graphs import RagGraphsError, RunStopped, SettingsError, SetupError, Trace
from rag_graphs.cli.codes import DONE, FAILED, INTERRUPTED, WRONG_USAGE
from rag_graphs.cli.console import Console
from rag_graphs.cli.document import document
from rag_graphs.cli.run_report import Reporter

if TYPE_CHECKING:
    from rag_graphs import LoadReport, RunEvent, Settings, Workspace


class RunCommand(ABC):
    """Run one command and keep what it has seen so far. `args` has `json`, and for the document `strategy` and
    `question`."""

    def __init__(self, args: Namespace, console: Console) -> None:
        self.args, self.console = args, console
        self.reports: list[LoadReport] = []
        self.events: list[RunEvent] = []
        self.warnings: list[str] = []
        self.error = ""

    @abstractmethod
    def run(self) -> int:
        """Do what the command does. Returns the exit code."""

    def execute(self) -> int:
        """Run and return the exit code. With --json one document goes to standard output, whatever happens."""
        try:
            with self.console.quiet_output(self.args.json):
                code = self.run()
        except (SettingsError, SetupError) as error:
            code = self.fail(error, WRONG_USAGE)
        except RagGraphsError as error:
            code = self.fail(error, FAILED)
        except KeyboardInterrupt:
            code = self.interrupted()
        if self.args.json:
            self.console.document(self.document())
        return code

    def load(self, workspace: Workspace, settings: Settings) -> list[str]:
        """Load what the options name and return the ids. One bad source is a warning; raises if all are bad."""
        from rag_graphs import collections, load_samples

        library = workspace.library
        if self.args.source:
            reports = library.load_many(self.args.source, settings, files=True)
        else:
            chosen = _collections(self.args.collection, list(collections()))
            reports = load_samples(library, chosen, settings)
            if not self.args.json:
                self.console.line((f"Loading the sample library: {', '.join(chosen)}", "dim"))
        for report in reports:
            self.reports.append(report)
            if not report.ok:
                self.console.problem(f"Warning: {report.address} was not loaded: {report.message}")
            elif self.args.source and not self.args.json:
                assert report.source is not None
                self.console.line((f"Loaded {report.address} ({report.source.chunks} chunks)", "dim"))
        ids = [r.source.id for r in self.reports if r.source is not None]
        if not ids:
            raise RagGraphsError("None of the sources could be loaded, so nothing was asked.")
        return ids

    def follow(self, events: Iterable[RunEvent], title: str) -> int:
        """Collect a run's events, and print them unless --json is given. `title`: the strategy's."""
        reporter = Reporter(self.console, title)
        for event in events:
            self.events.append(event)
            if not self.args.json:
                reporter.tell(event)
        if not self.args.json:
            reporter.summary(self.trace())
        last = self.events[-1]
        if last.kind != "run_failed":
            return DONE
        self.console.problem(last.message)
        return WRONG_USAGE if last.error in (SetupError.__name__, SettingsError.__name__) else FAILED

    def trace(self) -> Trace:
        """Return what has been seen so far."""
        return Trace(self.events)

    def keep(self, workspace: Workspace) -> None:
        """Keep the run in the store, for a data folder that stays: the app opens it at ?run=ID."""
        head = self.trace().head
        workspace.store.begin(head, owner="")
        workspace.store.append(head.run_id, 0, self.events)

    def fail(self, error: RagGraphsError, code: int) -> int:
        self.error = str(error)
        self.console.problem(self.error)
        return code

    def interrupted(self) -> int:
        self.console.problem("Stopped.")
        if self.events:
            self.events.append(RunStopped(at=self.events[-1].at))
        else:
            self.error = "Interrupted before the run began."
        return INTERRUPTED

    def document(self) -> dict[str, Any]:
        """Return what --json prints; the keys are the same for a run that failed or never began."""
        failed = [f"{r.address}: {r.message}" for r in self.reports if not r.ok]
        return document(
            self.trace() if self.events else None,
            strategy=getattr(self.args, "strategy", ""),
            question=getattr(self.args, "question", ""),
            error=self.error,
            warnings=[*failed, *self.warnings],
        )


def _collections(wanted: list[str], known: list[str]) -> list[str]:
    if wrong := [key for key in wanted if key not in known]:
        raise SettingsError(f"There is no sample collection {', '.join(wrong)}. Collections: {', '.join(known)}.")
    return wanted or known
