"""The frame around every page: its pages, logo, style, and the one place where an error is shown in words."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path
from threading import Thread

import streamlit as st
from streamlit.navigation.page import StreamlitPage

from rag_graphs import Document, RagGraphsError, UnknownRun, Workspace, load_settings
from rag_graphs.ui.shared import session, style
from rag_graphs.ui.shared.shown import show_none
from rag_graphs.views.render import markdown
from rag_graphs.views.translation import _

HERE = Path(__file__).parent
ROOT = HERE.parents[2]
FIRST_PAGE = "pages/run/ask.py"


def open_frame() -> StreamlitPage:
    """Draw the frame and return the page that the visitor wants."""
    st.set_page_config(page_icon=str(HERE / "favicon.svg"), layout="wide")
    style.inject()
    st.logo(str(HERE / "logo.svg"), size="large")
    pages = {
        "pages/run/ask.py": _("Ask"),
        "pages/library/sources.py": _("Sources"),
        "pages/inspect/traces.py": _("Traces"),
        "pages/inspect/strategies.py": _("Strategies"),
        "pages/setup/settings.py": _("Settings"),
    }
    page = st.navigation(
        [
            st.Page(file, title=title, icon="", default=file == FIRST_PAGE)
            for file, title in pages.items()
            if (ROOT / file).exists()
        ],
        position="top",
    )
    st.set_page_config(page_title=_("{page} · RAG Graphs").format(page=page.title))
    return page


def run_page(page: StreamlitPage) -> None:
    """Run a page. An error that has a message for people is shown in words; anything else is a bug and looks like one."""
    try:
        page.run()
    except RagGraphsError as error:
        st.error(markdown(error), icon=":material/error:")
        way_on = _("Go to the start") if isinstance(error, UnknownRun) else _("Go on")
        st.button(way_on, key="go_on", on_click=show_none if isinstance(error, UnknownRun) else None)


@st.cache_resource(show_spinner=False)
def warm_up() -> None:
    """Import and load what is slow while the visitor reads the first page. Called when that page is drawn: before, the two
    would only hold each other up."""
    Thread(target=_warm, args=(session.workspace(),), name="warm-up", daemon=True).start()


def _warm(space: Workspace) -> None:
    """Grade one sentence with the built-in engine: that loads everything that the first question needs."""
    from rag_graphs import build_components

    with suppress(RagGraphsError):
        settings = load_settings().change(model="builtin", model_generate="", model_rewrite="")
        components = build_components(settings, space.library, [])
        sentence = Document(id="warm-up", text="A sentence.", source="", language="en")
        list(components.grade_relevance("Is it a sentence?", [sentence]))
