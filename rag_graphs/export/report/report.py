"""Write a run as one HTML file for people who do not have the program: nothing in it is loaded, nothing in it runs.

Its parts are the panels of the page. What stands here is what only a file needs: its head and foot, the conversation before
the run, the path in words and the settings.
"""

from __future__ import annotations

from datetime import datetime
from functools import cache
from pathlib import Path
from typing import Any

from rag_graphs.errors import TraceError
from rag_graphs.export.report.picture import graph_of
from rag_graphs.graphs.outline import outline_of
from rag_graphs.graphs.strategy import END
from rag_graphs.runs.trace import Trace
from rag_graphs.settings import KEYS, SERVER_ONLY, Settings
from rag_graphs.version import VERSION
from rag_graphs.views.answer import answer_html, steps_html
from rag_graphs.views.chain_panel import chain_html
from rag_graphs.views.diagram import font_face, marks
from rag_graphs.views.diagram_panel import diagram_html
from rag_graphs.views.documents import documents_html
from rag_graphs.views.documents_seen import Found, found, grades_documents, numbers
from rag_graphs.views.drafts_panel import drafts_html, head_html
from rag_graphs.views.node_words import node_name
from rag_graphs.views.now_line import end_html
from rag_graphs.views.queries import queries_html
from rag_graphs.views.refinement_panel import action_html, strips_html
from rag_graphs.views.render import heading, text, verdict
from rag_graphs.views.stylesheet import stylesheet
from rag_graphs.views.timeline import calls, duration, timeline_html
from rag_graphs.views.translation import _
from rag_graphs.views.verdicts import verdicts_html

POLICY = "default-src 'none'; style-src 'unsafe-inline'; font-src data:; base-uri 'none'; form-action 'none'"


def as_html(trace: Trace) -> str:
    """Write the report: question, answer with citations, the graph with the path, documents with grades, queries, verdicts,
    figures and settings."""
    title = text(trace.head.question, 200) or text(_("A run"))
    # the panels stand directly below the title of the file; no text of a run can hold a tag
    body = _body(trace).replace('<h3 class="ph">', '<h2 class="ph">').replace("</h3>", "</h2>")
    return (
        '<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8">'
        f'<meta http-equiv="Content-Security-Policy" content="{POLICY}">'
        '<meta name="viewport" content="width=device-width, initial-scale=1"><meta name="referrer" content="no-referrer">'
        f"<title>{title}</title><style>{font_face()}{stylesheet()}{_css()}</style></head>\n"
        f"<body><main>{body}</main></body></html>\n"
    )


@cache
def _css() -> str:
    return (Path(__file__).parent / "report.css").read_text(encoding="utf-8")


def _body(trace: Trace) -> str:
    try:
        strategy, settings = graph_of(trace)
    except TraceError as error:
        name, nodes, steps = trace.head.strategy, tuple(dict.fromkeys(trace.path)), ""
        graph = f"<p>{text(error)}</p>"
    else:
        name, nodes, steps = strategy.title, outline_of(strategy, settings).nodes, steps_html(strategy, trace)
        graph = diagram_html(strategy, settings, marks(trace), prefix="report")
    entries = found(trace, grades=grades_documents(nodes))
    searched = any(event.kind == "retrieved" for event in trace.events)
    documents = documents_html(
        entries, searched=searched, grades=grades_documents(nodes), over=trace.ended, unfolded=True
    )
    parts = [
        _section(_("The conversation before it"), _conversation(trace)),
        f"<section>{answer_html(trace, entries, nodes)}{steps}</section>",
        _section(_("The way there"), f'{graph}<p class="way">{_way(trace)}</p>'),
        *_own(trace, nodes, entries),
        f"<section>{documents}</section>",
        _section(_("Queries"), queries_html(trace, nodes)),
        _section(_("Verdicts"), verdicts_html(trace, nodes, name, entries=entries)),
        _section(_("Timeline"), timeline_html(trace)),
        _section(_("Settings"), _settings(trace)),
    ]
    return f"{_head(trace, name)}{''.join(parts)}{_foot(trace)}"


def _section(title: str, body: str) -> str:
    return f"<section>{heading(title)}{body}</section>" if body else ""


def _own(trace: Trace, nodes: tuple[str, ...], entries: list[Found]) -> list[str]:
    """Return the part that a strategy has to itself: its drafts, its refinement or its chain, as the run left them."""
    parts = []
    if "draft_answers" in nodes:
        parts.append(_section(_("Drafts"), head_html(trace, weighted=True) + drafts_html(trace, None, entries)))
    if "evaluate_retrieval" in nodes:
        parts.append(_section(_("Refinement"), action_html(trace, None, entries) + strips_html(trace, None, entries)))
    if "classify_complexity" in nodes:
        parts.append(_section(_("Chain"), chain_html(trace, numbers(entries))))
    return parts


def _head(trace: Trace, strategy: str) -> str:
    end = end_html(trace, strategy) if trace.ended else verdict("plain", _("Not finished"))
    alone = trace.state.condensed
    understood = f"<p>{text(_('Understood as:'))} <b>{text(alone)}</b></p>" if alone else ""
    title = f'<p class="kind">{text(strategy)}</p><h1>{text(trace.head.question)}</h1>{understood}'
    return f'<header>{title}<p class="end">{end}</p></header>'


def _conversation(trace: Trace) -> str:
    """Return the turns that went before the question, as the run was told them."""
    turns = trace.head.history
    rows = "".join(f"<tr><th>{text(t.question, 2000)}</th><td>{text(t.answer, 2000)}</td></tr>" for t in turns)
    return f"<table>{rows}</table>" if rows else ""


def _way(trace: Trace) -> str:
    """Put the path into words: each node, with the outcome that led to it."""
    steps = []
    for edge in trace.edges:
        outcome = f"<b>{text(_(edge.outcome))}</b> → " if edge.outcome else ""
        steps.append(outcome + text(_("End") if edge.target == END else node_name(edge.target)))
    return " → ".join(steps)


def _settings(trace: Trace) -> str:
    pairs = [(_("engine"), trace.head.engine), *settings_rows(trace.head.settings)]
    return f'<div class="pairs">{"".join(f"<p><span>{text(n)}</span> {text(v, 300)}</p>" for n, v in pairs)}</div>'


def settings_rows(recorded: dict[str, Any]) -> list[tuple[str, str]]:
    """Return name and value of each recorded setting that says something of the run, in the order of the settings."""
    rows = []
    for name in Settings.model_fields:
        value = recorded.get(name)
        if name in (*KEYS, *SERVER_ONLY) or value in (None, "", {}, []):
            continue
        if name == "prompts":
            value = _("replaced: {roles}").format(roles=", ".join(value) if isinstance(value, dict) else value)
        rows.append((name, str(value)))
    return rows


def _foot(trace: Trace) -> str:
    head = trace.head
    facts = [_("Run of {date}").format(date=_date(head.started)) if head.started else "", duration(trace.seconds)]
    facts += [calls(trace.llm_calls), _("run {id}").format(id=head.run_id)]
    if head.parent:
        facts.append(_("forked from run {id}").format(id=head.parent))
    facts.append(_("RAG Graphs {version}").format(version=VERSION))
    return f"<footer>{text(' · '.join(f for f in facts if f), 600)}</footer>"


def _date(started: str) -> str:
    """Write a moment as a report gives it: 30 November 2026, 14:05 UTC. What is no moment stays as it is."""
    try:
        moment = datetime.fromisoformat(started)
    except ValueError:
        return started
    return f"{moment.day} {moment:%B %Y, %H:%M} {moment.tzname() or ''}".strip()
