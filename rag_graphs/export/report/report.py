"""A run as one HTML file for people who do not have the program: nothing in it is loaded, nothing in it runs."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path

from rag_graphs.errors import TraceError
from rag_graphs.export.report.course import conversation, queries, timeline
from rag_graphs.export.report.documents import answer, documents, verdicts
from rag_graphs.export.report.markup import badge, section, text
from rag_graphs.export.report.own import chain, drafts, refinement
from rag_graphs.export.report.picture import graph_of
from rag_graphs.export.report.words import Words, date, duration, settings_rows, stop
from rag_graphs.graphs.strategy import END
from rag_graphs.runs.from_trace import not_passed
from rag_graphs.runs.trace import Trace
from rag_graphs.version import VERSION
from rag_graphs.views.diagram import both_ways, diagram_css, font_face, marks, name_of, sublines, tokens

POLICY = "default-src 'none'; style-src 'unsafe-inline'; font-src data:; base-uri 'none'; form-action 'none'"


def as_html(trace: Trace, *, words: Words = str) -> str:
    """The report: question, answer with citations, the graph with the path, documents with grades, queries, verdicts,
    figures and settings."""
    _ = words
    title = text(trace.head.question, 200) or text(_("A run"))
    parts = [
        _top(trace, _),
        section(_("The conversation before it"), conversation(trace, _)),
        section(_("Answer"), answer(trace, _)),
        section(_("The way there"), _graph(trace, _)),
        section(_("Drafts"), drafts(trace, _)),
        section(_("Refinement"), refinement(trace, _)),
        section(_("Chain"), chain(trace, _)),
        section(_("Documents"), documents(trace, _)),
        section(_("Queries"), queries(trace, _)),
        section(_("Attempts and their grades"), verdicts(trace, _)),
        section(_("Time and model calls"), timeline(trace, _)),
        section(_("Settings"), _settings(trace, _)),
        _bottom(trace, _),
    ]
    return (
        '<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8">'
        f'<meta http-equiv="Content-Security-Policy" content="{POLICY}">'
        '<meta name="viewport" content="width=device-width, initial-scale=1"><meta name="referrer" content="no-referrer">'
        f"<title>{title}</title><style>{font_face()}{tokens()}{diagram_css()}{_css()}</style></head>\n"
        f"<body><main>{''.join(parts)}</main></body></html>\n"
    )


@lru_cache(maxsize=1)
def _css() -> str:
    return (Path(__file__).parent / "report.css").read_text(encoding="utf-8")


def _top(trace: Trace, _: Words) -> str:
    reason = trace.stop_reason or ""
    kind, meaning = stop(reason, _)
    chip = badge(kind, _(reason).capitalize()) if reason else badge("plain", _("Not finished"))
    said = trace.error if reason == "failed" else meaning
    if reason == "not verified" and not_passed(trace):
        said = _("The best draft did not pass every check.")
    try:
        strategy = graph_of(trace)[0].title
    except TraceError:
        strategy = trace.head.strategy
    alone = trace.state.condensed
    understood = f"<p>{text(_('Understood as:'))} <b>{text(alone)}</b></p>" if alone else ""
    asked = f'<p class="kind">{text(strategy)}</p><h1>{text(trace.head.question)}</h1>{understood}'
    return f"<header>{asked}<p>{chip} {text(said)}</p></header>"


def _graph(trace: Trace, _: Words) -> str:
    try:
        strategy, settings = graph_of(trace)
    except TraceError as error:
        return f"<p>{text(error)}</p>"
    marked = marks(trace)
    picture = both_ways(strategy, settings, marked, prefix="report", sub=sublines(trace, _), words=_)
    return f'{picture}<p class="path">{_path(trace, _)}</p>'


def _path(trace: Trace, _: Words) -> str:
    """The way in words: each node, with the outcome that led to it."""
    steps = []
    for edge in trace.edges:
        outcome = f"<b>{text(_(edge.outcome))}</b> → " if edge.outcome else ""
        steps.append(outcome + text(_("End") if edge.target == END else name_of(edge.target, _)))
    return " → ".join(steps)


def _settings(trace: Trace, _: Words) -> str:
    pairs = [(_("engine"), trace.head.engine), *settings_rows(trace.head.settings, _)]
    return f'<div class="pairs">{"".join(f"<p><span>{text(n)}</span> {text(v, 300)}</p>" for n, v in pairs)}</div>'


def _bottom(trace: Trace, _: Words) -> str:
    head = trace.head
    facts = [_("Run of {date}").format(date=date(head.started)) if head.started else "", duration(trace.seconds)]
    facts.append(_("{n} model calls").format(n=trace.llm_calls))
    facts.append(_("run {id}").format(id=head.run_id))
    if head.parent:
        facts.append(_("forked from run {id}").format(id=head.parent))
    facts.append(_("RAG Graphs {version}").format(version=VERSION))
    return f"<footer>{text(' · '.join(f for f in facts if f), 600)}</footer>"
