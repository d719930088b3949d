"""Draw the panel Timeline: when each node ran, for how long, and what it cost."""

from __future__ import annotations

from rag_graphs.runs.trace import Trace, Visit
from rag_graphs.views.node_words import node_name
from rag_graphs.views.render import empty, text
from rag_graphs.views.translation import _, plural


def timeline_html(trace: Trace | None, pace: float = 0.0) -> str:
    """Draw the whole panel. `pace`: seconds for which the page shows each node at least; the times shown are the run's
    own."""
    if trace is None or not trace.visits:
        return empty(_("Each node appears here with its time, its model calls and its tokens."))
    total = max(trace.seconds, 1e-6)
    rows = "".join(_row(v, trace, total) for v in trace.visits)
    note = _("These are the run's own times.")
    if pace:
        note += " " + _("The page shows each node for at least {pace:g} s, so that it can be followed.").format(
            pace=pace
        )
    return f'<div class="tl" role="table">{rows}{_sum(trace)}</div><p class="note">{text(note)}</p>'


def _row(visit: Visit, trace: Trace, total: float) -> str:
    running = visit.seconds is None
    seconds = trace.seconds - visit.at if visit.seconds is None else visit.seconds
    left = min(99.0, 100 * visit.at / total)
    width = max(1.0, min(100 - left, 100 * seconds / total))
    name = node_name(visit.node) + (f" {visit.attempt}" if visit.attempt > 1 else "")
    now = " at" if running and not trace.ended else ""
    return (
        f'<div class="r{now}" role="row"><span class="n" role="rowheader">{text(name)}</span>'
        f'<span class="bar" aria-hidden="true"><i style="left&#58;{left:.1f}%;width&#58;{width:.1f}%"></i></span>'
        f'<span class="v" role="cell">{text(duration(seconds))}</span>'
        f'<span class="c" role="cell">{text(cost(visit.llm_calls, visit.prompt_tokens, visit.completion_tokens))}</span></div>'
    )


def _sum(trace: Trace) -> str:
    prompt = _add([v.prompt_tokens for v in trace.visits])
    completion = _add([v.completion_tokens for v in trace.visits])
    return (
        f'<div class="r sum" role="row"><span class="n" role="rowheader">{text(_("All"))}</span><span></span>'
        f'<span class="v" role="cell">{text(duration(trace.seconds))}</span>'
        f'<span class="c" role="cell">{text(cost(trace.llm_calls, prompt, completion))}</span></div>'
    )


def _add(counts: list[int | None]) -> int | None:
    return None if None in counts else sum(c for c in counts if c is not None)


def duration(seconds: float) -> str:
    """Write seconds with as many digits as tell something: 0.004 s, 0.31 s, 4.6 s."""
    if seconds < 0.01:
        return f"{seconds:.3f} s"
    return f"{seconds:.2f} s" if seconds < 1 else f"{seconds:.1f} s"


def calls(count: int) -> str:
    """Say how many model calls there were."""
    return plural(count, "{n} call", "{n} calls")


def cost(count: int, prompt: int | None, completion: int | None) -> str:
    """Say how many model calls and tokens there were. Tokens that no server counted are unknown, not 0."""
    words = calls(count)
    if not count:
        return words
    if prompt is None or completion is None:
        return _("{calls}, tokens unknown").format(calls=words)
    return _("{calls}, {n} tokens").format(calls=words, n=prompt + completion)
