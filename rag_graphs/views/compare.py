"""Draw a what-if beside its parent: what both share, where they part, both paths, both answers, the figures."""

from __future__ import annotations

from collections.abc import Iterator

from rag_graphs.graphs.state import Document, RagState
from rag_graphs.graphs.strategies import get_strategy
from rag_graphs.runs.comparison import Comparison, Side, compare
from rag_graphs.runs.trace import Trace
from rag_graphs.settings import Settings
from rag_graphs.views.diagram import draw, marks
from rag_graphs.views.diagram_settings import settings_of
from rag_graphs.views.node_words import node_name
from rag_graphs.views.queries import difference_html
from rag_graphs.views.render import empty, heading, text
from rag_graphs.views.runs_list import strategy_title
from rag_graphs.views.timeline import calls, duration
from rag_graphs.views.translation import _, plural
from rag_graphs.views.verdict_words import stop_chip_html, target_name


def compare_html(parent: Trace, child: Trace, settings: Settings) -> str:
    """Draw the whole comparison, on one line."""
    comparison = compare(parent, child)
    changes = change_words(parent, child, comparison)
    sides = _side(_("The run"), parent, comparison, comparison.parent, settings, "parent") + _side(
        _("The what-if"), child, comparison, comparison.child, settings, "child"
    )
    return (
        f'<div class="x cmp">{_now(comparison, changes)}<div class="sides">{sides}</div>'
        f"{_answers(parent, child, comparison)}{_queries(comparison)}</div>"
    )


def _now(comparison: Comparison, changes: list[str]) -> str:
    """Say in a sentence where the runs part and what was changed."""
    where = _("They part after step {n}, {node}").format(n=len(comparison.path), node=node_name(comparison.parted_at))
    if not comparison.path:
        where = _("They part at the start")
    what = "; ".join(changes) or _("nothing was changed")
    return f'<div class="now" role="status"><b>{text(where)}&#58;</b> <span>{text(what)}</span></div>'


def _side(title: str, trace: Trace, comparison: Comparison, side: Side, settings: Settings, prefix: str) -> str:
    strategy = get_strategy(trace.head.strategy)
    chip = stop_chip_html(trace.stop_reason or "", strategy_title(trace.head.strategy))
    shared = marks(trace).sharing(comparison.path, comparison.edges, side.path, side.edges)
    picture = draw(strategy, settings_of(trace, settings), shared, way="compact", prefix=prefix)
    return (
        f'<section class="side" aria-label="{text(title)}"><div class="ct"><b>{text(title)}</b>{chip}</div>'
        f'<div class="figs">{_figures(side, comparison)}</div><div class="rg-panel">{picture}</div>'
        f"{_path(comparison, side)}</section>"
    )


def _figures(side: Side, comparison: Comparison) -> str:
    steps = len(comparison.path) + len(side.path)
    parts = [
        duration(side.seconds),
        plural(steps, "{n} step", "{n} steps"),
        calls(side.llm_calls),
        plural(len(side.documents), "from {n} document", "from {n} documents"),
    ]
    return "".join(f"<span>{text(p)}</span>" for p in parts)


def _path(comparison: Comparison, side: Side) -> str:
    """List the steps in order; those that both runs share are grey."""
    rows = [f'<li class="sh">{text(node_name(node))}</li>' for node in comparison.path]
    rows.append(f'<li class="part">{text(_("here they part"))}</li>')
    rows += [f"<li>{text(node_name(node))}</li>" for node in side.path] or [f"<li>{text(_('nothing more'))}</li>"]
    label = text(_("The path. Steps that both runs share are grey."))
    return f'<ol class="path" aria-label="{label}">{"".join(rows)}</ol>'


def _answers(parent: Trace, child: Trace, comparison: Comparison) -> str:
    """Show the child's answer against its parent's, word by word."""
    top = heading(_("The answer"), _("what went is struck out, what came is underlined"))
    if not parent.text and not child.text:
        return top + empty(_("Neither has an answer."))
    if parent.text == child.text:
        return heading(_("The answer"), _("the same in both")) + f'<div class="answer small">{text(child.text)}</div>'
    return top + f'<div class="answer small">{difference_html(comparison.answer)}</div>'


def _queries(comparison: Comparison) -> str:
    if comparison.parent.queries == comparison.child.queries:
        return ""
    names = (_("The run"), _("The what-if"))
    rows = "".join(
        f"<span>{text(name)}</span><div>{'<br>'.join(text(q) for q in side.queries)}</div>"
        for name, side in zip(names, (comparison.parent, comparison.child), strict=True)
    )
    return heading(_("Queries")) + f'<div class="q">{rows}</div>'


def change_words(parent: Trace, child: Trace, comparison: Comparison) -> list[str]:
    """Return each change in a few words; empty where nothing was changed."""
    shared = len(comparison.path)
    before, after = _state_after(parent, shared), _state_after(child, shared)
    words = [*_changed_query(before, after), *_changed_route(before, after), *_changed_relevance(before, after)]
    words += _changed_documents(before, after) if not words else []
    words += [*_changed_verdicts(before, after), *_changed_answer(before, after)]
    if not words and comparison.related and comparison.changed:
        words.append(_("another {fields}").format(fields=", ".join(comparison.changed)))
    return words


def _state_after(trace: Trace, shared: int) -> RagState:
    """Return the state after the last shared node, with what was changed there."""
    return trace.visits[shared].before if shared < len(trace.visits) else trace.state


def _changed_query(before: RagState, after: RagState) -> Iterator[str]:
    if after.query != before.query:
        yield _("the query is “{query}”").format(query=after.query)


def _changed_route(before: RagState, after: RagState) -> Iterator[str]:
    if after.route and after.route != before.route:
        yield _("the question goes {where}").format(where=target_name(after.route.target))


def _changed_relevance(before: RagState, after: RagState) -> Iterator[str]:
    for document, old, new in zip(after.retrieved, before.relevance, after.relevance, strict=False):
        if old.passed is not new.passed:
            yield _("“{title}” is {grade}").format(title=_title_of(document), grade=_(new.label))


def _changed_documents(before: RagState, after: RagState) -> Iterator[str]:
    old, new = ({d.id: d for d in state.documents} for state in (before, after))
    for document in [d for key, d in old.items() if key not in new]:
        yield _("“{title}” is dropped").format(title=_title_of(document))
    for document in [d for key, d in new.items() if key not in old]:
        yield _("“{title}” is kept").format(title=_title_of(document))


def _changed_verdicts(before: RagState, after: RagState) -> Iterator[str]:
    for old, new in ((before.grounded, after.grounded), (before.useful, after.useful)):
        if new and (old is None or old.passed is not new.passed):
            yield _("the answer is {grade}").format(grade=_(new.label))


def _changed_answer(before: RagState, after: RagState) -> Iterator[str]:
    if after.answer != before.answer:
        yield _("another answer is written")


def _title_of(document: Document) -> str:
    return document.heading or document.title or document.source
