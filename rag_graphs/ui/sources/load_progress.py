"""The progress of a load, what became of each address, and the cards that explain failures."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from rag_graphs.ui.shared.visit import Job, SourcesPage
from rag_graphs.ui.sources.queue import dismiss, enqueue, load_next, page_state, retry, stop_loading
from rag_graphs.views.render import attribute, text
from rag_graphs.views.sources_words import short_address
from rag_graphs.views.translation import _, plural

if TYPE_CHECKING:
    from rag_graphs import LoadReport, Progress

CARDS = 3


@dataclass(frozen=True)
class Meter:
    """The places of a load's progress: the line that names what is being loaded, and the bar."""

    line: DeltaGenerator
    bar: DeltaGenerator

    def show(self, state: SourcesPage, what: str, share: float = 0.0) -> None:
        """Say what is being loaded and how far it is; `share` is that of the present one, 0 to 1."""
        self.line.html(_line(state, what))
        self.bar.progress(min(1.0, (state.done + share) / max(state.total, 1)))


def load_panel() -> Meter | None:
    """Draw the progress (while loading) and the results of the last load. Returns where progress is shown, None when
    nothing waits."""
    state = page_state()
    if not state.waiting and not state.results:
        st.empty()
        return None
    with st.container(border=True, key="load_panel"):
        meter = _progress(state) if state.waiting else _finished(state)
        if state.results:
            lines = "".join(_result(report) for report in reversed(state.results.values()))
            st.html(f'<ul class="src-results" tabindex="0" aria-label="{attribute(_("Results"))}">{lines}</ul>')
    return meter


def work(meter: Meter | None) -> None:
    """Load the next of the queue, then run the page again. Called last, so that everything is drawn and can be used."""
    if meter is None:
        return
    state = page_state()
    job = state.waiting[0]

    def told(progress: Progress) -> None:
        chunks = _("{done} of {total} chunks").format(done=progress.done, total=progress.total)
        share = progress.done / max(progress.total, 1)
        meter.show(state, f"{progress.title} – {chunks}", share if job.kind != "samples" else 0.0)

    for _report in load_next(told):
        pass
    st.rerun()


def _progress(state: SourcesPage) -> Meter:
    with st.container(horizontal=True, vertical_alignment="center", wrap=False):
        line = st.html(_line(state, short_address(state.waiting[0].name)))
        st.button(_("Stop loading"), icon=":material/stop_circle:", on_click=stop_loading)
    return Meter(line, st.progress(state.done / max(state.total, 1)))


def _line(state: SourcesPage, name: str) -> str:
    said = _("Loading {number} of {total}:").format(number=state.done + 1, total=state.total)
    return f'<div role="status" class="src-line"><b>{text(said)}</b> {text(name)}</div>'


def _finished(state: SourcesPage) -> Meter | None:
    good = sum(report.ok for report in state.results.values())
    said = plural(good, "{n} source loaded.", "{n} sources loaded.")
    if bad := len(state.results) - good:
        said += " " + plural(bad, "{n} could not be loaded.", "{n} could not be loaded.")
    with st.container(horizontal=True, vertical_alignment="center", wrap=False):
        st.html(f'<div role="status" class="src-line"><b>{text(_("Last load:"))}</b> {text(said)}</div>')
        st.button(_("Hide"), type="tertiary", icon=":material/close:", on_click=state.results.clear)
    return None


def _result(report: LoadReport) -> str:
    name = report.source.title if report.source else short_address(report.address)
    notes = [plural(report.source.chunks, "{n} chunk", "{n} chunks")] if report.source else []
    told = report.message if report.status != "already there" else ""  # the mark says it
    notes += [note for note in (told, *report.warnings) if note and report.ok]
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
            if _repeatable():
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
            if page_state().failures[report.address][0].can_be_repeated:
                st.button(
                    _("Try again"),
                    key=f"{key}_retry",
                    icon=":material/refresh:",
                    on_click=retry,
                    args=(report.address,),
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
    enqueue(_repeatable())


def _repeatable() -> list[Job]:
    return [job for job, _report in page_state().failures.values() if job.can_be_repeated]
