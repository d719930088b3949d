"""The now-line: one sentence above the diagram that says what is going on, or how the run ended."""

from __future__ import annotations

from collections.abc import Collection

from rag_graphs import Trace
from rag_graphs.ui.names import did, doing, node_name, stop_chip
from rag_graphs.ui.render import text
from rag_graphs.ui.spent import figures as spent_figures
from rag_graphs.ui.text import _, plural
from rag_graphs.ui.timeline import duration

MARKS = {"yes": "✓", "no": "✕", "plain": ""}


def idle_html(strategy: str) -> str:
    """Before any run; `strategy` is the title of the chosen one."""
    words = text(_("and watch {strategy} run.")).replace("{strategy}", text(strategy))
    return _line(f"<b>{text(_('Ask a question'))}</b> <span>{words}</span>", "")


def starting_html() -> str:
    """A run has been asked for and nothing has happened yet."""
    return _line(f'<span class="lamp"></span><b>{text(_("Starting"))}</b>', "")


def now_html(trace: Trace, strategy: str, nodes: Collection[str], *, step: int = 0, steps: int = 0) -> str:
    """During a run and after it. `strategy` is its title, `nodes` are its nodes; `step` of `steps` when a finished run is
    looked at from inside, else 0."""
    right = figures(trace, strategy, nodes)
    if step:
        return _line(_step(trace, step, steps), right)
    if trace.ended:
        return _line(_end(trace, strategy), right)
    if trace.waiting_for:
        waiting = _("Waiting before “{node}”").format(node=node_name(trace.waiting_for))
        return _line(f"<b>{text(waiting)}</b> <span>{text(_('Next lets it run'))}</span>", right)
    node = trace.active or (trace.path[-1] if trace.path else "")  # between two nodes: still the last one
    if not node:
        return starting_html()
    detail = f" <span>{text(explain(trace, node))}</span>"
    return _line(f'<span class="lamp"></span><b>{text(doing(node))}</b>{detail}', right)


def _line(words: str, right: str) -> str:
    figures_ = f'<span class="m">{text(right)}</span>' if right else ""
    return f'<div class="now" role="status">{words}{figures_}</div>'


def _step(trace: Trace, step: int, steps: int) -> str:
    node = trace.path[-1] if trace.path else ""
    title = _("Step {n} of {total}: {what}").format(n=step, total=steps, what=did(node))
    return f"<b>{text(title)}</b> <span>{text(explain(trace, node))}</span>"


def _end(trace: Trace, strategy: str) -> str:
    kind, words, meaning = stop_chip(trace.stop_reason or "", strategy)
    if trace.stop_reason == "failed":
        where = trace.path[-1] if trace.path else ""
        meaning = _("In “{node}”: {error}").format(node=node_name(where), error=trace.error) if where else trace.error
    if trace.stop_reason == "spending cap reached" and trace.warnings:
        meaning = trace.warnings[-1]
    mark = f"{MARKS[kind]} " if MARKS[kind] else ""
    return f'<span class="chip big {kind}">{mark}{text(words)}</span> <span>{text(meaning)}</span>'


def figures(trace: Trace, strategy: str, nodes: Collection[str]) -> str:
    """The figures at the right: whose run it is, how long it took, what it spent of its budgets."""
    state, settings = trace.state, trace.head.settings
    parts = [strategy, duration(trace.seconds), *spent_figures(trace)]
    most = settings.get("max_rewrites")
    if "rewrite_query" in nodes and "give_up" in nodes and most is not None:
        parts.append(_("{n} of {most} rewrites").format(n=state.rewrites, most=most))
    elif state.rewrites:
        parts.append(plural(state.rewrites, "{n} rewrite", "{n} rewrites"))
    if state.searches:
        parts.append(plural(state.searches, "{n} web search", "{n} web searches"))
    if settings.get("careless") is True:
        parts.append(_("careless first attempt"))
    return " · ".join(parts)


def explain(trace: Trace, node: str) -> str:
    """What there is to say about the node that runs, or ran last: from the events so far."""
    known = {
        "retrieve": _retrieving,
        "search_web": _retrieving,
        "grade_documents": _grading,
        "generate": _writing,
        "grade_answer": _judging,
        "rewrite_query": _rewriting,
        "route_question": _routing,
        "give_up": _giving_up,
    }
    return known[node](trace) if node in known else ""


def _retrieving(trace: Trace) -> str:
    last = trace.visits[-1]
    found = [e for e in trace.events if e.kind == "retrieved" and e.at >= last.at]
    query = _("for “{query}”").format(query=last.before.query)
    return f"{query}, {plural(len(found[-1].documents), '{n} found', '{n} found')}" if found else query


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
        return _("library or web?")
    return after.route.error or after.route.reason


def _giving_up(trace: Trace) -> str:
    return _("the budget is spent")
