"""The run below the question box: its stage and panels, drawn until it is over; before any run, what could be asked."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import streamlit as st

from rag_graphs import Strategy, Trace, get_strategy
from rag_graphs.ui.ask import chosen_conversation, notes, stepping
from rag_graphs.ui.ask.conversation_panel import asked_html
from rag_graphs.ui.ask.local_note import local_note
from rag_graphs.ui.ask.scrubber import scrubber
from rag_graphs.ui.ask.suggestions import suggestion_pills, suggestions
from rag_graphs.ui.shared import visit
from rag_graphs.ui.shared.empty_places import place
from rag_graphs.ui.shared.follow import follow
from rag_graphs.ui.shared.panels import Panels, Stage
from rag_graphs.ui.shared.shown import Shown
from rag_graphs.ui.shared.slot import Slot

if TYPE_CHECKING:
    from rag_graphs import LoadedSource


def watch(run: Shown | None, chosen: Strategy, sources: Sequence[LoadedSource]) -> None:
    """Draw the run; one that goes on is followed, then the page is drawn anew. `chosen`: the strategy of the next run."""
    live, over, known = (run.live, run.over, run.trace) if run else (None, None, None)
    asked = Slot(st.container(key="asked"))
    strategy = get_strategy(run.strategy) if run else chosen
    notes.other_strategy_note(run, chosen, strategy)
    notes.only_now_note(run)
    local_note(chosen)
    coming = chosen_conversation.next_settings()
    stage = Stage(strategy, coming, running=live is not None)
    with place(over is not None):
        step = scrubber(over) if over else None
    stepping.step_bar(run)
    notes.empty_library_note(run, len(sources))
    panels = Panels(strategy, coming, step.trace if step else known)

    def draw(trace: Trace | None) -> None:
        seen = step.trace if step else trace
        stage.draw(trace, step)
        asked.draw(asked_html(seen, visit.question.get()))
        panels.draw(seen)

    draw(known)
    for home, wanted in ((panels.below_answer, run is None), (panels.below_tabs, over is not None)):
        with place(wanted, home):
            if wanted:
                suggestion_pills(suggestions(chosen, sources))
    if live is not None:
        moved = stepping.moved_from(run)
        follow(live, draw, until=lambda trace: moved(trace) or panels.outgrown(trace), known=known)
        st.rerun()
