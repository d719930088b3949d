"""The panel that a strategy has to itself: drafts, refinement or chain. It is the first of the tabs.

Its sliders try other weights and thresholds on what was recorded: they ask no model. They appear once there is something to
move, so a page that follows a run is drawn anew at that moment (`outgrown`).
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import asdict
from typing import Protocol

from streamlit.delta_generator import DeltaGenerator

from rag_graphs import Thresholds, Trace, Weights, drafts_of, other_thresholds, refinement_of
from rag_graphs.ui.shared.empty_places import place
from rag_graphs.ui.shared.slot import Slot
from rag_graphs.ui.shared.trial import trial
from rag_graphs.views.chain_panel import chain_html
from rag_graphs.views.documents_seen import Found, numbers
from rag_graphs.views.drafts_panel import drafts_html, head_html
from rag_graphs.views.refinement_panel import action_html, strips_html
from rag_graphs.views.translation import _


class OwnPanel(Protocol):
    """What the page needs of it."""

    def draw(self, trace: Trace | None, entries: list[Found]) -> None:
        """Draw what is known by now, under the numbers that the sliders show."""

    def outgrown(self, trace: Trace) -> bool:
        """Is there something to move that was not there when the page was drawn?"""


def title_of(nodes: Collection[str]) -> str:
    """The title of the panel that a graph with these nodes has to itself, or ''."""
    known = {
        "draft_answers": _("Drafts"),
        "evaluate_retrieval": _("Refinement"),
        "classify_complexity": _("Chain"),
    }
    return next((title for node, title in known.items() if node in nodes), "")


def own_panel(nodes: Collection[str], home: DeltaGenerator, trace: Trace | None) -> OwnPanel:
    """Make the panel in its tab, with the sliders for what is recorded by now."""
    if "draft_answers" in nodes:
        return DraftsPanel(home, trace)
    if "evaluate_retrieval" in nodes:
        return RefinementPanel(home, trace)
    return ChainPanel(home)


class DraftsPanel:
    """A card for each draft, and above them a slider for each weight once there are drafts to rank."""

    def __init__(self, home: DeltaGenerator, trace: Trace | None) -> None:
        self._names = weight_names(trace)
        self._head = Slot(home.container())
        with place(bool(self._names), home):
            self._weights = _weight_sliders(trace, self._names) if trace and self._names else None
        self._cards = Slot(home.container())

    def draw(self, trace: Trace | None, entries: list[Found]) -> None:
        self._head.draw(head_html(trace))
        self._cards.draw(drafts_html(trace, self._weights, entries))

    def outgrown(self, trace: Trace) -> bool:
        return weight_names(trace).keys() != self._names.keys()


class RefinementPanel:
    """The score axis, a slider for each threshold once they are known, and the documents with their strips in place."""

    def __init__(self, home: DeltaGenerator, trace: Trace | None) -> None:
        self._names = threshold_names(trace)
        self._action = Slot(home.container())
        with place(bool(self._names), home):
            self._tried = _threshold_sliders(trace, self._names) if trace and self._names else None
        self._strips = Slot(home.container())

    def draw(self, trace: Trace | None, entries: list[Found]) -> None:
        self._action.draw(action_html(trace, self._tried, entries))
        self._strips.draw(strips_html(trace, self._tried, entries))

    def outgrown(self, trace: Trace) -> bool:
        return threshold_names(trace).keys() != self._names.keys()


class ChainPanel:
    """The chain, which has nothing to move."""

    def __init__(self, home: DeltaGenerator) -> None:
        self._slot = Slot(home.container())
        # another strategy's panel may have stood here: its sliders and its cards go at once
        home.empty()
        home.empty()

    def draw(self, trace: Trace | None, entries: list[Found]) -> None:
        self._slot.draw(chain_html(trace, numbers(entries)))

    def outgrown(self, trace: Trace) -> bool:
        return False


def weight_names(trace: Trace | None) -> dict[str, str]:
    """Return the weights that make a difference to the drafts by now, with what each is called."""
    drafts = drafts_of(trace) if trace else None
    if drafts is None or not drafts.landed:
        return {}
    names = {"relevance": _("Relevance (ISREL)"), "support": _("Support (ISSUP)"), "use": _("Use (ISUSE)")}
    if any(draft.likelihood is not None for draft in drafts.landed):
        names["likelihood"] = _("Text probability")
    return names


def _weight_sliders(trace: Trace, names: dict[str, str]) -> Weights:
    drafts = drafts_of(trace)
    assert drafts is not None
    title, back = _("Other weights for the same drafts"), _("Back to the run’s weights")
    return Weights(**trial(title, back, trace.head.run_id, asdict(drafts.weights), names, high=5.0, step=0.05))


def threshold_names(trace: Trace | None) -> dict[str, str]:
    """Return the thresholds that make a difference by now, with what each is called."""
    known = refinement_of(trace) if trace else None
    if known is None or known.evaluation is None:
        return {}
    names = {"upper": _("Upper: correct above it"), "lower": _("Lower: incorrect below it")}
    if known.strips:
        names["strip"] = _("Strips: kept from it on")
    return names


def _threshold_sliders(trace: Trace, names: dict[str, str]) -> Thresholds:
    known = refinement_of(trace)
    assert known is not None
    assert known.evaluation is not None
    limits = known.evaluation.thresholds
    own = {"upper": limits.upper, "lower": limits.lower, "strip": limits.strip}
    title, back = _("Other thresholds for the same scores"), _("Back to the run’s thresholds")
    return other_thresholds(limits, **trial(title, back, trace.head.run_id, own, names, high=1.0, step=0.01))
