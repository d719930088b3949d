"""The frame around every page: its pages, logo, style, and the one place where an error is shown in words."""

from __future__ import annotations

from pathlib import Path
from threading import Thread

import streamlit as st
from streamlit.navigation.page import StreamlitPage

import rag_graphs
from rag_graphs import RagGraphsError, UnknownRun
from rag_graphs.ui import style
from rag_graphs.ui.render import markdown
from rag_graphs.ui.shown import show_none
from rag_graphs.ui.text import _

HERE = Path(__file__).parent
ROOT = HERE.parent.parent
FIRST_PAGE = "pages/run/ask.py"
HEAVY = ("run", "build_components", "Library")
"""Public names whose modules import the most."""


def open_frame() -> StreamlitPage:
    """Draw the frame and return the page that the visitor wants."""
    st.set_page_config(page_icon=str(HERE / "favicon.svg"), layout="wide")
    style.inject()
    warm_up()
    st.logo(str(HERE / "logo.svg"), size="large")
    pages = {
        "pages/run/ask.py": _("Ask"),
        "pages/library/sources.py": _("Sources"),
        "pages/inspect/strategies.py": _("Strategies"),
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
    """Import what is slow to import while the visitor reads the first page."""
    Thread(target=_import_heavy, name="warm-up", daemon=True).start()


def _import_heavy() -> None:
    for name in HEAVY:
        getattr(rag_graphs, name)
