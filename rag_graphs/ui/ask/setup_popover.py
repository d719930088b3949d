"""The set-up of the next run, in a popover whose label says what is chosen."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import TYPE_CHECKING

import streamlit as st

from rag_graphs import PACES, Settings
from rag_graphs.samples import collections
from rag_graphs.ui.ask.stepping import stepping_toggle
from rag_graphs.ui.shared import session
from rag_graphs.ui.shared.shown import Shown
from rag_graphs.views.render import markdown
from rag_graphs.views.translation import _, plural

if TYPE_CHECKING:
    from rag_graphs import LoadedSource

SOURCES_PAGE = "pages/library/sources.py"
SETTINGS_PAGE = "pages/setup/settings.py"


def web_names() -> dict[str, str]:
    """The web searches by setting."""
    return {
        "sample": _("sample web"),
        "tavily": _("Tavily"),
        "duckduckgo": _("DuckDuckGo"),
        "off": _("web off"),
    }


def engine_name(settings: Settings) -> str:
    """The model that answers, for people."""
    return _("built-in engine") if settings.model == "builtin" else settings.model.partition(":")[2]


def set_up_label(sources: int, settings: Settings) -> str:
    """What the popover's button says."""
    parts = [
        plural(sources, "{n} source", "{n} sources") if sources else _("no sources"),
        engine_name(settings),
        web_names()[settings.web],
    ]
    return " · ".join([*parts, _("careless")] if settings.careless else parts)


def setup_popover(sources: Sequence[LoadedSource], shown: Shown | None) -> None:
    """Draw the button and what lies behind it."""
    label = set_up_label(len(sources), session.settings())
    with st.popover(markdown(label), icon=":material/tune:", type="tertiary", key="setup"):
        _library(sources)
        _pace(shown)
        stepping_toggle()
        st.selectbox(_("Web search"), list(web_names()), format_func=_web_option, **session.bound("web"))
        left, right = st.columns(2)
        with left:
            st.slider(_("Documents per search"), 1, 20, **session.bound("k"))
            st.number_input(_("Rewrites at most"), 0, 10, **session.bound("max_rewrites"))
        with right:
            st.slider(_("Web results per search"), 1, 10, **session.bound("web_results"))
            st.number_input(_("Regenerations at most"), 0, 10, **session.bound("max_regenerations"))
        st.segmented_control(
            _("A document is relevant when it"),
            ["lenient", "strict"],
            required=True,
            format_func=lambda s: _("shares the meaning") if s == "lenient" else _("states the answer"),
            **session.bound("strictness"),
        )
        st.toggle(
            _("Careless first attempt"),
            help=_(
                "For showing the groundedness loop: the built-in engine adds something false to its first answer. "
                "The grader should find it, and the answer is written again."
            ),
            **session.bound("careless"),
        )
        st.caption(_("These apply to the next run. The pace applies at once."))
        st.page_link(SETTINGS_PAGE, label=_("Models, keys, prompts and all other settings"), icon=":material/tune:")


def _web_option(key: str) -> str:
    told = {
        "sample": _("Sample web, works offline"),
        "tavily": _("Tavily, needs a key"),
        "duckduckgo": _("DuckDuckGo, needs a network"),
        "off": _("Off"),
    }
    return told[key]


def _library(sources: Sequence[LoadedSource]) -> None:
    titles = {key: c.title for key, c in collections().items()}
    counts = Counter(titles.get(s.collection, _("Your own pages")) for s in sources)
    lines = [f"{markdown(title)}: {plural(n, '{n} source', '{n} sources')}" for title, n in counts.items()]
    st.markdown("**" + _("Library") + "**  \n" + ("  \n".join(lines) or _("Nothing is loaded yet.")))
    st.page_link(SOURCES_PAGE, label=_("Open Sources"), icon=":material/library_books:")


def _pace(shown: Shown | None) -> None:
    """Seconds for which a node is shown at least; a run that goes on takes it over at once."""
    names = {seconds: name for name, seconds in PACES.items()}
    chosen = session.settings().pace
    options = sorted({*names, chosen})
    st.segmented_control(
        _("Pace"),
        options,
        required=True,
        format_func=lambda s: _(names[s]) if s in names else f"{s:g} s",
        help=_("The built-in engine is faster than the eye. Calm shows each node for at least 0.9 s, slow for 2 s."),
        **session.bound("pace"),
    )
    if led := shown.led if shown else None:
        led.pace = session.settings().pace
