"""The Strategies page: which strategy is shown, what is said of it, questions to try, and its code."""

from __future__ import annotations

import streamlit as st

from rag_graphs import (
    Example,
    Settings,
    Strategy,
    all_strategies,
    broken_strategies,
    edge_codes,
    graph_code,
    node_codes,
    outline_of,
)
from rag_graphs.ui.shared import session, visit
from rag_graphs.ui.strategies.script_download import script_button
from rag_graphs.views.diagram_panel import diagram_html
from rag_graphs.views.diagram_settings import FIRST_CHOICE, choices, strategy_name
from rag_graphs.views.node_words import node_name
from rag_graphs.views.parity_panel import parity_html
from rag_graphs.views.render import link, markdown, text
from rag_graphs.views.translation import _, plural
from rag_graphs.views.verdict_words import stop_chip

ASK_PAGE = "pages/run/ask.py"


def strategy_choice() -> Strategy:
    """The strategy that is shown: that of the address (?strategy=…), or the one chosen here."""
    known = all_strategies()
    asked = st.query_params.get("strategy", "")
    if asked and asked != visit.strategy_of_address.get():
        if asked in known:
            visit.shown_strategy.set(asked)
        else:
            st.warning(markdown(_("There is no strategy {key}.").format(key=asked)), icon=":material/help:")
    if visit.shown_strategy.get() not in known:
        visit.shown_strategy.set(FIRST_CHOICE)
    titles = {s.key: strategy_name(s) for s in _by_family()}
    key = st.pills(
        _("Strategy"),
        list(titles),
        required=True,
        format_func=titles.__getitem__,
        key=visit.shown_strategy.key,
        label_visibility="collapsed",
        wrap=True,
        persist_state="session",
    )
    st.query_params["strategy"] = str(key)
    visit.strategy_of_address.set(str(key))
    return known[str(key)]


def _by_family() -> list[Strategy]:
    """All strategies, those of a family side by side, in the order of the Ask page."""
    families = list(dict.fromkeys(s.family for s in choices()))
    return sorted(choices(), key=lambda s: families.index(s.family))


def strategy_page() -> None:
    """Draw the page: the chosen strategy, then those from outside that cannot be used."""
    settings = session.settings()
    strategy = strategy_choice()
    st.markdown(head_html(strategy), unsafe_allow_html=True)
    st.markdown(diagram_html(strategy, settings, prefix="strategy"), unsafe_allow_html=True)
    about, questions = st.columns(2, gap="large")
    with about:
        st.markdown(about_html(strategy, settings), unsafe_allow_html=True)
    with questions:
        examples(strategy)
    if table := parity_html(strategy):
        st.markdown(table, unsafe_allow_html=True)
    code(strategy, settings)
    broken()


def head_html(strategy: Strategy) -> str:
    """Title, family and the sentence that sums it up."""
    family = "" if strategy.family in strategy.title else f' <span class="chip plain">{text(_(strategy.family))}</span>'
    return (
        f'<div class="x strategy-head"><h1 class="strategy-title">{text(_(strategy.title))}{family}</h1>'
        f'<p class="lead">{text(_(strategy.summary))}</p></div>'
    )


def about_html(strategy: Strategy, settings: Settings) -> str:
    """Strengths, limits, budgets, how it differs from its source, and the source."""
    parts = [
        _section(_("Strengths"), _list(strategy.strengths)),
        _section(_("Limits"), _list(strategy.limits)),
        _section(_("Budgets"), _list(budgets(strategy, settings))),
        _section(_("How it differs from its source"), f"<p>{text(_(strategy.simplifies))}</p>"),
        _section(_("Source"), f"<p>{link(strategy.source.url, strategy.source.title)}</p>"),
    ]
    return f'<div class="about">{"".join(parts)}</div>'


def _section(title: str, body: str) -> str:
    return f'<h3 class="ph">{text(title)}</h3>{body}'


def _list(lines: tuple[str, ...]) -> str:
    return "<ul>" + "".join(f"<li>{text(_(line))}</li>" for line in lines) + "</ul>"


def budgets(strategy: Strategy, settings: Settings) -> tuple[str, ...]:
    """What bounds a run, with the numbers of these settings."""
    words = {
        "rewrites": _("At most {n} rewrites of the query."),
        "regenerations": _("At most {n} further attempts at an answer that is not grounded."),
        "searches": _("At most {n} searches of the web."),
        "steps": _("At most {n} steps of reasoning, each with a search."),
    }
    lines = [words[loop.counter].format(n=getattr(settings, loop.budget)) for loop in strategy.loops]
    if any(edge.outcome == "enough relevant" for edge in outline_of(strategy, settings).edges):
        share = f"{settings.min_relevant_share:.0%}"
        lines.append(_("Enough is relevant when it is more than {share} of what was found.").format(share=share))
    return tuple(lines) or (_("No loops: each node runs once at most."),)


def examples(strategy: Strategy) -> None:
    """Questions that show something of this strategy. A click goes to the Ask page and asks."""
    st.markdown(f'<h3 class="ph">{text(_("Questions to try"))}</h3>', unsafe_allow_html=True)
    if not strategy.examples:
        st.markdown(
            f'<p class="wait">{text(_("Any question to your own pages: go to Ask."))}</p>', unsafe_allow_html=True
        )
    for number, example in enumerate(strategy.examples):
        with st.container(key=f"example_{number}", horizontal=True, wrap=False, vertical_alignment="center"):
            st.markdown(example_html(strategy, example), unsafe_allow_html=True, width="stretch")
            if st.button(
                _("Ask this"),
                key=f"ask_{strategy.key}_{number}",
                icon=":material/arrow_forward:",
                type="tertiary",
                help=markdown(example.question),
            ):
                visit.ask_preset.set(preset(strategy, example))
                st.switch_page(ASK_PAGE)


def example_html(strategy: Strategy, example: Example) -> str:
    """A question, what it shows and how its run ends."""
    colour, words, _meaning = stop_chip(example.stop_reason, strategy.title)
    return (
        f'<div class="example"><b>{text(example.question)}</b> <span class="chip {colour}">{text(words)}</span>'
        f"<p>{text(_(example.shows))}</p></div>"
    )


def preset(strategy: Strategy, example: Example) -> visit.Preset:
    """What the Ask page needs to ask this example."""
    return {
        "strategy": strategy.key,
        "question": example.question,
        "collections": list(example.collections),
        "settings": dict(example.settings),
    }


def broken() -> None:
    """Name the strategies from outside that cannot be used, and what to do about each."""
    for strategy in broken_strategies():
        said = _("The strategy {name} from outside is left out. {problem}")
        st.warning(markdown(said.format(name=strategy.name, problem=strategy.problem)), icon=":material/extension_off:")


def code(strategy: Strategy, settings: Settings) -> None:
    """The code of the graph, of each node and of each conditional edge, and all of it as a script."""
    nodes, edges = node_codes(strategy, settings), edge_codes(strategy, settings)
    title = plural(len(nodes), "The code: one graph, {n} node", "The code: one graph, {n} nodes")
    with st.container(horizontal=True, horizontal_alignment="distribute", vertical_alignment="center", key="code_head"):
        st.markdown(f'<h2 class="code-title">{text(title)}</h2>', unsafe_allow_html=True, width="content")
        script_button(strategy, settings)
    with st.expander(_("**The graph** puts the nodes together"), icon=":material/account_tree:"):
        st.code(graph_code(strategy), language="python")
    for node in nodes:
        with st.expander(f"**{markdown(node_name(node.node))}** {markdown(node.says)}"):
            st.code(node.code, language="python")
    for edge in edges:
        after = _("After {node}").format(node=node_name(edge.node))
        with st.expander(f"**{markdown(after)}** {markdown(edge.says)}", icon=":material/fork_right:"):
            st.code(edge.code, language="python")
