"""The panel Verdicts: each attempt at an answer with its grades and their reasons."""

from __future__ import annotations

from collections.abc import Collection

from rag_graphs import Answer, Grade, Trace
from rag_graphs.ui.answer import badge, landed_grades
from rag_graphs.ui.render import empty, text, verdict
from rag_graphs.ui.text import _


def verdicts_html(trace: Trace | None, nodes: Collection[str], strategy: str) -> str:
    """The whole panel. `nodes`: the strategy's, which say whether answers are graded at all; `strategy`: its title."""
    if "grade_answer" not in nodes:
        return empty(_("{strategy} does not grade its answer.").format(strategy=strategy))
    if trace is None or not trace.state.answers:
        ended = trace is not None and trace.ended
        return empty(
            _("No answer was written, so none was graded.")
            if ended
            else _(
                "Each attempt at an answer is listed here: does it rest on the documents, does it answer the question?"
            )
        )
    tried = [a for a in trace.state.answers if a.kind != "gave up"]
    parts = [_attempt(trace, n, a, last=n == len(tried)) for n, a in enumerate(tried, 1)]
    if not tried:
        parts = [empty(_("No attempt at an answer was made: no document was relevant."))]
    return f'<ol class="att">{"".join(parts)}</ol>'


def _attempt(trace: Trace, number: int, answer: Answer, *, last: bool) -> str:
    landed = {g.aspect: g for g in landed_grades(trace)} if last else {}
    grounded = answer.grounded or landed.get("groundedness")
    useful = answer.useful or landed.get("usefulness")
    running = last and trace.active == "grade_answer"
    disregarded = grounded is not None and grounded.passed is False
    rows = [
        _grade(grounded, _("Does it rest on the documents?"), running=running),
        _grade(useful, _("Does it answer the question?"), running=running, disregarded=disregarded),
    ]
    return (
        f"<li><b>{text(_('Attempt {n}').format(n=number))}</b> <q>{text(answer.text, 1200)}</q>"
        f'<div class="gr">{"".join(rows)}</div></li>'
    )


def _grade(grade: Grade | None, question: str, *, running: bool, disregarded: bool = False) -> str:
    if grade is None:
        state = verdict("busy", _("grading")) if running else verdict("waiting", _("not graded"))
        return f"<div>{state}</div><div>{text(question)}</div>"
    reason = grade.error or grade.reason or question
    note = (
        f' <span class="wait">{text(_("Disregarded, because the answer is not grounded."))}</span>'
        if disregarded
        else ""
    )
    return f"<div>{badge(grade)}</div><div>{text(reason)}{note}</div>"
