"""Step mode: a run that waits before each node. What comes next, what it will receive, and what to change before."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Sequence
from functools import lru_cache

import streamlit as st

from rag_graphs import (
    Change,
    Offer,
    RagGraphsError,
    RagState,
    Run,
    Trace,
    get_strategy,
    load_settings,
    node_codes,
    offers_now,
    update_now,
)
from rag_graphs.ui.shared import visit
from rag_graphs.ui.shared.change_offers import offer_labels, plain_offers, text_box, with_text
from rag_graphs.ui.shared.empty_places import place
from rag_graphs.ui.shared.shown import Shown
from rag_graphs.views.diagram_settings import settings_of
from rag_graphs.views.node_words import node_name
from rag_graphs.views.render import empty, heading, markdown, text
from rag_graphs.views.state_panel import brief
from rag_graphs.views.translation import _

READ = re.compile(r"\bstate\.(\w+)")
SETTLE = 2.0
"""Seconds for which a click on Next waits for the run to notice it."""


def stepping_toggle() -> None:
    """Whether the next run waits before each node."""
    st.toggle(
        _("Step by step: wait before each node"),
        key=visit.stepping.key,
        persist_state="session",
        help=_("The run stops before each node, shows what the node will receive, and lets you change it."),
    )


def stepped(run: Shown | None) -> Run | None:
    """The run that this visitor leads in step mode, or None."""
    led = run.led if run else None
    return led if led and led.stepping else None


def awaited(run: Shown | None) -> str:
    """The node before which the run waits now, or ''."""
    return run.trace.waiting_for if run is not None and run.trace else ""


def moved_from(run: Shown | None) -> Callable[[Trace], bool]:
    """What tells that the run that this visitor leads waits for another node, or waits no more, since the page was drawn."""
    here, leads = awaited(run), stepped(run) is not None
    return lambda known: leads and known.waiting_for != here


def step_bar(run: Shown | None) -> None:
    """Next and Run on, in place of the scrubber, where this visitor leads a run in step mode."""
    live = stepped(run)
    with place(live is not None):
        if live:
            _step_bar(live, run.trace if run else None)


def _step_bar(live: Run, trace: Trace | None) -> None:
    """What comes next, what can be changed before it, and the ways on."""
    node = trace.waiting_for if trace else ""
    # other widgets at each pause: nothing typed before the last node may go into the next one
    pause = f"{live.id}_{len(trace) if trace else 0}"
    with st.container(border=True, key="step_bar"), st.form(key=f"step_form_{pause}", border=False):
        offers = plain_offers(offers_now(trace, _)) if trace and node else []
        with st.container(horizontal=True, vertical_alignment="center", key="step_buttons"):
            st.form_submit_button(
                _("Next"),
                icon=":material/skip_next:",
                type="primary",
                key="next",
                disabled=not node,
                on_click=_next,
                args=(live, trace, offers, pause),
            )
            st.form_submit_button(
                _("Run on"),
                icon=":material/fast_forward:",
                key="run_on",
                on_click=_run_on,
                args=(live, trace, offers, pause),
            )
            said = _("Next: {node}").format(node=node_name(node)) if node else _("The node before it runs")
            st.markdown(f'<span class="next-node">{text(said)}</span>', unsafe_allow_html=True, width="content")
        with place(bool(node)):
            if trace and node:
                receives, changes = st.columns(2, gap="large")
                receives.markdown(receives_html(trace, node), unsafe_allow_html=True)
                with changes:
                    _edit(trace, offers, pause)
    if complaint := visit.step_complaint.take():
        st.warning(markdown(complaint), icon=":material/help:")


def receives_html(trace: Trace, node: str) -> str:
    """The fields of the state that a node reads, with what they hold now."""
    # a question that was made complete stands in for the one that was asked
    asked = "condensed" if trace.state.condensed else "question"
    fields = [asked if f == "question" else f for f in fields_read(trace, node)]
    held = [f for f in fields if getattr(trace.state, f) not in (None, "", [])]
    rows = "".join(f"<code>{text(f)}</code><div>{brief(getattr(trace.state, f))}</div>" for f in held)
    body = f'<div class="sg">{rows}</div>' if rows else ""
    if bare := [f for f in fields if f not in held]:
        body += f'<p class="note">{text(_("Empty by now: {fields}.").format(fields=", ".join(bare)))}</p>'
    return heading(_("What it will receive")) + (body or empty(_("It reads nothing of the state.")))


def fields_read(trace: Trace, node: str) -> tuple[str, ...]:
    """The state's fields that a node's code reads, in the order of the state."""
    return _fields_read(trace.head.strategy, node, settings_of(trace, load_settings()).model_dump_json())


@lru_cache(maxsize=256)
def _fields_read(strategy: str, node: str, settings: str) -> tuple[str, ...]:
    recorded = load_settings().as_recorded(json.loads(settings))
    code = {n.node: n.code for n in node_codes(get_strategy(strategy), recorded)}.get(node, "")
    read = set(READ.findall(code))
    if "asked" in read:
        read.add("question")
    return tuple(name for name in RagState.__dataclass_fields__ if name in read)


def _edit(trace: Trace, offers: Sequence[Offer], pause: str) -> None:
    """A box to tick or a text to replace for everything that can be changed now."""
    st.markdown(heading(_("Change it first")), unsafe_allow_html=True)
    if not offers:
        st.markdown(empty(_("Nothing can be changed here.")), unsafe_allow_html=True)
    label = offer_labels(trace)
    for n, offer in enumerate(offers):
        key = visit.edit(pause, n).key
        if offer.typed:
            text_box(offer, offer.label, key, height=110)
        else:
            st.checkbox(label(offer), key=key)


def chosen(offers: Sequence[Offer], pause: str) -> list[Change]:
    """The changes that were ticked or typed."""
    changes: list[Change] = []
    for n, offer in enumerate(offers):
        value = visit.edit(pause, n).get()
        if not offer.typed:
            changes += [offer.change] if value else []
        elif change := with_text(offer, str(value or "")):
            changes.append(change)
    return changes


def _next(live: Run, trace: Trace | None, offers: Sequence[Offer], pause: str) -> None:
    """Let the run go on to its next node, with what was changed."""
    seen = len(live.events())
    try:
        live.next(update_now(trace, *chosen(offers, pause)) if trace and offers else None)
    except RagGraphsError as error:
        visit.step_complaint.set(str(error))
        return
    live.wait(seen, SETTLE)


def _run_on(live: Run, trace: Trace | None, offers: Sequence[Offer], pause: str) -> None:
    """Leave step mode; what was changed goes in first."""
    if offers:
        _next(live, trace, offers, pause)
    if not visit.step_complaint.is_set():
        try:
            live.run_on()
        except RagGraphsError as error:
            visit.step_complaint.set(str(error))
