"""The panel What if: what can be changed at the step that is shown, and the what-ifs that there are already."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import TYPE_CHECKING

import streamlit as st

from rag_graphs import Offer, Trace, offers_at
from rag_graphs.ui.shared import visit
from rag_graphs.ui.shared.change_offers import offer_labels, plain_offers, text_box, with_text
from rag_graphs.ui.shared.steps import Step
from rag_graphs.ui.traces.controls import go
from rag_graphs.ui.traces.fork import forks_of, wish
from rag_graphs.ui.traces.remembered import open_run
from rag_graphs.views.node_words import node_name
from rag_graphs.views.render import empty, heading, markdown
from rag_graphs.views.runs_list import ending
from rag_graphs.views.translation import _, plural

if TYPE_CHECKING:
    from rag_graphs import RunRow

MOST_FORKS = 8


def what_if(trace: Trace, step: Step) -> None:
    """Draw it."""
    with st.container(border=True, key="what_if"):
        detail = _("change what happened here, and the run goes on from there as a new one")
        st.markdown(heading(_("What if?"), detail), unsafe_allow_html=True)
        if step.number:
            _here(trace, step)
        else:
            _steps(trace)
        _forks(forks_of(trace.head.run_id))


def _steps(trace: Trace) -> None:
    """At the end of the run nothing can be changed: lead to the steps."""
    done = [v for v in trace.visits if v.after is not None]
    if not done:
        st.markdown(empty(_("This run finished no node, so there is nothing to change.")), unsafe_allow_html=True)
        return
    with st.container(horizontal=True, vertical_alignment="center", gap="small", key="what_if_steps"):
        st.markdown(_("Choose a step:"), width="content")
        for past in done:
            label = f"{past.index + 1} {markdown(node_name(past.node))}"
            st.button(label, key=f"to_step_{past.index}", on_click=partial(go, trace, past.index))


def _here(trace: Trace, step: Step) -> None:
    offers = list(_offers(trace, step.number - 1))
    if not offers:
        st.markdown(empty(_("Nothing can be changed after this step.")), unsafe_allow_html=True)
    label = offer_labels(trace)
    with st.container(horizontal=True, gap="small", key="offers"):
        for n, (at, offer) in enumerate(offers):
            if not offer.typed:
                st.button(
                    label(offer),
                    icon=":material/alt_route:",
                    key=f"offer_{trace.head.run_id}_{step.number}_{n}",
                    on_click=partial(wish, trace, at, offer.change),
                )
    for n, (at, offer) in enumerate(offers):
        if offer.typed:
            _typed(trace, at, offer, visit.typed_change(trace.head.run_id, step.number, n))


def _offers(trace: Trace, number: int) -> Iterator[tuple[int, Offer]]:
    """What can be changed after a visit; before the first one, also what can be changed at the start."""
    for at in (-1, 0) if number == 0 else (number,):
        for offer in plain_offers(_known_offers(trace, at)):
            yield at, offer


def _known_offers(trace: Trace, at: int) -> list[Offer]:
    """The offers of the step that is shown are kept, because making them builds the strategy's graph."""
    known = visit.fork_offers.get_kept()
    key = (trace.head.run_id, at)
    if key not in known:
        if len(known) >= 2:
            known.clear()
        known[key] = offers_at(trace, at, _)
    return known[key]


def _typed(trace: Trace, at: int, offer: Offer, box: visit.Kept[str]) -> None:
    """A text to be replaced, and the button that goes on with it."""
    key = box.key
    with (
        st.form(key=f"form_{key}", border=False),
        st.container(horizontal=True, vertical_alignment="bottom", key=f"row_{key}"),
    ):
        label = _("At the start: {what}").format(what=offer.label) if at < 0 else offer.label
        text_box(offer, label, key, height=100)
        st.form_submit_button(
            _("Go on with this"),
            icon=":material/alt_route:",
            key=f"go_{key}",
            on_click=partial(_wish_typed, trace, at, offer, box),
        )


def _wish_typed(trace: Trace, at: int, offer: Offer, box: visit.Kept[str]) -> None:
    """Fork with the text, unless it is empty or the same as before."""
    if change := with_text(offer, box.get()):
        wish(trace, at, change)


def _forks(rows: list[RunRow]) -> None:
    if not rows:
        return
    st.markdown(
        heading(plural(len(rows), "{n} what-if of this run", "{n} what-ifs of this run")), unsafe_allow_html=True
    )
    with st.container(horizontal=True, gap="small", key="forks"):
        for row in rows[:MOST_FORKS]:
            label = ending(row.stop_reason) if row.stop_reason else _("Running")
            when = row.started.strftime("%H:%M:%S")
            st.button(
                markdown(f"{label} · {when}"),
                type="tertiary",
                icon=":material/alt_route:",
                key=f"fork_{row.id}",
                on_click=partial(open_run, row.id),
            )
