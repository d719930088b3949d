"""The words on and about a drawing: what each node is for, what came of it, the path in a sentence.

Each function is given `_`, which translates a text; by default the English text stays."""

from __future__ import annotations

from rag_graphs.graphs.strategy import END, Strategy
from rag_graphs.runs.trace import Trace
from rag_graphs.views.diagram.marking import Marks
from rag_graphs.views.diagram.plan import Words
from rag_graphs.views.diagram.results import results


def name_of(node: str, _: Words = str) -> str:
    """grade_documents -> Grade documents."""
    return _(node.replace("_", " ").capitalize())


def purposes(_: Words = str) -> dict[str, str]:
    """What each node is for, in a few words."""
    return {
        "retrieve": _("find documents"),
        "grade_documents": _("relevant?"),
        "generate": _("write the answer"),
        "grade_answer": _("grounded? useful?"),
        "rewrite_query": _("in other words"),
        "search_web": _("look outside"),
        "route_question": _("where to?"),
        "give_up": _("what is missing"),
        "decide_retrieval": _("search at all?"),
        "generate_directly": _("without sources"),
        "draft_answers": _("a draft a document"),
        "rank_drafts": _("the best one first"),
        "evaluate_retrieval": _("correct?"),
        "refine": _("keep what matters"),
        "refine_web": _("keep what matters"),
        "classify_complexity": _("how hard?"),
        "retrieve_more": _("find what is new"),
        "reason_step": _("think one step"),
        "condense_question": _("make it complete"),
    }


def sublines(trace: Trace | None, _: Words = str) -> dict[str, str]:
    """The second line of each node: what it is for, and from its first visit on what came of the last one."""
    return purposes(_) | ({} if trace is None else results(trace, _))


def describe(strategy: Strategy, marks: Marks, _: Words = str) -> str:
    """The drawing in words, for those who do not see it: the path so far and what runs now."""
    if not marks.begun:
        return _("Graph of {title}. Nothing has run yet.").format(title=strategy.title)
    steps = []
    for edge in marks.edges:
        outcome = f"{_(edge.outcome)}: " if edge.outcome else ""
        steps.append(outcome + (_("end") if edge.target == END else name_of(edge.target, _)))
    path = ", ".join(steps) or _("nothing yet")
    now = _("Now running: {node}.").format(node=name_of(marks.active, _)) if marks.active else ""
    if marks.next:
        now = _("Waiting before: {node}.").format(node=name_of(marks.next, _))
    if marks.halted:
        now = _("Broke off in: {node}.").format(node=name_of(marks.halted, _))
    return f"{_('Graph of {title}. Path so far: {path}.').format(title=strategy.title, path=path)} {now}".strip()
