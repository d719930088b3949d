"""The sections whose settings are plain values: search and library, budgets and grading, strategies, spending."""

from __future__ import annotations

import streamlit as st

from rag_graphs.ui.settings.field import field
from rag_graphs.ui.settings.keys import address_field, key_field
from rag_graphs.ui.shared import session
from rag_graphs.ui.shared.spent import spending_so_far
from rag_graphs.views.render import text
from rag_graphs.views.settings_words import COMPLEXITY, CRAG, CRITIQUE, PLACED, REFINED, SELF_RAG
from rag_graphs.views.translation import _, plural


def search_section() -> None:
    """Draw it."""
    left, right = st.columns(2, gap="large")
    with left:
        st.subheader(_("Web search"), anchor=False)
        field("web")
        field("web_results")
        with st.container(border=True, key="server_tavily"):
            st.markdown("**Tavily**")
            key_field("tavily_api_key", "Tavily")
            if session.is_local():
                address_field("tavily_base_url", "https://api.tavily.com")
    with right:
        st.subheader(_("Library"), anchor=False)
        field("k")
        field("chunk_size")
        field("chunk_overlap")
        st.caption(_("After another size, sources are cut and indexed again when they are searched next."))


def grading_section() -> None:
    """Draw it."""
    names = PLACED["grading"]
    left, right = st.columns(2, gap="large")
    with left:
        st.subheader(_("Budgets"), anchor=False)
        for name in names[:3]:
            field(name)
        field("max_sentences")
        field("pace")
    with right:
        st.subheader(_("Grading"), anchor=False)
        for name in names[3:]:
            if name not in ("max_sentences", "pace"):
                field(name)


def strategies_section() -> None:
    """Draw it: what only some strategies read, family by family."""
    self_rag, crag, adaptive = st.columns(3, gap="large")
    with self_rag:
        _family(_("Self-RAG"), SELF_RAG)
        _variant(_("With critique scores"), CRITIQUE)
    with crag:
        _family(_("Corrective RAG"), CRAG)
        _variant(_("Refined"), REFINED)
        st.caption(
            _(
                "Thresholds belong to the evaluator whose scores they cut. Left empty, each evaluator has its own: the built-in "
                "engine’s were measured, a model’s follow the levels that its prompt describes. A lower one above the upper one "
                "counts as equal to it."
            )
        )
    with adaptive:
        _family(_("Adaptive RAG"), ())
        _variant(_("By complexity"), COMPLEXITY)


def _family(title: str, names: tuple[str, ...]) -> None:
    st.subheader(title, anchor=False)
    for name in names:
        field(name)


def _variant(title: str, names: tuple[str, ...]) -> None:
    st.markdown(f'<h4 class="variant">{text(title)}</h4>', unsafe_allow_html=True)
    for name in names:
        field(name)


def spending_section() -> None:
    """Draw it."""
    left, right = st.columns(2, gap="large")
    with left:
        st.subheader(_("What one run may spend"), anchor=False)
        for name in ("max_calls", "max_tokens", "max_cost"):
            field(name)
        st.caption(
            _(
                "A run that would go beyond ends with “Spending cap”; what it wrote by then stays. The built-in engine "
                "makes no model calls."
            )
        )
    with right:
        st.subheader(_("Prices"), anchor=False)
        field("price_prompt")
        field("price_completion")
        st.caption(_("In any currency, as your provider lists them. Without prices, costs are not shown."))
        st.subheader(_("This session so far"), anchor=False)
        st.markdown(_so_far(), unsafe_allow_html=True)


def _so_far() -> str:
    total = spending_so_far()
    if not total.runs:
        return f'<p class="key">{text(_("No run of yours has used a model in this session."))}</p>'
    figures = [
        (plural(total.runs, "run on a model", "runs on a model"), f"{total.runs:,}"),
        (plural(total.spending.calls, "model call", "model calls"), f"{total.spending.calls:,}"),
        (_("tokens"), f"{total.spending.tokens:,}"),
    ]
    if total.cost is not None:
        figures.append((_("at your prices"), f"{total.cost:.4f}"))
    shown = "".join(f"<span><b>{text(value)}</b> {text(name)}</span>" for name, value in figures)
    note = ""
    if total.spending.unknown:
        said = plural(
            total.spending.unknown,
            "For {n} call the server told no tokens, so the sums are lower bounds.",
            "For {n} calls the server told no tokens, so the sums are lower bounds.",
        )
        note = f'<p class="key">{text(said)}</p>'
    return f'<div class="figs x">{shown}</div>{note}'
