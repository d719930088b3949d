"""The parts of the report on how a run went: what was said before it, its queries, and when each node ran."""

from __future__ import annotations

from itertools import pairwise

from rag_graphs.export.report.markup import badge, table, text
from rag_graphs.export.report.words import Words, duration
from rag_graphs.runs.trace import Trace, Visit
from rag_graphs.runs.word_difference import word_difference
from rag_graphs.views.diagram import name_of

TAGS = {"gone": "del", "came": "ins"}


def conversation(trace: Trace, _: Words) -> str:
    """The turns that went before the question, as the run was told them."""
    return table([(text(turn.question, 2000), text(turn.answer, 2000)) for turn in trace.head.history])


def queries(trace: Trace, _: Words) -> str:
    """The question, how it was understood, the route, and each rewritten query with its changed words marked."""
    rows, wordings = [(text(_("Question")), text(trace.head.question))], trace.queries
    if alone := trace.state.condensed:
        made = text(_("Made to stand alone, because questions went before it."))
        rows.append((text(_("Understood as")), f"{changed(trace.head.question, alone)}<br><small>{made}</small>"))
        wordings = wordings[1:]
    if route := trace.state.route:
        chosen = badge("web" if route.target == "web search" else "plain", _(route.target))
        rows.append((text(_("Route")), f"{chosen} {text(route.error or route.reason, 1000)}"))
    for number, (before, after) in enumerate(pairwise(wordings), 1):
        step = text(_("Step {n}").format(n=number)), text(after)
        rows.append(step if trace.state.chain else (text(_("Rewrite {n}").format(n=number)), changed(before, after)))
    rows += [(text(_("Note")), text(note, 1000)) for note in dict.fromkeys([*trace.state.notes, *trace.warnings])]
    return table(rows)


def changed(before: str, after: str) -> str:
    """`after` with the words that are new marked, and those that went struck out."""
    return " ".join(
        f"<{TAGS[kind]}>{text(piece)}</{TAGS[kind]}>" if kind in TAGS else text(piece)
        for kind, piece in word_difference(before, after)
        if piece.strip()
    )


def timeline(trace: Trace, _: Words) -> str:
    """A bar for each node: when it ran, for how long, and what it cost."""
    total = max(trace.seconds, 1e-6)
    rows = [(text(_named(visit, _)), _bar(visit, trace, total, _)) for visit in trace.visits]
    return table(rows)


def _named(visit: Visit, _: Words) -> str:
    return name_of(visit.node, _) + (f" {visit.attempt}" if visit.attempt > 1 else "")


def _bar(visit: Visit, trace: Trace, total: float, _: Words) -> str:
    seconds = trace.seconds - visit.at if visit.seconds is None else visit.seconds
    left = min(99.0, max(0.0, 100 * visit.at / total))
    width = max(0.5, min(100 - left, 100 * seconds / total))
    cost = duration(seconds)
    if visit.llm_calls:
        cost += ", " + _("{n} model calls").format(n=visit.llm_calls)
    if visit.llm_calls and visit.prompt_tokens is not None and visit.completion_tokens is not None:
        cost += ", " + _("{n} tokens").format(n=visit.prompt_tokens + visit.completion_tokens)
    return f'<span class="bar"><i style="left:{left:.1f}%;width:{width:.1f}%"></i></span> {text(cost)}'
