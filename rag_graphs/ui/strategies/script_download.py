"""The button that hands out a strategy as one script."""

from __future__ import annotations

import streamlit as st

from rag_graphs import RagGraphsError, Settings, Strategy, export_script, script_name
from rag_graphs.ui.shared import session
from rag_graphs.views.translation import _


def script_button(strategy: Strategy, settings: Settings) -> None:
    """Download this strategy as a script. It is made when it is asked for, in well under a second."""
    library, sources = session.workspace().library, session.source_ids()

    def made() -> bytes:
        try:
            return export_script(strategy, settings, library, sources)
        except RagGraphsError as error:  # the file is the only place left to say why
            return f"# {error}\n".encode()

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
