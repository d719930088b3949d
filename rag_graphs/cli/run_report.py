"""Tell a run in words, as it happens."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from rag_graphs.cli.console import Console, Piece

if TYPE_CHECKING:
    from rag_graphs import Document, Grade, RunEvent, Trace

VERDICTS = {True: ("✓", "green"), False: ("✗", "red"), None: ("?", "yellow")}


class Reporter:
    """Print each event of a run, by a method for its kind."""

    def __init__(self, console: Console, strategy: str) -> None:
        """Begin a report. `strategy`: its title."""
        self._console, self._strategy = console, strategy
        self._documents: list[Document] = []
        self._strips = 0

    def tell(self, event: RunEvent) -> None:
        """Print one event; nothing for a kind without a method of its own."""
        tell = getattr(self, f"_{event.kind}", None)
        if tell:
            tell(event)

    def summary(self, trace: Trace) -> None:
        """Print the answer with the documents that it cites, why the run stopped, and what it cost."""
        out, state = self._console, trace.state
        last = state.answers[-1] if state.answers else None
        if last:
            out.line()
            out.line(("Answer", "bold"))
            out.paragraph(last.text, margin=2)
            cited = [(n, d) for n, d in enumerate(last.documents, 1) if f"[{n}]" in last.text]
            for number, document in cited:
                out.line(f"  [{number}] ", (document.title or document.source, "bold"), f"  {document.source}")
        out.line()
        out.line(("Stopped: ", "bold"), trace.stop_reason or "")
        calls = f"{trace.llm_calls} model calls" if trace.llm_calls else "no model calls"
        out.line((f"{len(trace.path)} nodes, {calls}, {trace.seconds:.1f} s. Run {trace.head.run_id}", "dim"))

    def _run_started(self, event: RunEvent) -> None:
        assert event.kind == "run_started"
        self._console.line((event.question, "bold"))
        self._console.line((f"{self._strategy} · {event.engine}", "dim"))

    def _node_started(self, event: RunEvent) -> None:
        again = f" ({event.attempt})" if event.attempt > 1 else ""
        self._console.line("● ", (event.node, "blue", "bold"), (again, "dim"))

    def _retrieved(self, event: RunEvent) -> None:
        assert event.kind == "retrieved"
        self._documents = event.documents
        if not event.documents:
            self._console.line("  nothing found")
        for number, document in enumerate(event.documents, 1):
            heading = f" › {document.heading}" if document.heading and document.heading != document.title else ""
            score = f" {document.score:.2f}" if document.score is not None else ""
            web: Piece = (" from the web", "violet") if document.origin == "web" else ""
            self._console.line(f"  {number} {document.title or document.source}{heading}", (score, "dim"), web)

    def _graded(self, event: RunEvent) -> None:
        assert event.kind == "graded"
        grade: Grade = event.grade
        sign, colour = VERDICTS[grade.passed]
        score = f" {grade.score:.2f}" if grade.score is not None else ""
        about: str = grade.aspect
        if event.index is not None and event.index < len(self._documents):
            document = self._documents[event.index]
            about = f"{event.index + 1} {document.title or document.source}"
        self._console.line(f"  {about}: ", (f"{sign} {grade.label}{score}", colour))
        self._console.paragraph(grade.reason or grade.error, "dim", margin=4)

    def _drafted(self, event: RunEvent) -> None:
        assert event.kind == "drafted"
        draft = event.draft
        self._console.paragraph(f"draft {event.index + 1}: {draft.text or 'none'}", margin=2)
        for grade in (draft.support, draft.use):
            sign, colour = VERDICTS[grade.passed]
            self._console.line(f"    {grade.aspect}: ", (f"{sign} {grade.label}", colour))

    def _token(self, event: RunEvent) -> None:
        assert event.kind == "token"
        self._console.write(event.text)

    def _warned(self, event: RunEvent) -> None:
        assert event.kind == "warned"
        self._console.paragraph(f"! {event.message}", "yellow", margin=2)

    def _node_finished(self, event: RunEvent) -> None:
        assert event.kind == "node_finished"
        self._console.end()
        if understood := event.update.get("condensed"):
            self._console.line("  Understood as: ", (understood, "bold"))
        elif "queries" in event.update:
            self._console.line("  query: ", (event.update["query"], "bold"))
        if route := event.update.get("route"):
            self._console.line("  route: ", (route["target"], "bold"))
            self._console.paragraph(route["reason"], "dim", margin=4)
        self._chosen(event.update)

    def _chosen(self, update: Mapping[str, Any]) -> None:
        """Print why a node decided, classified or evaluated as it did, and what it kept or concluded."""
        for name in ("decision", "complexity", "evaluation"):
            choice = update.get(name) or {}
            if why := choice.get("error") or choice.get("reason"):
                self._console.paragraph(f"{name}: {why}", "dim", margin=2)
        if "strips" in update:
            own, self._strips = update["strips"][self._strips :], len(update["strips"])
            self._console.line(f"  {sum(bool(s.get('kept')) for s in own)} of {len(own)} strips kept")
        if (chain := update.get("chain")) and (sentence := chain[-1].get("sentence")):
            self._console.line("  reasoned: ", (sentence, "bold"))

    def _edge_taken(self, event: RunEvent) -> None:
        assert event.kind == "edge_taken"
        if event.outcome:
            self._console.line("  → ", (event.outcome, "bold"))
