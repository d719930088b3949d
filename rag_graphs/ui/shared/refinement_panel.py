"""The panel Refinement: the evaluator's scores between its two thresholds, the action, and what was kept of each document.
Other thresholds are tried on the recorded scores."""

from __future__ import annotations

from streamlit.delta_generator import DeltaGenerator

from rag_graphs import Thresholds, Trace, other_thresholds, refinement_of
from rag_graphs.ui.shared.places import place
from rag_graphs.ui.shared.slot import Slot
from rag_graphs.ui.shared.trial import trial
from rag_graphs.views.documents_seen import Found
from rag_graphs.views.refinement_words import action_html, strips_html
from rag_graphs.views.translation import _


class RefinementPanel:
    """The score axis, a slider for each threshold once they are known, and the documents with their strips in place."""

    def __init__(self, home: DeltaGenerator, trace: Trace | None) -> None:
        self._names = movable(trace)
        self._action = Slot(home.container())
        with place(bool(self._names), home):
            self._tried = _sliders(trace, self._names) if trace and self._names else None
        self._strips = Slot(home.container())

    def draw(self, trace: Trace | None, entries: list[Found]) -> None:
        """Draw what is known by now, under the thresholds that the sliders show."""
        self._action.draw(action_html(trace, self._tried, entries))
        self._strips.draw(strips_html(trace, self._tried, entries))

    def outgrown(self, trace: Trace) -> bool:
        """Is there something to move that was not there when the page was drawn?"""
        return movable(trace) != self._names


def movable(trace: Trace | None) -> tuple[str, ...]:
    """The thresholds that make a difference by now."""
    known = refinement_of(trace) if trace else None
    if known is None or known.evaluation is None:
        return ()
    return ("upper", "lower", *(["strip"] if known.strips else []))


def labels() -> dict[str, str]:
    """What each threshold is called."""
    return {
        "upper": _("Upper: correct above it"),
        "lower": _("Lower: incorrect below it"),
        "strip": _("Strips: kept from it on"),
    }


def _sliders(trace: Trace, names: tuple[str, ...]) -> Thresholds:
    known = refinement_of(trace)
    assert known is not None
    assert known.evaluation is not None
    limits = known.evaluation.thresholds
    own = {"upper": limits.upper, "lower": limits.lower, "strip": limits.strip}
    named = {name: words for name, words in labels().items() if name in names}
    title, back = _("Other thresholds for the same scores"), _("Back to the run’s thresholds")
    return other_thresholds(limits, **trial(title, back, trace.head.run_id, own, named, high=1.0, step=0.01))
