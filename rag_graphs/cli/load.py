"""Run `load`: say what becomes of each source."""

from __future__ import annotations

from argparse import Namespace
from typing import TYPE_CHECKING, Any

from rag_graphs.cli.console import Console
from rag_graphs.cli.options import opened

if TYPE_CHECKING:
    from rag_graphs import LoadReport


def load(args: Namespace, console: Console) -> int:
    """Load sources and report on each. Returns 1 if any failed."""
    reports: list[LoadReport] = []
    with console.quiet_output(args.json), opened(args) as (settings, workspace, _):
        for report in workspace.library.load_many(args.source, settings, files=True):
            reports.append(report)
            if not args.json:
                _tell(report, console)
    if args.json:
        console.document([_as_json(r) for r in reports])
    return 0 if all(r.ok for r in reports) else 1


def _tell(report: LoadReport, console: Console) -> None:
    sign = ("✓ ", "green") if report.ok else ("✗ ", "red")
    console.line(sign, (report.address, "bold"), f"  {report.status}")
    if source := report.source:
        facts = [source.kind, source.encoding, source.language, f"{source.characters} characters"]
        console.line((f"  {source.title}: " + ", ".join(f for f in [*facts, f"{source.chunks} chunks"] if f), "dim"))
    if report.message and not report.ok:
        console.paragraph(report.message, margin=2)
    for warning in report.warnings:
        console.paragraph(f"! {warning}", "yellow", margin=2)


def _as_json(report: LoadReport) -> dict[str, Any]:
    source = report.source
    return {
        "address": report.address,
        "ok": report.ok,
        "status": report.status,
        "message": report.message,
        "title": source.title if source else "",
        "kind": source.kind if source else "",
        "encoding": source.encoding if source else "",
        "language": source.language if source else "",
        "characters": source.characters if source else 0,
        "chunks": source.chunks if source else 0,
        "warnings": list(report.warnings),
    }
