"""The recorded runs that come with the app, each with its lesson."""

from __future__ import annotations

from functools import partial

import streamlit as st

from rag_graphs.samples import RecordedRun
from rag_graphs.ui.traces.remembered import open_run, shipped
from rag_graphs.views.render import heading, markdown, text
from rag_graphs.views.runs_list import strategy_title
from rag_graphs.views.translation import _, plural
from rag_graphs.views.verdict_words import stop_chip_html


def recorded_section() -> None:
    """A card a run."""
    runs = list(shipped().values())
    said = plural(len(runs), "{n} run of the built-in engine", "{n} runs of the built-in engine, each with a lesson")
    st.markdown(heading(_("Recorded runs"), said), unsafe_allow_html=True)
    with st.container(key="recorded"):
        for run in runs:
            with st.container(border=True, key=f"recorded_{run.key}", gap="small"):
                _card(run)


def _card(run: RecordedRun) -> None:
    head = run.trace.head
    open_it = partial(open_run, head.run_id)
    label = f"**{markdown(_(run.title))}**"
    st.button(label, type="tertiary", icon=":material/play_circle:", key=f"lesson_{run.key}", on_click=open_it)
    title = strategy_title(head.strategy)
    st.markdown(
        f'<div class="x"><p class="lesson">{text(_(run.lesson))}</p><p class="lesson"><q>{text(head.question, 160)}</q></p>'
        f'<p class="vds"><span class="chip plain">{text(title)}</span>'
        f"{stop_chip_html(run.trace.stop_reason or '', title)}</p></div>",
        unsafe_allow_html=True,
    )
