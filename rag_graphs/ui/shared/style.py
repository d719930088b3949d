"""The stylesheets of the app, written into the page once a run."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import streamlit as st

from rag_graphs.views import stylesheet as views

UI = Path(__file__).parent.parent
FIRST = "style.css"


def inject() -> None:
    """Write all styles into the page. Called once, at the top of the frame; it takes no space on the page.

    As Markdown, not by `st.html`: the browser loads that element's code later, and until then a diagram would be black.
    """
    with st.container(key="styles"):
        st.markdown(f"<style>{stylesheet()}</style>", unsafe_allow_html=True)


@cache
def stylesheet() -> str:
    """Return the style of what views draws, the common style of pages and then that of each page (`*.css` under ui)."""
    files = sorted(UI.rglob("*.css"), key=lambda file: (file.name != FIRST, file.name))
    return "\n".join([views.stylesheet(), *(file.read_text(encoding="utf-8") for file in files)])
