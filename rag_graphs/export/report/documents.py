"""The parts of the report on the answer and on what it rests on."""

from __future__ import annotations

import re

from rag_graphs.export.report.markup import badge, link, text
from rag_graphs.export.report.words import Words, verdict
from rag_graphs.graphs.state import Answer, Document, Grade, Seen
from rag_graphs.runs.trace import Trace

HEADING = re.compile(r"^#{1,6}[ \t]+(.+)$", re.MULTILINE)
CITATION = re.compile(r"\s?\[(\d{1,3}(?:\s*,\s*\d{1,3})*)\]")


def answer(trace: Trace, _: Words) -> str:
    """The answer, each citation a link to its document, and its grades."""
    if not trace.text:
        return f"<p>{text(_('No answer was written.'))}</p>"
    last = trace.state.answers[-1] if trace.state.answers else None
    given = last.documents if last and last.text == trace.text else trace.state.documents
    grades = "".join(badge(*verdict(g)) for g in (last.grounded, last.useful) if g) if last else ""
    return f'<div class="answer" dir="auto">{cited(trace, trace.text, given, _)}</div>' + (
        f"<p>{grades}</p>" if grades else ""
    )


def cited(trace: Trace, answer_text: str, given: list[Document], _: Words) -> str:
    """A text with a link for each citation, under the number that its document has in this report; one that was not given
    to the model is marked."""
    numbers = {s.document.id: n for n, s in enumerate(trace.state.seen, 1)}

    def one(number: int) -> str:
        document = given[number - 1] if 1 <= number <= len(given) else None
        if document is None or document.id not in numbers:
            return f'<span class="cite bad" title="{text(_("no such document was given"))}">{number}?</span>'
        here = numbers[document.id]
        return f'<a class="cite" href="#d{here}" title="{text(document.title, 200)}">{here}</a>'

    return CITATION.sub(lambda m: "".join(one(int(n)) for n in m[1].split(",")), text(answer_text))


def documents(trace: Trace, _: Words) -> str:
    """Every document that a search returned, with its last grade; those that were dropped are folded, not left out."""
    state = trace.state
    last = state.answers[-1].documents if state.answers else state.documents
    kept = {d.id for d in (*last, *state.documents)}
    return "".join(_document(n, seen, seen.document.id in kept, _) for n, seen in enumerate(state.seen, 1))


def _document(number: int, seen: Seen, kept: bool, _: Words) -> str:
    document, grade = seen.document, seen.grade
    badges = badge("web", _("from the web")) if document.origin == "web" else ""
    badges += badge(*verdict(grade)) if grade else ""
    heading = document.heading if document.heading != document.title else ""
    reason = f'<p class="why">{text(grade.error or grade.reason, 1000)}</p>' if grade else ""
    body = f'<blockquote dir="auto">{passage(document.text)}</blockquote>'
    full = body if kept else f"<details><summary>{text(_('Read'))}</summary>{body}</details>"
    return (
        f'<article id="d{number}" class="{"kept" if kept else "dropped"}"><h3><b>{number}</b> '
        f"{link(document.source, document.title or document.source)} <small>{text(heading, 200)}</small> {badges}</h3>"
        f'{reason}{full}<p class="from">{text(document.source, 300)}</p></article>'
    )


def passage(written: str) -> str:
    """A document's text, its Markdown headings in bold."""
    return HEADING.sub(r"<strong>\1</strong>", text(written))


def verdicts(trace: Trace, _: Words) -> str:
    """Each attempt at an answer with its grades and their reasons, where there were several or any was graded."""
    tried = [a for a in trace.state.answers if a.kind != "gave up"]
    if len(tried) < 2 and not any(a.grounded or a.useful for a in tried):
        return ""
    return f"<ol>{''.join(_attempt(trace, a, _) for a in tried)}</ol>"


def _attempt(trace: Trace, attempt: Answer, _: Words) -> str:
    grades: list[Grade] = [g for g in (attempt.grounded, attempt.useful) if g]
    rows = "".join(f"<p>{badge(*verdict(g))} {text(g.error or g.reason, 1000)}</p>" for g in grades)
    return f'<li><p dir="auto">{cited(trace, attempt.text, attempt.documents, _)}</p>{rows}</li>'
