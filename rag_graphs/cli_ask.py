"""`ask`: one question, one strategy, in the foreground."""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Sequence
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from rag_graphs import RagGraphsError, RunStopped, SettingsError, SetupError, Trace
from rag_graphs.cli_console import Console
from rag_graphs.cli_options import opened
from rag_graphs.cli_report import Reporter

if TYPE_CHECKING:
    from rag_graphs import LoadReport, RunEvent, Settings, Strategy, Workspace

DONE, FAILED, WRONG_USAGE, INTERRUPTED = 0, 1, 2, 130


def ask(args: Namespace, console: Console) -> int:
    """Load the sources, run, print. With --json one document goes to standard output, whatever happens."""
    command = _Ask(args, console)
    try:
        with console.quiet_output(args.json):
            code = command.run()
    except (SettingsError, SetupError) as error:
        code = command.fail(error, WRONG_USAGE)
    except RagGraphsError as error:
        code = command.fail(error, FAILED)
    except KeyboardInterrupt:
        code = command.interrupted()
    if args.json:
        console.document(command.document())
    return code


class _Ask:
    def __init__(self, args: Namespace, console: Console) -> None:
        self.args, self.console = args, console
        self.reports: list[LoadReport] = []
        self.events: list[RunEvent] = []
        self.error = ""

    def run(self) -> int:
        from rag_graphs import build_components, checked, get_strategy

        strategy, question = get_strategy(self.args.strategy), checked(self.args.question)
        _printable(question)
        with opened(self.args) as (settings, workspace, kept):
            build_components(settings, workspace.library, [])  # a missing key is told before anything is loaded
            sources = self.load(workspace, settings)
            code = self.follow(strategy, question, settings, workspace, sources)
            if kept:
                self.keep(workspace)
        return code

    def load(self, workspace: Workspace, settings: Settings) -> list[str]:
        """Load what the options name and return the ids. One bad source is a warning; raises if all are bad."""
        from rag_graphs import collections

        library = workspace.library
        if self.args.source:
            reports = library.load_many(self.args.source, settings, files=True)
        else:
            chosen = _collections(self.args.collection, list(collections()))
            reports = library.load_samples(chosen, settings)
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

    def follow(
        self, strategy: Strategy, question: str, settings: Settings, workspace: Workspace, sources: Sequence[str]
    ) -> int:
        from rag_graphs import build_components, run

        components = build_components(settings, workspace.library, list(sources))
        reporter = Reporter(self.console, strategy)
        for event in run(strategy, question, components, settings, sources=sources):
            self.events.append(event)
            if not self.args.json:
                reporter.tell(event)
        trace = Trace(self.events)
        if not self.args.json:
            reporter.summary(trace)
        last = self.events[-1]
        if last.kind != "run_failed":
            return DONE
        self.console.problem(last.message)
        return WRONG_USAGE if last.error in (SetupError.__name__, SettingsError.__name__) else FAILED

    def keep(self, workspace: Workspace) -> None:
        """In a folder that stays, the run stays too: the app opens it at ?run=ID."""
        head = Trace(self.events).head
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
        """What --json prints; the keys are the same for a run that failed or never began."""
        trace = Trace(self.events) if self.events else None
        state = trace.state if trace else None
        recorded = trace.to_json() if trace else {"version": 1, "events": []}
        return {
            "version": recorded["version"],
            "run_id": trace.head.run_id if trace else "",
            "strategy": self.args.strategy,
            "question": trace.head.question if trace else self.args.question,
            "answer": state.answer if state else "",
            "stop_reason": (trace.stop_reason if trace else None) or "failed",
            "path": trace.path if trace else [],
            "outcomes": [
                {"from": e.source, "outcome": e.outcome, "to": e.target} for e in (trace.edges if trace else [])
            ],
            "queries": trace.queries if trace else [],
            "grades": _grades(trace),
            "seconds": trace.seconds if trace else 0.0,
            "llm_calls": trace.llm_calls if trace else 0,
            "error": self.error or (trace.error if trace else "") or None,
            "warnings": [
                *(f"{r.address}: {r.message}" for r in self.reports if not r.ok),
                *(trace.warnings if trace else []),
            ],
            "events": recorded["events"],
        }


def _grades(trace: Trace | None) -> list[dict[str, Any]]:
    shown = ("source", "title", "text", "origin")
    return [
        {**asdict(grade), "document": {name: getattr(document, name) for name in shown} if document else None}
        for document, grade in (trace.grades if trace else [])
    ]


def _collections(wanted: list[str], known: list[str]) -> list[str]:
    if wrong := [key for key in wanted if key not in known]:
        raise SettingsError(f"There is no sample collection {', '.join(wrong)}. Collections: {', '.join(known)}.")
    return wanted or known


def _printable(question: str) -> None:
    """Bytes of the command line that are no text cannot be searched, stored or printed."""
    try:
        question.encode()
    except UnicodeEncodeError:
        raise SettingsError("The question is not valid text in this terminal's encoding.") from None
