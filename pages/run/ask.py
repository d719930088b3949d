"""Ask one strategy a question and watch its graph run."""

import streamlit as st

from rag_graphs import Trace, get_strategy
from rag_graphs.ui import ask_notes, asking, session
from rag_graphs.ui.ask_panels import Panels, Stage
from rag_graphs.ui.first_start import first_start
from rag_graphs.ui.follow import follow
from rag_graphs.ui.scrubber import scrubber
from rag_graphs.ui.setup_popover import setup_popover
from rag_graphs.ui.shown import shown
from rag_graphs.ui.sources_loading import load_panel, work
from rag_graphs.ui.suggestions import suggestion_pills, suggestions

asking.start_wished()
run = shown()
live = run.live if run else None
trace = run.trace if run else None
loading = load_panel() if run is None else None
sources = session.workspace().library.sources(session.source_ids())

if run is None and not sources:
    first_start()
else:
    with st.container(horizontal=True, horizontal_alignment="distribute", vertical_alignment="center", key="toprow"):
        chosen = asking.strategy_toggle()
        setup_popover(sources, run)
    asking.question_box(run)

    strategy = get_strategy(run.strategy) if run else chosen
    ask_notes.other_strategy_note(run, chosen, strategy)
    stage = Stage(strategy, session.settings())
    step = scrubber(trace) if trace and live is None else None
    ask_notes.empty_library_note(run, len(sources))
    panels = Panels(strategy, session.settings().pace)

    def draw(known: Trace | None) -> None:
        stage.draw(known, step)
        panels.draw(step.trace if step else known)

    draw(trace)
    if live is not None:
        follow(live, draw)
        st.rerun()
    with panels.below_answer if run is None else panels.below_tabs:
        suggestion_pills(suggestions(chosen, sources))
work(loading)
