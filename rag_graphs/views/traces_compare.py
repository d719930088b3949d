"""A what-if beside its parent: what both share, where they part, both paths, what became of the answer, the figures."""

from __future__ import annotations

from rag_graphs.graphs.strategies import get_strategy
from rag_graphs.runs.comparison import Comparison, Side, compare
from rag_graphs.runs.trace import Trace
from rag_graphs.settings import Settings
from rag_graphs.views.diagram import draw, marks
from rag_graphs.views.diagram_settings import settings_of
from rag_graphs.views.node_words import node_name
from rag_graphs.views.render import empty, heading, text
from rag_graphs.views.timeline import calls, duration
from rag_graphs.views.traces_change import change_words
from rag_graphs.views.traces_words import strategy_title
from rag_graphs.views.translation import _, plural
from rag_graphs.views.verdict_words import stop_chip_html


def compare_html(parent: Trace, child: Trace, settings: Settings) -> str:
    """The whole view, on one line."""
    found = compare(parent, child)
    said = change_words(parent, child, found)
    sides = _side(_("The run"), parent, found, found.parent, settings, "parent") + _side(
        _("The what-if"), child, found, found.child, settings, "child"
    )
    return (
        f'<div class="x cmp">{_now(found, said)}<div class="sides">{sides}</div>'
        f"{_answers(parent, child, found)}{_queries(found)}</div>"
    )


def _now(found: Comparison, said: list[str]) -> str:
    """Where they part and what was changed, in a sentence."""
    where = _("They part after step {n}, {node}").format(n=len(found.path), node=node_name(found.parted_at))
    if not found.path:
        where = _("They part at the start")
    what = "; ".join(said) or _("nothing was changed")
    return f'<div class="now" role="status"><b>{text(where)}&#58;</b> <span>{text(what)}</span></div>'


def _side(title: str, trace: Trace, found: Comparison, side: Side, settings: Settings, prefix: str) -> str:
    strategy = get_strategy(trace.head.strategy)
    chip = stop_chip_html(trace.stop_reason or "", strategy_title(trace.head.strategy))
    shared = marks(trace).sharing(found.path, found.edges, side.path, side.edges)
    picture = draw(strategy, settings_of(trace, settings), shared, way="compact", prefix=prefix)
    return (
        f'<section class="side" aria-label="{text(title)}"><div class="ct"><b>{text(title)}</b>{chip}</div>'
        f'<div class="figs">{_figures(side, found)}</div><div class="rg-panel">{picture}</div>'
        f"{_path(found, side)}</section>"
    )


def _figures(side: Side, found: Comparison) -> str:
    steps = len(found.path) + len(side.path)
    parts = [
        duration(side.seconds),
        plural(steps, "{n} step", "{n} steps"),
        calls(side.llm_calls),
        plural(len(side.documents), "from {n} document", "from {n} documents"),
    ]
    return "".join(f"<span>{text(p)}</span>" for p in parts)


def _path(found: Comparison, side: Side) -> str:
    """The steps in order: those that both share are grey."""
    rows = [f'<li class="sh">{text(node_name(node))}</li>' for node in found.path]
    rows.append(f'<li class="part">{text(_("here they part"))}</li>')
    rows += [f"<li>{text(node_name(node))}</li>" for node in side.path] or [f"<li>{text(_('nothing more'))}</li>"]
    label = text(_("The path. Steps that both runs share are grey."))
    return f'<ol class="path" aria-label="{label}">{"".join(rows)}</ol>'


def _answers(parent: Trace, child: Trace, found: Comparison) -> str:
    """The child's answer against its parent's, word by word."""
    top = heading(_("The answer"), _("what went is struck out, what came is underlined"))
    if not parent.text and not child.text:
        return top + empty(_("Neither has an answer."))
    if parent.text == child.text:
        return heading(_("The answer"), _("the same in both")) + f'<div class="answer small">{text(child.text)}</div>'
    return top + f'<div class="answer small">{"".join(_piece(kind, piece) for kind, piece in found.answer)}</div>'


def _piece(kind: str, piece: str) -> str:
    # text() trims; the spaces between the pieces must stay
    left, right = piece[: len(piece) - len(piece.lstrip())], piece[len(piece.rstrip()) :]
    tag = {"gone": "del", "came": "ins"}.get(kind)
    body = f'<{tag} class="w">{text(piece)}</{tag}>' if tag and piece.strip() else text(piece)
    return f"{' ' if left else ''}{body}{' ' if right and piece.strip() else ''}"


def _queries(found: Comparison) -> str:
    if found.parent.queries == found.child.queries:
        return ""
    names = (_("The run"), _("The what-if"))
    rows = "".join(
        f"<span>{text(name)}</span><div>{'<br>'.join(text(q) for q in side.queries)}</div>"
        for name, side in zip(names, (found.parent, found.child), strict=True)
    )
    return heading(_("Queries")) + f'<div class="q">{rows}</div>'
