"""Draw the panel Queries: the question, each rewritten query with its changed words marked, and the route."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import pairwise

from rag_graphs.runs.trace import Trace
from rag_graphs.runs.word_difference import word_difference
from rag_graphs.views.render import empty, text, verdict
from rag_graphs.views.translation import _
from rag_graphs.views.verdict_words import target_name


def queries_html(trace: Trace | None, nodes: tuple[str, ...]) -> str:
    """Draw the whole panel. `nodes`: the nodes of the strategy, which say whether there can be rewrites and a route."""
    if trace is None:
        return empty(_("The question and each rewritten query are listed here, with the changed words marked."))
    rows = [_row(_("Question"), text(trace.head.question))]
    if trace.state.condensed:
        rows.append(_row(_("Understood as"), _understood(trace)))
    if "route_question" in nodes:
        rows.append(_row(_("Route"), _route(trace)))
    if "rewrite_query" in nodes:
        rows += _rewrites(trace)
    elif "retrieve_more" in nodes:
        rows += [_row(_("Step {n}").format(n=n), text(query)) for n, query in enumerate(_wordings(trace)[1:], 1)]
    rows += [_row(_("Note"), text(w), muted=True) for w in dict.fromkeys(trace.warnings)]
    return f'<div class="q">{"".join(rows)}</div>'


def _row(name: str, markup: str, *, muted: bool = False) -> str:
    style = ' class="wait"' if muted else ""
    return f"<span>{text(name)}</span><div{style}>{markup}</div>"


def _route(trace: Trace) -> str:
    route = trace.state.route
    if route is None:
        return verdict("busy", _("choosing")) if not trace.ended else text(_("Not chosen."))
    score = "" if route.score is None else f" {route.score:.2f}"
    kind = "unclear" if route.error else "web" if route.target == "web search" else "plain"
    return f"{verdict(kind, target_name(route.target) + score)} {text(route.error or route.reason)}"


def _understood(trace: Trace) -> str:
    """Show the question made to stand alone, with the changed words marked, and the reason."""
    reason = " ".join([_("Made to stand alone, because questions went before it."), _notes(trace).get(1, "")])
    return f'{changed(trace.head.question, trace.state.condensed)}<div class="note">{text(reason)}</div>'


def _wordings(trace: Trace) -> list[str]:
    """Return every query that was searched for, the first one in words that stand alone."""
    return trace.queries[1:] if trace.state.condensed else trace.queries


def _rewrites(trace: Trace) -> list[str]:
    queries, notes = _wordings(trace), rewrite_notes(trace)
    rows = []
    for n, (before, after) in enumerate(pairwise(queries), 1):
        note = f'<div class="note">{text(notes[n - 1])}</div>' if notes[n - 1] else ""
        rows.append(_row(_("Rewrite {n}").format(n=n), changed(before, after) + note))
    if trace.active == "rewrite_query":
        rows.append(_row(_("Rewrite {n}").format(n=len(queries)), verdict("busy", _("being written"))))
    elif len(queries) < 2:
        words = _("None so far. Changed words are marked here.")
        if trace.ended:
            words = _("None.") if trace.stop_reason in ("failed", "stopped") else _("None was needed.")
        rows.append(_row(_("Rewrites"), text(words), muted=True))
    return rows


def rewrite_notes(trace: Trace) -> list[str]:
    """Return what the rewriter said about each rewritten query, "" where it said nothing; and which queries came from no
    node."""
    said, first = _notes(trace), 2 if trace.state.condensed else 1
    return [said.get(n, _("Written by hand.")) for n in range(first, len(trace.queries))]


def _notes(trace: Trace) -> dict[int, str]:
    """Return what the node that wrote each query said of it, by the query's place."""
    return {
        len(v.before.queries): " ".join(v.after.notes[len(v.before.notes) :])
        for v in trace.visits
        if v.after and len(v.after.queries) > len(v.before.queries)
    }


def changed(before: str, after: str) -> str:
    """Show `after` with the words that are new marked, and those that went struck out."""
    return difference_html(word_difference(before, after))


def difference_html(pieces: Iterable[tuple[str, str]]) -> str:
    """Show the pieces of a difference: what went struck out, what came marked."""
    markup = "".join(_piece(kind, piece) for kind, piece in pieces)
    return markup.replace("</del><ins", "</del> <ins")


def _piece(kind: str, piece: str) -> str:
    # text() trims; the spaces between the pieces must stay
    left, right = piece[: len(piece) - len(piece.lstrip())], piece[len(piece.rstrip()) :]
    tag = {"gone": "del", "came": "ins"}.get(kind)
    body = f'<{tag} class="w">{text(piece)}</{tag}>' if tag and piece.strip() else text(piece)
    return f"{' ' if left else ''}{body}{' ' if right and piece.strip() else ''}"
