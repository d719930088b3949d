"""Ask one strategy a question and watch its graph run."""

import streamlit as st

from rag_graphs.ui.ask import asking, chosen_conversation, notes
from rag_graphs.ui.ask.conversation_panel import conversation_panel, conversation_toggle
from rag_graphs.ui.ask.first_start import first_start
from rag_graphs.ui.ask.setup_popover import setup_popover
from rag_graphs.ui.ask.strategy_choice import strategy_toggle
from rag_graphs.ui.ask.watching import watch
from rag_graphs.ui.shared import session
from rag_graphs.ui.shared.empty_places import place
from rag_graphs.ui.shared.shown import shown
from rag_graphs.ui.sources.load_progress import work

chosen_conversation.follow_address()
asking.start_wished()
run = shown()
sources = session.workspace().library.sources(session.source_ids())
newcomer = run is None and not sources and not notes.is_loading()

loading = notes.loading_note(run)
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
    watch(run, chosen, sources)
work(loading)
