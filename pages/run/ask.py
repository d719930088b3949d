"""Ask one strategy a question and watch its graph run."""

import streamlit as st

from rag_graphs import Trace, get_strategy
from rag_graphs.ui.ask import asking, conversation, notes, stepping
from rag_graphs.ui.ask.conversation_panel import asked_html, conversation_panel, conversation_toggle
from rag_graphs.ui.ask.first_start import first_start
from rag_graphs.ui.ask.local_note import local_note
from rag_graphs.ui.ask.panels import Panels, Stage
from rag_graphs.ui.ask.scrubber import scrubber
from rag_graphs.ui.ask.setup_popover import setup_popover
from rag_graphs.ui.ask.strategy_choice import strategy_toggle
from rag_graphs.ui.ask.suggestions import suggestion_pills, suggestions
from rag_graphs.ui.shared import session, visit
from rag_graphs.ui.shared.places import place
from rag_graphs.ui.shared.shown import shown
from rag_graphs.ui.shared.slot import Slot
from rag_graphs.ui.sources.loading import work
from rag_graphs.views.follow import follow

conversation.follow_address()
asking.start_wished()
run = shown()
live = run.live if run else None
over = run.trace if run and live is None else None
sources = session.workspace().library.sources(session.source_ids())
newcomer = run is None and not sources and not notes.is_loading()

with place(live is None):
    loading = notes.loading_note(run) if live is None else None
with place(newcomer):
    if newcomer:
        first_start()
if not newcomer:
    with st.container(horizontal=True, horizontal_alignment="distribute", vertical_alignment="center", key="toprow"):
        chosen = strategy_toggle(run.strategy if run else "")
        with st.container(horizontal=True, vertical_alignment="center", width="content", key="next_run"):
            conversation_toggle()
            setup_popover(sources, run)
    conversation_panel(run)
    asking.question_box(run)
    asked = Slot(st.container(key="asked"))

    strategy = get_strategy(run.strategy) if run else chosen
    notes.other_strategy_note(run, chosen, strategy)
    notes.only_now_note(run)
    local_note(chosen)
    coming = conversation.next_settings()
    stage = Stage(strategy, coming, running=live is not None)
    with place(over is not None):
        step = scrubber(over) if over else None
    with place(stepping.is_stepping(run)):
        if run is not None and stepping.is_stepping(run):
            stepping.step_bar(run)
    notes.empty_library_note(run, len(sources))
    panels = Panels(strategy, coming, step.trace if step else run.trace if run else None)

    def draw(known: Trace | None) -> None:
        stage.draw(known, step)
        asked.draw(asked_html(step.trace if step else known, visit.question.get()))
        panels.draw(step.trace if step else known)

    draw(run.trace if run else None)
    with place(run is None, panels.below_answer):
        if run is None:
            suggestion_pills(suggestions(chosen, sources))
    with place(over is not None, panels.below_tabs):
        if over is not None:
            suggestion_pills(suggestions(chosen, sources))
    if live is not None:
        moved = stepping.moved_from(run)
        follow(live, draw, until=lambda known: moved(known) or panels.outgrown(known), known=run.trace if run else None)
        st.rerun()
work(loading)
