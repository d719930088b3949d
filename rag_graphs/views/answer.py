"""Draw the panel Answer: the text as it is written, its citations as links to the documents, and its grades."""

from __future__ import annotations

import re
from collections.abc import Collection

from rag_graphs.graphs.state import Answer, Document, Grade
from rag_graphs.graphs.strategy import Strategy
from rag_graphs.runs.trace import Trace
from rag_graphs.views.documents_seen import Found, numbers
from rag_graphs.views.render import attribute, empty, heading, text, verdict
from rag_graphs.views.translation import _, plural
from rag_graphs.views.verdict_words import badge

CITATION = re.compile(r"\s?\[(\d{1,3}(?:\s*,\s*\d{1,3})*)\]")
BOLD = re.compile(r"\*\*(?=\S)(.+?)(?<=\S)\*\*")
WRITERS = ("generate", "give_up", "generate_directly")


def answer_html(trace: Trace | None, entries: list[Found], nodes: Collection[str]) -> str:
    """Draw the whole panel. `nodes`: the nodes of the strategy, from which the panel says what may still come."""
    if trace is None:
        return heading(_("Answer")) + empty(
            _("The answer appears here, with a number for each document that it rests on.")
        )
    if trace.stop_reason == "failed":
        return heading(_("Answer")) + _failed(trace) + _body(trace, entries)
    if not trace.text:
        waiting = _("Stopped before an answer was written.") if trace.ended else _not_yet(nodes)
        return heading(_("Answer")) + empty(waiting)
    return heading(_("Answer"), _which(trace)) + _body(trace, entries) + _grades(trace)


def about_html(strategy: Strategy, trace: Trace | None) -> str:
    """Say what the strategy does; nothing once a run of it has begun."""
    if trace is not None:
        return ""
    return f'<p class="wait"><b>{text(_(strategy.title))}</b>&#58; {text(_(strategy.summary))}</p>'


def steps_html(strategy: Strategy, trace: Trace | None) -> str:
    """List the steps taken under their published names, for a strategy that has such names."""
    names = dict(strategy.step_names)
    if trace is None or not (taken := [names[node] for node in trace.path if node in names]):
        return ""
    listed = ", ".join(f"<code>{text(name)}</code>" for name in taken)
    return f'<p class="steps-taken">{text(_("Steps taken"))}&#58; {listed}</p>'


def _failed(trace: Trace) -> str:
    return f'<div class="fault" role="alert">{verdict("no", _("failed"))} {text(trace.error)}</div>'


def _which(trace: Trace) -> str:
    """Say which attempt this is, where there is more than one."""
    attempts = [a for a in trace.state.answers if a.kind != "gave up"]
    writing = trace.active == "generate"
    count = len(attempts) + writing
    if trace.state.answers and trace.state.answers[-1].kind == "gave up":
        return plural(len(attempts), "the best of {n} attempt", "the best of {n} attempts") if attempts else ""
    return _("attempt {n}").format(n=count) if count > 1 else ""


def _not_yet(nodes: Collection[str]) -> str:
    own = {
        "rank_drafts": _("Not written yet. Each document gets a draft of its own; the best one becomes the answer."),
        "evaluate_retrieval": _(
            "Not written yet. It is written from the sentences that matter: of the library, of the web, or of both."
        ),
        "classify_complexity": _(
            "Not written yet. How it comes about depends on the question: at once, after one search, or after several."
        ),
    }
    if words := next((own[node] for node in own if node in nodes), ""):
        return words
    if "grade_documents" not in nodes:
        return _("Not written yet. It is written from whatever is found.")
    if "grade_answer" in nodes and "rewrite_query" in nodes:
        return _(
            "Not written yet. If at least one document is relevant, it is written from those. "
            "If none is, the query is rewritten and searched again."
        )
    if "rewrite_query" not in nodes:
        return _(
            "Not written yet. It is written from the relevant documents; the web is searched where they fall short."
        )
    return _(
        "Not written yet. If enough documents are relevant, it is written from those. If too few are, the web is searched first."
    )


def _body(trace: Trace, entries: list[Found]) -> str:
    if not trace.text:
        return ""
    given = _given(trace)
    writing = '<span class="caret"></span>' if trace.active in WRITERS else ""
    return f'<div class="answer">{cited(trace.text, given, entries)}{writing}</div>'


def _given(trace: Trace) -> list[Document]:
    """Return the documents that the shown text may cite: number n means the n-th of them."""
    if trace.active == "rank_drafts":
        return [d.document for d in trace.state.drafts if d.text == trace.text][:1]
    if trace.active in WRITERS or not trace.state.answers:
        return trace.state.documents
    return trace.state.answers[-1].documents


def cited(answer: str, given: list[Document], entries: list[Found]) -> str:
    """Return the text with a link for each citation. A link shows the number that the document has in the panel Documents. A
    number of a document that the model was not given is marked."""
    shown = numbers(entries)

    def links(match: re.Match[str]) -> str:
        return "".join(_citation(int(n), given, shown) for n in match[1].split(","))

    escaped = BOLD.sub(r"<strong>\1</strong>", text(answer))
    return CITATION.sub(links, escaped)


def _citation(number: int, given: list[Document], shown: dict[str, int]) -> str:
    if not 1 <= number <= len(given) or given[number - 1].id not in shown:
        one, many = _("Cites [{k}], but {n} document was given."), _("Cites [{k}], but {n} documents were given.")
        tip = plural(len(given), one, many, k=number)
        return f'<span class="cite bad" title="{attribute(tip)}">{number}?</span>'
    document = given[number - 1]
    here = shown[document.id]
    web = " web" if document.origin == "web" else ""
    return (
        f'<a class="cite{web}" href="#doc{here}" title="{attribute(document.title)}"'
        f' aria-label="{attribute(_("Document {n}").format(n=here))}">{here}</a>'
    )


def _grades(trace: Trace) -> str:
    if not trace.state.answers or trace.active in WRITERS:
        return ""
    last: Answer = trace.state.answers[-1]
    landed = {g.aspect: g for g in landed_grades(trace)}
    badges = [
        badge(g) for g in (last.grounded or landed.get("groundedness"), last.useful or landed.get("usefulness")) if g
    ]
    if trace.active == "grade_answer" and len(badges) < 2:
        badges.append(verdict("busy", _("grading")))
    return f'<p class="vds">{"".join(badges)}</p>' if badges else ""


def landed_grades(trace: Trace) -> list[Grade]:
    """Return the grades of the answer that the running grader has given so far."""
    if trace.active != "grade_answer":
        return []
    begun = max(i for i, e in enumerate(trace.events) if e.kind == "node_started")
    return [e.grade for e in trace.events[begun:] if e.kind == "graded"]
