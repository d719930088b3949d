"""Lines of the Ask page that speak of what is not shown: the strategy chosen for next time, an empty library."""

from __future__ import annotations

from functools import partial

import streamlit as st

from rag_graphs import Strategy
from rag_graphs.ui.asking import wish
from rag_graphs.ui.first_start import load_samples
from rag_graphs.ui.render import markdown, text
from rag_graphs.ui.shown import Shown, show_none
from rag_graphs.ui.text import _


def other_strategy_note(run: Shown | None, chosen: Strategy, shown: Strategy) -> None:
    """The toggle chooses the next run's strategy; the run that is shown keeps its own. Say so where the two differ."""
    if run is None or chosen.key == shown.key:
        return
    words = _("Below is a run of {shown}. {chosen} is chosen for the next one.")
    said = words.format(shown=shown.short_title, chosen=chosen.short_title)
    with st.container(horizontal=True, vertical_alignment="center", key="other_strategy"):
        st.markdown(f'<div class="hint">{text(said)}</div>', unsafe_allow_html=True)
        if run.live is None:
            label = _("Ask {chosen} the same").format(chosen=chosen.short_title)
            st.button(markdown(label), icon=":material/arrow_forward:", on_click=partial(wish, run.question))


def empty_library_note(run: Shown | None, sources: int) -> None:
    """A recorded run can be watched without a library; a question of one's own then finds nothing."""
    if run is None or sources or run.live is not None:
        return
    said = _("Your library is still empty: a question of your own would find nothing in it.")
    with st.container(horizontal=True, vertical_alignment="center", key="empty_library"):
        st.markdown(f'<div class="hint">{text(said)}</div>', unsafe_allow_html=True)
        st.button(_("Load the sample library"), icon=":material/download:", key="load_samples", on_click=_load_samples)
        st.button(_("Other ways to begin"), type="tertiary", key="begin", on_click=show_none)


def _load_samples() -> None:
    load_samples()
    show_none()


def new_question_button(run: Shown | None) -> None:
    """The way back from a run to the suggested questions."""
    if run is not None and run.live is None:
        st.button(_("New question"), icon=":material/add:", type="tertiary", key="new", on_click=_new_question)


def _new_question() -> None:
    st.session_state.question = ""
    show_none()
