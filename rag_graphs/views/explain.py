"""What the now-line says of a node besides its name: from the events so far, while it runs and after it."""

from __future__ import annotations

from collections.abc import Callable

from rag_graphs.runs.from_trace import drafts_of, searched_for
from rag_graphs.runs.trace import Trace
from rag_graphs.views.node_words import class_words, meaning
from rag_graphs.views.translation import _, plural


def explain(trace: Trace, node: str) -> str:
    """What there is to say about the node that runs, or ran last: from the events so far."""
    return EXPLAINED[node](trace) if node in EXPLAINED else ""


def _retrieving(trace: Trace) -> str:
    last = trace.visits[-1]
    found = [e for e in trace.events if e.kind == "retrieved" and e.at >= last.at]
    query = _("for “{query}”").format(query=searched_for(last))
    if not found:
        return query
    words = f"{query}, {plural(len(found[-1].documents), '{n} found', '{n} found')}"
    if last.node == "retrieve_more" and last.after and last.after.chain:
        words += ", " + plural(len(last.after.chain[-1].new), "{n} of them new", "{n} of them new")
    return words


def _grading(trace: Trace) -> str:
    last = trace.visits[-1]
    total = len(last.before.retrieved)
    landed = {
        e.index: e.grade
        for e in trace.events
        if e.kind == "graded" and e.attempt == last.attempt and e.index is not None
    }
    relevant = sum(g.passed is True for g in landed.values())
    if not total:
        return _("nothing was found")
    if last.after is not None or len(landed) == total:
        return _("{n} of {total} relevant").format(n=relevant, total=total)
    return _("{done} of {total} graded, {n} relevant so far").format(done=len(landed), total=total, n=relevant)


def _writing(trace: Trace) -> str:
    last = trace.visits[-1]
    given = plural(len(last.before.documents), "from {n} document", "from {n} documents")
    if last.before.grounded is not None and last.before.grounded.passed is False:
        return _("again, {given}: the last attempt was not grounded").format(given=given)
    if last.before.useful is not None and last.before.useful.passed is False:
        return _("again, {given}: the last attempt was not useful").format(given=given)
    return given


def _judging(trace: Trace) -> str:
    last = trace.visits[-1]
    words = {
        ("groundedness", True): _("grounded"),
        ("groundedness", False): _("not grounded"),
        ("groundedness", None): _("grounded: unclear"),
        ("usefulness", True): _("useful"),
        ("usefulness", False): _("not useful"),
        ("usefulness", None): _("useful: unclear"),
    }
    landed = [e.grade for e in trace.events if e.kind == "graded" and e.index is None and e.attempt == last.attempt]
    return ", ".join(words[(g.aspect, g.passed)] for g in landed) or _("is it grounded, is it useful?")


def _rewriting(trace: Trace) -> str:
    last = trace.visits[-1]
    before = last.before
    if before.evaluation is not None:
        ambiguous = before.evaluation.action == "ambiguous"
        return (
            _("for the web as well: the action is ambiguous")
            if ambiguous
            else _("for the web: the action is incorrect")
        )
    if before.useful is not None and before.useful.passed is False:
        return _("the answer was not useful")
    relevant = sum(g.passed is True for g in before.relevance)
    if not before.retrieved:
        return _("nothing was found")
    if relevant:
        return _("only {n} of {total} documents relevant").format(n=relevant, total=len(before.retrieved))
    return _("none of {total} documents was relevant").format(total=len(before.retrieved))


def _routing(trace: Trace) -> str:
    after = trace.visits[-1].after
    if after is None or after.route is None:
        return _("where does the question go?")
    return after.route.error or after.route.reason


def _giving_up(trace: Trace) -> str:
    return _("the budget is spent")


def _deciding(trace: Trace) -> str:
    after = trace.visits[-1].after
    decision = after.decision if after else None
    if decision is None:
        return _("is a search needed at all?")
    words = _("yes, search first") if decision.retrieve else _("no, answer at once")
    if decision.probability is not None:
        words += " " + _("(probability {p:.2f})").format(p=decision.probability)
    why = decision.error or decision.reason
    return f"{words}: {why}" if why else words


def _writing_directly(trace: Trace) -> str:
    return _("without any document")


def _drafting(trace: Trace) -> str:
    drafts = drafts_of(trace)
    total = len(drafts.landed) + len(drafts.waiting) if drafts else 0
    if drafts is None or not total:
        return _("nothing was found")
    return _("{done} of {total} drafted and judged").format(done=len(drafts.landed), total=total)


def _ranking(trace: Trace) -> str:
    drafts = drafts_of(trace)
    order = drafts.ranking(drafts.weights) if drafts else []
    if drafts is None or not order or not drafts.may_win(order[0][0]):
        return _("no draft is of use")
    best, score = order[0]
    return _("the best, from “{title}”, has {score:.2f}").format(
        title=best.document.title or best.document.id, score=score.total
    )


def _evaluating(trace: Trace) -> str:
    last = trace.visits[-1]
    if last.after is not None and last.after.evaluation is not None:
        action = last.after.evaluation.action
        return f"{_(action)}: {meaning(action)}"
    landed = {e.index for e in trace.events if e.kind == "graded" and e.attempt == last.attempt}
    return _("{done} of {total} scored").format(done=len(landed), total=len(last.before.retrieved))


def _refining(trace: Trace) -> str:
    last = trace.visits[-1]
    if last.after is None:
        return _("which sentences matter?")
    strips = last.after.strips[len(last.before.strips) :]
    return _("{n} of {total} strips kept").format(n=sum(s.kept for s in strips), total=len(strips))


def _classifying(trace: Trace) -> str:
    after = trace.visits[-1].after
    complexity = after.complexity if after else None
    if complexity is None:
        return _("none, one search, or one after the other?")
    why = complexity.error or complexity.reason
    return f"{class_words(complexity)}. {why}".strip()


def _reasoning(trace: Trace) -> str:
    after = trace.visits[-1].after
    if after is None or not after.chain:
        return plural(len(trace.visits[-1].before.documents), "from {n} document", "from {n} documents")
    return after.chain[-1].sentence or _("nothing more can be concluded")


def _condensing(trace: Trace) -> str:
    after = trace.visits[-1].after
    if after is None:
        return _("from what was said before")
    return f"“{after.condensed}”" if after.condensed else _("it stands alone already")


EXPLAINED: dict[str, Callable[[Trace], str]] = {
    "retrieve": _retrieving,
    "retrieve_more": _retrieving,
    "search_web": _retrieving,
    "grade_documents": _grading,
    "generate": _writing,
    "generate_directly": _writing_directly,
    "grade_answer": _judging,
    "rewrite_query": _rewriting,
    "route_question": _routing,
    "give_up": _giving_up,
    "decide_retrieval": _deciding,
    "draft_answers": _drafting,
    "rank_drafts": _ranking,
    "evaluate_retrieval": _evaluating,
    "refine": _refining,
    "refine_web": _refining,
    "classify_complexity": _classifying,
    "reason_step": _reasoning,
    "condense_question": _condensing,
}
