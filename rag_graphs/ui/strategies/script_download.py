"""The button that hands out a strategy as one script."""

from __future__ import annotations

from functools import partial

import streamlit as st

from rag_graphs import Settings, Strategy, export_script, script_name
from rag_graphs.ui.shared import session
from rag_graphs.views.translation import _


def script_button(strategy: Strategy, settings: Settings) -> None:
    """Download this strategy as a script. It is made when it is asked for, in well under a second."""
    made = partial(export_script, strategy, settings, session.workspace().library, session.source_ids())
    st.download_button(
        _("Download as a script"),
        made,
        script_name(strategy),
        "text/x-python",
        key="script",
        icon=":material/download:",
        on_click="ignore",
        help=_(
            "One Python file that runs by itself with langgraph and langchain-openai. Your settings, prompts and documents "
            "are in it; a key is not."
        ),
    )
