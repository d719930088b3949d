"""Write the now-line: one sentence above the diagram that says what is going on, or how the run ended."""

from __future__ import annotations

from collections.abc import Collection

from rag_graphs.runs.budget import cost_of, spent
from rag_graphs.runs.from_trace import not_passed
from rag_graphs.runs.trace import Trace
from rag_graphs.views.node_words import node_name, words_in
from rag_graphs.views.render import text
from rag_graphs.views.timeline import duration
from rag_graphs.views.translation import _, plural
from rag_graphs.views.verdict_words import MARKS, stop_chip


def idle_html(strategy: str) -> str:
    """Write the line before any run; `strategy` is the title of the chosen one."""
    words = text(_("and watch {strategy} run.")).replace("{strategy}", text(strategy))
    return _line(f"<b>{text(_('Ask a question'))}</b> <span>{words}</span>", "")


def starting_html() -> str:
    """Write the line when a run has been asked for and nothing has happened yet."""
    return _line(f'<span class="lamp"></span><b>{text(_("Starting"))}</b>', "")


def now_html(trace: Trace, strategy: str, nodes: Collection[str], *, step: int = 0, steps: int = 0) -> str:
    """Write the line during a run and after it. `strategy` is its title, `nodes` are its nodes. `step` of `steps` is the
    step of a finished run that is looked at, else 0."""
    right = figures(trace, strategy, nodes)
    if step:
        return _line(_step(trace, step, steps), right)
    if trace.ended:
        return _line(end_html(trace, strategy), right)
    if trace.waiting_for:
        waiting = _("Waiting before “{node}”").format(node=node_name(trace.waiting_for))
        return _line(f"<b>{text(waiting)}</b> <span>{text(_('Next lets it run'))}</span>", right)
    node = trace.active or (trace.path[-1] if trace.path else "")  # between two nodes: still the last one
    if not node:
        return starting_html()
    words = words_in(trace, node)
    sentence = f"<b>{text(words.doing)}</b> <span>{text(words.explain(trace))}</span>"
    return _line(f'<span class="lamp"></span>{sentence}', right)


def _line(words: str, right: str) -> str:
    figures_ = f'<span class="m">{text(right)}</span>' if right else ""
    return f'<div class="now" role="status">{words}{figures_}</div>'


def _step(trace: Trace, step: int, steps: int) -> str:
    words = words_in(trace, trace.path[-1] if trace.path else "")
    title = _("Step {n} of {total}: {what}").format(n=step, total=steps, what=words.did)
    return f"<b>{text(title)}</b> <span>{text(words.explain(trace))}</span>"


def end_html(trace: Trace, strategy: str) -> str:
    """Say how a run ended: its stop reason as a chip, and what that means. `strategy` is a title."""
    kind, words, meaning = stop_chip(trace.stop_reason or "", strategy)
    if trace.stop_reason == "failed":
        where = trace.path[-1] if trace.path else ""
        meaning = _("In “{node}”: {error}").format(node=node_name(where), error=trace.error) if where else trace.error
    if trace.stop_reason == "spending cap reached" and trace.warnings:
        meaning = trace.warnings[-1]
    if trace.stop_reason == "not verified" and not_passed(trace):
        meaning = _("The best draft did not pass every check.")
    mark = f"{MARKS[kind]} " if MARKS[kind] else ""
    return f'<span class="chip big {kind}">{mark}{text(words)}</span> <span>{text(meaning)}</span>'


def figures(trace: Trace, strategy: str, nodes: Collection[str]) -> str:
    """Return the figures at the right: whose run it is, how long it took, what it spent of its budgets."""
    state, settings = trace.state, trace.head.settings
    parts = [strategy, duration(trace.seconds), *spent_words(trace)]
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


def spent_words(trace: Trace) -> list[str]:
    """Say how much a run has asked of its models so far; nothing for a run without a model."""
    used = spent(trace.events)
    if not used.calls:
        return []
    words = [plural(used.calls, "{n} call", "{n} calls")]
    if used.tokens:
        tokens = _("at least {n} tokens") if used.unknown else _("{n} tokens")
        words.append(tokens.format(n=f"{used.tokens:,}"))
    cost = cost_of(used, trace.head.settings)
    if cost is not None:
        words.append(_("cost {cost}").format(cost=f"{cost:.4f}"))
    return words
