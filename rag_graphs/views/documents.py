"""Draw the panel Documents: every document seen, with its verdict. Rejected ones stay."""

from __future__ import annotations

from itertools import groupby
from urllib.parse import urlsplit

from rag_graphs.graphs.state import Grade
from rag_graphs.views.documents_seen import Found
from rag_graphs.views.reading import beginning, readable_line
from rag_graphs.views.render import empty, heading, icon, link, safe_address, text, verdict
from rag_graphs.views.translation import _, plural


def documents_html(
    entries: list[Found], *, searched: bool, grades: bool, over: bool = False, unfolded: bool = False
) -> str:
    """Draw the whole panel. `searched`: a search has already returned, perhaps without a document. `grades`: this strategy
    grades documents. `over`: the run has ended. `unfolded`: the texts of kept documents are open."""
    top = heading(_("Documents"), _summary(entries, grades=grades))
    if not entries:
        message = _("Every document found is listed here with its verdict. Rejected ones stay.")
        if searched:
            message = _("The search found nothing. If your library is empty, add sources to it first.")
        elif over:
            message = _("This run made no search, so there are no documents.")
        return top + empty(message)
    groups = [(query, list(group)) for query, group in groupby(entries, key=lambda e: (e.query, e.document.origin))]
    parts = []
    for (query, origin), group in groups:
        if len(groups) > 1:
            where = _("On the web, for {query}") if origin == "web" else _("In the library, for {query}")
            parts.append(f'<p class="fq">{text(where).replace("{query}", f"<q>{text(query, 160)}</q>")}</p>')
        parts += [card(entry, unfolded=unfolded and entry.kept) for entry in group]
    return top + f'<div class="docs">{"".join(parts)}</div>'


def _summary(entries: list[Found], *, grades: bool) -> str:
    if not entries:
        return ""
    total = len(entries)
    open_ = sum(e.status in ("waiting", "busy") for e in entries)
    if open_ and grades:
        return _("{done} of {total} graded").format(done=total - open_, total=total)
    if not grades:
        return plural(total, "{n} found", "{n} found")
    return _("{kept} of {total} kept").format(kept=sum(e.kept for e in entries), total=total)


def card(entry: Found, *, unfolded: bool = False) -> str:
    """Draw one document: number, link, heading and verdict; below it the reason and, on demand or `unfolded`, its text."""
    document = entry.document
    title = link(document.source, document.title or document.source, classes="ti")
    where = document.heading or (
        urlsplit(safe_address(document.source)).hostname or "" if document.origin == "web" else ""
    )
    below = f'<span class="hd">{text(where, 90)}</span>' if where else ""
    kept = " kept" if entry.kept else ""
    return (
        f'<article class="doc {entry.status}{kept}" id="doc{entry.number}">'
        f'<div class="top"><b class="no">{entry.number}</b><span class="na">{title} {below}</span>{_badges(entry)}</div>'
        f"<details{' open' if unfolded else ''}><summary>{_why(entry)}"
        f'<span class="more">{text(_("Read"))}{icon("more")}</span></summary>{_full(entry)}</details></article>'
    )


def _badges(entry: Found) -> str:
    if entry.document.origin == "web" and entry.status != "web":
        return verdict("web", _("from the web")) + _badge(entry)
    return _badge(entry)


def _badge(entry: Found) -> str:
    grade = entry.grade
    if grade is not None:
        score = "" if grade.score is None else f" {grade.score:.2f}"
        tip = "" if grade.score is None else _("The grader's score, from 0 to 1")
        return verdict(entry.status, (grade.label or _("unclear")) + score, tip=tip)
    words = {
        "web": _("from the web"),
        "busy": _("grading"),
        "waiting": _("waiting"),
        "plain": _("not graded"),
    }
    return verdict(entry.status, words.get(entry.status, _("not graded")))


def _why(entry: Found) -> str:
    """Return the grader's reason, or how the text begins where there is none."""
    if entry.grade is None:
        return f'<span class="why m">{text(beginning(entry.document.text), 150)}</span>'
    return f'<span class="why">{text(_reason(entry, entry.grade), 400)}</span>'


def _reason(entry: Found, grade: Grade) -> str:
    reason = grade.error or grade.reason
    if grade.passed is None and grade.label in ("", "unclear") and not entry.kept:
        return _("{reason} Dropped, because its relevance is unclear.").format(reason=reason).strip()
    return reason


def _full(entry: Found) -> str:
    """Return the document's text and where it comes from."""
    document = entry.document
    facts = [_("place {rank} in its search").format(rank=entry.rank)]
    if document.score is not None:
        facts.append(_("search score {score:.2f}").format(score=document.score))
    if entry.again:
        facts.append(plural(entry.again, "found once more later", "found {n} times more later"))
    if document.language:
        facts.append(document.language)
    return (
        f'<div class="full">{readable_line(document.text)}</div>'
        f'<p class="facts">{text(", ".join(facts))}<br>{link(document.source, document.source)}</p>'
    )
