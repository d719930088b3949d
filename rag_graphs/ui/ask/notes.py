"""Lines of the Ask page that speak of what is not shown: the strategy chosen for next time, an empty library."""

from __future__ import annotations

from functools import partial

import streamlit as st

from rag_graphs import Strategy
from rag_graphs.ui.ask.asking import in_words, wish
from rag_graphs.ui.ask.first_start import load_samples
from rag_graphs.ui.shared import visit
from rag_graphs.ui.shared.empty_places import place
from rag_graphs.ui.shared.shown import Shown, show_none
from rag_graphs.ui.sources.load_progress import Meter, failure_cards, load_panel
from rag_graphs.ui.sources.queue import page_state
from rag_graphs.views.diagram_settings import strategy_name
from rag_graphs.views.render import markdown, text
from rag_graphs.views.translation import _, plural


def is_loading() -> bool:
    """Does something wait to be loaded?"""
    return bool(page_state().waiting)


def loading_note(run: Shown | None) -> Meter | None:
    """The progress of a load; afterwards its results, folded away when all went well. Returns what `work` needs."""
    state = page_state()
    going = run is not None and run.live is not None
    with place(not going):
        if going:
            return None
        if state.waiting:
            return load_panel()
        if state.results and run is None:
            _loaded()
    return None


def _loaded() -> None:
    state = page_state()
    good = sum(report.ok for report in state.results.values())
    said = plural(good, "{n} source loaded", "{n} sources loaded")
    if bad := len(state.results) - good:
        said += ", " + plural(bad, "{n} could not be loaded", "{n} could not be loaded")
    with st.expander(said, expanded=bad > 0, icon=":material/error:" if bad else ":material/check:"):
        load_panel()
        failure_cards()


def other_strategy_note(run: Shown | None, chosen: Strategy, shown: Strategy) -> None:
    """The toggle chooses the next run's strategy; the run that is shown keeps its own. Say so where the two differ."""
    different = run is not None and chosen.key != shown.key
    with place(different):
        if run is not None and different:
            _different(run, chosen, shown)


def _different(run: Shown, chosen: Strategy, shown: Strategy) -> None:
    words = _("Below is a run of {shown}. {chosen} is chosen for the next one.")
    said = words.format(shown=strategy_name(shown), chosen=strategy_name(chosen))
    with st.container(horizontal=True, vertical_alignment="center", key="other_strategy"):
        st.markdown(f'<div class="hint">{text(said)}</div>', unsafe_allow_html=True)
        if run.live is None:
            label = _("Ask {chosen} the same").format(chosen=strategy_name(chosen))
            st.button(markdown(label), icon=":material/arrow_forward:", on_click=partial(wish, run.question))


def only_now_note(run: Shown | None) -> None:
    """A suggested question may bring settings that hold for its run alone. Say which, below the set-up that differs."""
    run_id, changed = visit.only_now.get()
    here = run is not None and run.run_id == run_id and bool(changed)
    with place(here):
        if here:
            said = _("For this run only: {changes}. Your own set-up holds for what you ask next.")
            line = text(said.format(changes=in_words(changed)))
            st.markdown(f'<div class="hint">{line}</div>', unsafe_allow_html=True)


def empty_library_note(run: Shown | None, sources: int) -> None:
    """A recorded run can be watched without a library; a question of one's own then finds nothing."""
    wanted = run is not None and not sources and run.live is None
    with place(wanted):
        if wanted:
            _empty_library()


def _empty_library() -> None:
    said = _("Your library is still empty: a question of your own would find nothing in it.")
    with st.container(horizontal=True, vertical_alignment="center", key="empty_library"):
        st.markdown(f'<div class="hint">{text(said)}</div>', unsafe_allow_html=True)
        st.button(_("Load the sample library"), icon=":material/download:", key="load_samples", on_click=_load_samples)
        st.button(_("Other ways to begin"), type="tertiary", key="begin", on_click=show_none)


def _load_samples() -> None:
    load_samples()
    show_none()
