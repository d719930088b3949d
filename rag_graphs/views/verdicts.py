"""Draw the panel Verdicts: each attempt at an answer with its grades and their reasons."""

from __future__ import annotations

from collections.abc import Collection

from rag_graphs.graphs.state import Answer, Complexity, Decision, Evaluation, Grade
from rag_graphs.runs.trace import Trace
from rag_graphs.views.answer import cited, landed_grades
from rag_graphs.views.documents_seen import Found
from rag_graphs.views.render import empty, text, verdict
from rag_graphs.views.translation import _
from rag_graphs.views.verdict_words import ACTIONS, badge, class_words, meaning

GRADES_ANSWERS = frozenset({"grade_answer", "rank_drafts"})


def verdicts_html(
    trace: Trace | None, nodes: Collection[str], strategy: str, *, entries: list[Found] | None = None
) -> str:
    """Draw the whole panel. `nodes`: the nodes of the strategy, which say whether answers are graded at all. `strategy`: its
    title. `entries`: the documents that citations link to; with them attempts are shown in full, without them shortened and
    without links."""
    decided = _decided(trace, nodes)
    if GRADES_ANSWERS.isdisjoint(nodes):
        return decided + empty(_("{strategy} does not grade its answer.").format(strategy=strategy))
    return decided + _answers(trace, entries)


def _answers(trace: Trace | None, entries: list[Found] | None) -> str:
    if trace is None or not trace.state.answers:
        ended = trace is not None and trace.ended
        return empty(
            _("No answer was written, so none was graded.")
            if ended
            else _(
                "Each attempt at an answer is listed here: does it rest on the documents, does it answer the question?"
            )
        )
    attempts = [a for a in trace.state.answers if a.kind in ("from documents", "abstained")]
    if not attempts and trace.state.answers[-1].kind == "from the model":
        return empty(_("The model answered from what it knows: there are no documents to check this against."))
    parts = [_attempt(trace, n, a, entries, last=n == len(attempts)) for n, a in enumerate(attempts, 1)]
    if not attempts:
        parts = [empty(_("No attempt at an answer was made: no document was relevant."))]
    return f'<ol class="att">{"".join(parts)}</ol>'


def _decided(trace: Trace | None, nodes: Collection[str]) -> str:
    """Say what was decided before any answer: search at all? how hard is it? what are the documents worth?"""
    state = trace.state if trace else None
    rows: list[tuple[str, str, str]] = []
    if "decide_retrieval" in nodes:
        rows.append((_("Search at all?"), *_decision(state.decision if state else None)))
    if "classify_complexity" in nodes:
        rows.append((_("How hard is it?"), *_complexity(state.complexity if state else None)))
    if "evaluate_retrieval" in nodes:
        rows.append((_("What are the documents worth?"), *_evaluation(state.evaluation if state else None)))
    return "".join(f'<p class="say"><b>{text(asks)}</b> {mark} {text(why)}</p>' for asks, mark, why in rows)


def _decision(decision: Decision | None) -> tuple[str, str]:
    if decision is None:
        return _open()
    words = _("search first") if decision.retrieve else _("no search")
    if decision.probability is not None:
        words += f" {decision.probability:.2f}"
    return verdict("unclear" if decision.error else "plain", words), decision.error or decision.reason


def _complexity(complexity: Complexity | None) -> tuple[str, str]:
    if complexity is None:
        return _open()
    mark = verdict("unclear" if complexity.error else "plain", class_words(complexity))
    return mark, complexity.error or complexity.reason


def _evaluation(evaluation: Evaluation | None) -> tuple[str, str]:
    if evaluation is None:
        return _open()
    return verdict(ACTIONS[evaluation.action], _(evaluation.action)), evaluation.reason or meaning(evaluation.action)


def _open() -> tuple[str, str]:
    return verdict("waiting", _("open")), ""


def _attempt(trace: Trace, number: int, answer: Answer, entries: list[Found] | None, *, last: bool) -> str:
    landed = {g.aspect: g for g in landed_grades(trace)} if last else {}
    grounded = answer.grounded or landed.get("groundedness")
    useful = answer.useful or landed.get("usefulness")
    running = last and trace.active == "grade_answer"
    body = text(answer.text, 1200) if entries is None else cited(answer.text, answer.documents, entries)
    disregarded = grounded is not None and grounded.passed is False
    rows = [
        _grade(grounded, _("Does it rest on the documents?"), running=running),
        _grade(useful, _("Does it answer the question?"), running=running, disregarded=disregarded),
    ]
    return (
        f'<li><b>{text(_("Attempt {n}").format(n=number))}</b> <q>{body}</q><div class="gr">{"".join(rows)}</div></li>'
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
