"""The progress of a load, what became of each address, and the cards that explain failures."""

from __future__ import annotations

from typing import TYPE_CHECKING

import streamlit as st

from rag_graphs.ui.render import attribute, text
from rag_graphs.ui.sources_state import PageState, dismiss, enqueue, load_next, page_state, retry, stop_loading
from rag_graphs.ui.sources_words import short_address
from rag_graphs.ui.text import _, plural

if TYPE_CHECKING:
    from streamlit.delta_generator import DeltaGenerator

    from rag_graphs import LoadReport

CARDS = 3


def load_panel() -> DeltaGenerator | None:
    """Draw the progress bar (while loading) and the results of the last load. Returns the slot of the line that names what
    is being loaded, None when nothing is."""
    state = page_state()
    line = None
    if not state.waiting and not state.results:
        st.empty()
        return None
    with st.container(border=True, key="load_panel"):
        if state.waiting:
            line = _progress(state)
        else:
            _finished(state)
        if state.results:
            lines = "".join(_result(report) for report in reversed(state.results.values()))
            st.html(f'<ul class="src-results" tabindex="0" aria-label="{attribute(_("Results"))}">{lines}</ul>')
    return line


def work(line: DeltaGenerator | None) -> None:
    """Load the next of the queue, then run the page again. Called last, so that everything is drawn and can be used."""
    if line is None:
        return
    state = page_state()
    job = state.waiting[0]
    for count, report in enumerate(load_next(), 1):
        if job.kind == "samples":
            title = report.source.title if report.source else report.address
            line.html(_line(state, f"{job.name} – {plural(count, '{n} page', '{n} pages')}, {title}"))
    st.rerun()


def _progress(state: PageState) -> DeltaGenerator:
    with st.container(horizontal=True, vertical_alignment="center", wrap=False):
        line = st.html(_line(state, short_address(state.waiting[0].name)))
        st.button(_("Stop loading"), icon=":material/stop_circle:", on_click=stop_loading)
    st.progress(state.done / max(state.total, 1))
    return line


def _line(state: PageState, name: str) -> str:
    said = _("Loading {number} of {total}:").format(number=state.done + 1, total=state.total)
    return f'<div role="status" class="src-line"><b>{text(said)}</b> {text(name)}</div>'


def _finished(state: PageState) -> None:
    good = sum(report.ok for report in state.results.values())
    said = plural(good, "{n} source loaded.", "{n} sources loaded.")
    if bad := len(state.results) - good:
        said += " " + plural(bad, "{n} could not be loaded.", "{n} could not be loaded.")
    with st.container(horizontal=True, vertical_alignment="center", wrap=False):
        st.html(f'<div role="status" class="src-line"><b>{text(_("Last load:"))}</b> {text(said)}</div>')
        st.button(_("Hide"), type="tertiary", icon=":material/close:", on_click=state.results.clear)


def _result(report: LoadReport) -> str:
    name = report.source.title if report.source else short_address(report.address)
    notes = [plural(report.source.chunks, "{n} chunk", "{n} chunks")] if report.source else []
    notes += report.warnings if report.ok else []
    mark, kind = ("✓", "yes") if report.ok else ("✕", "no")
    if report.ok and report.warnings:
        mark, kind = "!", "unsure"
    return (
        f'<li><span class="src-mark {kind}">{mark} {text(_(report.status))}</span> '
        f'<span>{text(name)}</span> <span class="m">{text("; ".join(notes))}</span></li>'
    )


def failure_cards() -> None:
    """A card for each address that could not be loaded: what happened, what to do, Try again and Dismiss."""
    failed = page_state().failed()
    if len(failed) > 1:
        with st.container(horizontal=True, vertical_alignment="center"):
            st.html(f"<b>{text(plural(len(failed), '{n} failure', '{n} failures'))}</b>")
            st.button(_("Try all again"), icon=":material/refresh:", type="tertiary", on_click=_retry_all)
            addresses = [report.address for report in failed]
            st.button(_("Dismiss all"), icon=":material/close:", type="tertiary", on_click=dismiss, args=(addresses,))
    for number, report in enumerate(failed[:CARDS]):
        failure_card(report, f"failed_{number}")
    if len(failed) > CARDS:
        st.caption(_("Choose another failed row in the table to read what happened."))


def failure_card(report: LoadReport, key: str) -> None:
    """One failure explained."""
    with st.container(border=True, key=key):
        st.html(
            f'<div class="src-failed"><b>{text(short_address(report.address))}</b>'
            f'<span class="chip no">✕ {text(_(report.status))}</span></div>'
            f"<div>{text(report.message)} {text(_('Nothing was indexed.'))}</div>"
        )
        with st.container(horizontal=True):
            st.button(
                _("Try again"), key=f"{key}_retry", icon=":material/refresh:", on_click=retry, args=(report.address,)
            )
            st.button(
                _("Dismiss"),
                key=f"{key}_dismiss",
                type="tertiary",
                icon=":material/close:",
                on_click=dismiss,
                args=([report.address],),
            )


def _retry_all() -> None:
    enqueue([job for job, _report in page_state().failures.values()])
