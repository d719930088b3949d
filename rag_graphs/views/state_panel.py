"""Draw the panel State: what each node changed, before and after."""

from __future__ import annotations

from dataclasses import fields
from typing import Any

from rag_graphs.graphs.state import (
    Answer,
    Complexity,
    Decision,
    Document,
    Evaluation,
    Grade,
    JudgedDraft,
    Link,
    RagState,
    Route,
    Seen,
    Strip,
)
from rag_graphs.runs.trace import Trace, Visit
from rag_graphs.views.node_words import node_name
from rag_graphs.views.render import empty, text
from rag_graphs.views.translation import _, plural

LONGEST = 240
MOST_SHOWN = 6


def state_html(trace: Trace | None) -> str:
    """Draw the whole panel: a section for each node, the last one open."""
    if trace is None or not trace.visits:
        return empty(_("The state of the run before and after each node is shown here, with what changed."))
    visits = trace.visits
    return f'<div class="sts">{"".join(_section(v, opened=v is visits[-1]) for v in reversed(visits))}</div>'


def _section(visit: Visit, *, opened: bool) -> str:
    title = f"{visit.index + 1} {node_name(visit.node)}"
    if visit.after is None:
        body, names = empty(_("Running: what it changes is known when it ends.")), _("running")
    else:
        differences = changes(visit.before, visit.after)
        names = ", ".join(name for name, _before, _after in differences) or _("nothing changed")
        body = "".join(_row(*d) for d in differences) + _unchanged(visit.before, {d[0] for d in differences})
    flag = " open" if opened else ""
    return (
        f'<details class="st"{flag}><summary><b>{text(title)}</b> <span class="m">{text(names)}</span></summary>'
        f'<div class="sg">{body}</div></details>'
    )


def changes(before: RagState, after: RagState) -> list[tuple[str, Any, Any]]:
    """Return (field, value before, value after) of every field that changed."""
    pairs = ((f.name, getattr(before, f.name), getattr(after, f.name)) for f in fields(RagState))
    return [(name, a, b) for name, a, b in pairs if a != b]


def _row(name: str, before: Any, after: Any) -> str:
    old, new, same = before, after, ""
    if isinstance(before, list) and isinstance(after, list):
        kept = [v for v in before if v in after]
        old, new = [v for v in before if v not in kept], [v for v in after if v not in kept]
        same = plural(len(kept), "and {n} as before", "and {n} as before") if kept else ""
    gone = f'<div><del class="w">{brief(old)}</del></div>' if old or not same else ""
    came = f'<div><ins class="w">{brief(new)}</ins></div>' if new or not same else ""
    return f'<code>{text(name)}</code><div>{gone}{came}<span class="m">{text(same)}</span></div>'


def _unchanged(state: RagState, changed: set[str]) -> str:
    """Return the fields that the node left alone and that hold something."""
    same = [
        f.name for f in fields(RagState) if f.name not in changed and getattr(state, f.name) not in ("", [], None, 0)
    ]
    rows = "".join(f"<code>{text(name)}</code><div>{brief(getattr(state, name))}</div>" for name in same)
    if not rows:
        return ""
    title = plural(len(same), "{n} field unchanged", "{n} fields unchanged")
    return f'<details class="same"><summary>{text(title)}</summary><div class="sg">{rows}</div></details>'


def brief(value: Any) -> str:
    """Write a value of the state, short enough to be read at a glance, as HTML."""
    if isinstance(value, list):
        if not value:
            return text(_("empty"))
        shown = "<br>".join(_one(v) for v in value[:MOST_SHOWN])
        more = plural(len(value) - MOST_SHOWN, "and {n} more", "and {n} more") if len(value) > MOST_SHOWN else ""
        return f"{shown}<br>{text(more)}" if more else shown
    return _one(value)


def _one(value: Any) -> str:
    if value is None or value == "":
        return text(_("empty"))
    return text(_words(value), LONGEST)


def _words(value: Any) -> str:
    if isinstance(value, Document):
        return value.title or value.id
    if isinstance(value, Seen):
        verdict = value.grade.label if value.grade else _("not graded")
        return f"{value.document.title or value.document.id} ({verdict})"
    if isinstance(value, Grade):
        score = "" if value.score is None else f" {value.score:.2f}"
        return f"{value.label}{score}"
    if isinstance(value, Route):
        return f"{value.target} ({value.error or value.reason})"
    if isinstance(value, Answer):
        grades = [_words(g) for g in (value.grounded, value.useful) if g]
        return f"{value.kind}: {_short(value.text)}" + (f" ({', '.join(grades)})" if grades else "")
    return _rarer(value)


def _rarer(value: Any) -> str:
    """Write a value that only some strategies have in their state."""
    if isinstance(value, Decision | Complexity | Evaluation):
        return _judgement(value)
    if isinstance(value, Strip):
        score = _("no score") if value.score is None else f"{value.score:.2f}"
        kept = _("kept") if value.kept else _("dropped")
        return f"{value.document} {value.start}–{value.end}: {score}, {kept}"
    if isinstance(value, JudgedDraft):
        grades = ", ".join(_words(g) for g in (value.relevance, value.support, value.use))
        return f"{_short(value.text)} ({grades})"
    if isinstance(value, Link):
        found = plural(len(value.found), "{n} found", "{n} found")
        return f"{_short(value.query)}: {found}, {len(value.new)} {_('new')}. {_short(value.sentence)}"
    return str(value)


def _judgement(value: Decision | Complexity | Evaluation) -> str:
    if isinstance(value, Evaluation):
        limits = value.thresholds
        return f"{value.action} (> {limits.upper:g}, < {limits.lower:g})"
    if isinstance(value, Complexity):
        return f"{value.label} ({value.error or value.reason})"
    likely = "" if value.probability is None else f" {value.probability:.2f}"
    words = _("retrieve") if value.retrieve else _("no retrieval")
    return f"{words}{likely} ({value.error or value.reason})"


def _short(words: str) -> str:
    return words if len(words) <= 80 else words[:79] + "…"
