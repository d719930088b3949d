"""The steps of a run that is over, as scrubber, replay and what-if show them."""

from __future__ import annotations

from dataclasses import dataclass

from rag_graphs import Trace
from rag_graphs.views.node_words import node_name
from rag_graphs.views.translation import _


@dataclass(frozen=True, kw_only=True)
class Step:
    """A moment of a run: what was known when a node had just finished. `number` counts from 1; 0 is the end of the run.
    `stage` is the moment before, at which the node still runs: the diagram shows it lit."""

    number: int
    of: int
    trace: Trace
    stage: Trace


def step_at(trace: Trace, position: int) -> Step:
    """The step at a position of `trace.steps()`; the last position is the end."""
    stops = trace.steps()
    total = len(stops) - 1
    if position >= total:
        return Step(number=0, of=total, trace=trace, stage=trace)
    stop = stops[max(0, position)]
    return Step(number=max(0, position) + 1, of=total, trace=trace.upto(stop), stage=trace.upto(stop - 1))


def label(trace: Trace, position: int) -> str:
    """3 Rewrite query; the last one is End."""
    total = len(trace.steps()) - 1
    return _("End") if position >= total else f"{position + 1} {node_name(trace.path[position])}"
