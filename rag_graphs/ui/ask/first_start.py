"""The first screen of a newcomer: what this is, a finished run, and three ways to begin."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import streamlit as st

from rag_graphs import get_strategy
from rag_graphs.samples import RecordedRun, collections, recorded_runs
from rag_graphs.ui.shared import session, visit
from rag_graphs.ui.shared.shown import play_again
from rag_graphs.ui.shared.slot import Slot
from rag_graphs.ui.sources.queue import enqueue
from rag_graphs.views.diagram import marks
from rag_graphs.views.diagram_panel import diagram_html
from rag_graphs.views.diagram_settings import settings_of
from rag_graphs.views.render import markdown, text
from rag_graphs.views.sources_words import MOST_ADDRESSES, addresses
from rag_graphs.views.translation import _, plural


def first_start() -> None:
    """Draw it."""
    lead = _(
        "Ask a question. See each document graded, the query rewritten when nothing fits, and the answer checked before "
        "you get it."
    )
    hero = f'<div class="hero" role="heading" aria-level="1">{text(_("Watch retrieval correct itself"))}</div>'
    st.markdown(f'{hero}<p class="lead">{text(lead)}</p>', unsafe_allow_html=True)
    runs = recorded_runs()
    trace = runs[0].trace
    picture = diagram_html(get_strategy(trace.head.strategy), settings_of(trace, session.settings()), marks(trace))
    Slot(st.container(key="first_stage")).draw(picture)
    ways: list[Callable[[], None]] = [partial(_play, runs), _samples, _own]
    with st.container(key="ways"):
        for number, (column, way) in enumerate(zip(st.columns(3, gap="medium"), ways, strict=True)):
            with column, st.container(border=True, height="stretch", key=f"way_{number}"):
                way()
    note = _(
        "The built-in engine needs no key and no network, and nothing leaves this machine. Other models are a setting away."
    )
    st.markdown(f'<p class="lead foot">{text(note)}</p>', unsafe_allow_html=True)


def _play(runs: list[RecordedRun]) -> None:
    first, others = runs[0], runs[1:3]  # the page Traces has them all
    st.subheader(":material/play_circle: " + _("Play a recorded run"), anchor=False)
    asked = _("It asks “{question}”. Nothing to set up.").format(question=first.trace.head.question)
    st.markdown(markdown(first.lesson) + " " + markdown(asked))
    with st.container(horizontal=True, gap="small"):
        for run in others:
            st.button(
                markdown(_(run.title)),
                type="tertiary",
                icon=":material/play_arrow:",
                key=f"play_{run.key}",
                help=markdown(_(run.lesson)),
                on_click=partial(_start, run),
            )
    st.space("stretch")
    st.button(
        _("Play this run"),
        type="primary",
        icon=":material/play_arrow:",
        width="stretch",
        key="play_first",
        on_click=partial(_start, first),
    )


def _start(run: RecordedRun) -> None:
    play_again(run.trace, session.settings().pace)


def _samples() -> None:
    found = list(collections().values())
    pages = sum(len(c.pages) for c in found)
    st.subheader(":material/library_books: " + _("Load the sample library"), anchor=False)
    languages = len({page.language for c in found for page in c.pages})
    said = _("{n} short pages on relationships, habits, language models and baseball, in {languages} languages. ")
    said += _("Works offline and without a key.")
    st.markdown(markdown(said.format(n=pages, languages=languages)))
    st.space("stretch")
    st.button(
        plural(pages, "Load {n} page", "Load {n} pages"),
        icon=":material/download:",
        width="stretch",
        key="load_samples",
        on_click=load_samples,
    )


def load_samples() -> None:
    """Put every sample collection into the queue."""
    enqueue([visit.Job(kind="samples", what=key, title=_(c.title)) for key, c in collections().items()])


def _own() -> None:
    st.subheader(":material/link: " + _("Use your own pages"), anchor=False)
    st.text_area(
        _("Addresses, one a line"),
        key=visit.own_addresses.key,
        height="stretch",
        max_chars=20_000,
        placeholder=_("https://… one address a line"),
        label_visibility="collapsed",
        persist_state="session",
    )
    if complaint := visit.own_complaint.take():
        st.warning(complaint)
    st.button(_("Load these pages"), icon=":material/download:", width="stretch", key="load_own", on_click=_load_own)


def _load_own() -> None:
    found = addresses(visit.own_addresses.get())
    if not found:
        said = _("There is no address yet. Write one or more, for example https://example.org/page.")
        visit.own_complaint.set(said)
    elif len(found) > MOST_ADDRESSES:
        said = _("These are {n} addresses; {most} are the most at a time. Load them in parts.")
        visit.own_complaint.set(said.format(n=len(found), most=MOST_ADDRESSES))
    else:
        enqueue([visit.Job(kind="address", what=address) for address in found])
