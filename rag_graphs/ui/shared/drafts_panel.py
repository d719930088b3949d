"""The panel Drafts: a draft from each document, its three judgements, its score in parts, and their ranking under the run's
weights or under others."""

from __future__ import annotations

from dataclasses import asdict

from streamlit.delta_generator import DeltaGenerator

from rag_graphs import Trace, Weights, drafts_of
from rag_graphs.ui.shared.places import place
from rag_graphs.ui.shared.slot import Slot
from rag_graphs.ui.shared.trial import trial
from rag_graphs.views.documents_seen import Found
from rag_graphs.views.drafts_words import drafts_html, head_html
from rag_graphs.views.translation import _

HIGHEST = 5.0
STEP = 0.05


class DraftsPanel:
    """The cards, and above them a slider for each weight once there are drafts to rank."""

    def __init__(self, home: DeltaGenerator, trace: Trace | None) -> None:
        self._names = movable(trace)
        self._head = Slot(home.container())
        with place(bool(self._names), home):
            self._weights = _sliders(trace, self._names) if trace and self._names else None
        self._cards = Slot(home.container())

    def draw(self, trace: Trace | None, entries: list[Found]) -> None:
        """Draw what has landed by now, under the weights that the sliders show."""
        self._head.draw(head_html(trace))
        self._cards.draw(drafts_html(trace, self._weights, entries))

    def outgrown(self, trace: Trace) -> bool:
        """Is there something to move that was not there when the page was drawn?"""
        return movable(trace) != self._names


def movable(trace: Trace | None) -> tuple[str, ...]:
    """The weights that make a difference to the drafts by now."""
    drafts = drafts_of(trace) if trace else None
    if drafts is None or not drafts.landed:
        return ()
    told = any(draft.likelihood is not None for draft in drafts.landed)
    return ("relevance", "support", "use", *(["likelihood"] if told else []))


def labels() -> dict[str, str]:
    """What each weight is called."""
    return {
        "relevance": _("Relevance (ISREL)"),
        "support": _("Support (ISSUP)"),
        "use": _("Use (ISUSE)"),
        "likelihood": _("Text probability"),
    }


def _sliders(trace: Trace, names: tuple[str, ...]) -> Weights:
    drafts = drafts_of(trace)
    assert drafts is not None
    named = {name: words for name, words in labels().items() if name in names}
    title, back = _("Other weights for the same drafts"), _("Back to the run’s weights")
    own = asdict(drafts.weights)
    return Weights(**trial(title, back, trace.head.run_id, own, named, high=HIGHEST, step=STEP))
