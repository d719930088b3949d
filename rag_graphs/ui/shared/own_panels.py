"""The panel that a strategy has to itself: drafts, refinement or chain. It is the first of the tabs.

Its sliders try other weights and thresholds on what was recorded: they ask no model. They appear once there is something to
move, so a page that follows a run is drawn anew at that moment (`outgrown`).
"""

from __future__ import annotations

from collections.abc import Collection
from typing import Protocol

from streamlit.delta_generator import DeltaGenerator

from rag_graphs import Trace
from rag_graphs.ui.shared.drafts_panel import DraftsPanel
from rag_graphs.ui.shared.refinement_panel import RefinementPanel
from rag_graphs.ui.shared.slot import Slot
from rag_graphs.views.chain_panel import chain_html
from rag_graphs.views.documents_seen import Found, numbers
from rag_graphs.views.translation import _


class OwnPanel(Protocol):
    """What the page needs of it."""

    def draw(self, trace: Trace | None, entries: list[Found]) -> None: ...

    def outgrown(self, trace: Trace) -> bool: ...


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
