"""The scrubber: back and forth through a run that is over, step by step."""

from __future__ import annotations

from functools import partial

import streamlit as st

from rag_graphs import Trace
from rag_graphs.ui.shared import session, visit
from rag_graphs.ui.shared.shown import play_again, show_none
from rag_graphs.ui.shared.steps import Step, label, step_at
from rag_graphs.views.translation import _

TRACES_PAGE = "pages/inspect/traces.py"


def scrubber(trace: Trace) -> Step:
    """Draw it and return the step that is chosen: the end, until the visitor moves it."""
    last = len(trace.steps()) - 1
    chosen = visit.scrubbed(trace.head.run_id)
    at = chosen.get()
    position = last if at is None else min(at, last)
    chosen.set(position)
    with st.container(horizontal=True, vertical_alignment="center", wrap=False, key="scrubber"):
        pace = session.settings().pace
        st.button(_("Replay"), icon=":material/replay:", key="replay", on_click=partial(play_again, trace, pace))
        if last:
            back, on = partial(chosen.set, position - 1), partial(chosen.set, position + 1)
            st.button(
                _("One step back"),
                icon=":material/chevron_left:",
                key="step_back",
                on_click=back,
                disabled=position <= 0,
            )
            st.select_slider(
                _("Step"),
                range(last + 1),
                format_func=partial(label, trace),
                key=chosen.key,
                label_visibility="collapsed",
                persist_state="session",
            )
            st.button(
                _("One step on"), icon=":material/chevron_right:", key="step_on", on_click=on, disabled=position >= last
            )
        if st.button(_("What if?"), icon=":material/alt_route:", type="tertiary", key="to_traces"):
            # a change of page is nothing that a callback may do
            visit.replayed(trace.head.run_id).set(position)
            st.switch_page(TRACES_PAGE, query_params={"run": trace.head.run_id})
        st.button(_("New question"), icon=":material/add:", type="tertiary", key="new", on_click=_new_question)
    return step_at(trace, position)


def _new_question() -> None:
    visit.question.set("")
    show_none()
