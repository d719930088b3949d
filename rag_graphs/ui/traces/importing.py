"""Importing a run from a JSON file: opened if it is one, refused with the reason if not."""

from __future__ import annotations

from typing import TYPE_CHECKING

import streamlit as st

from rag_graphs import Trace, TraceError, all_strategies
from rag_graphs.ui.traces.state import keep_import
from rag_graphs.views.render import markdown
from rag_graphs.views.translation import _

if TYPE_CHECKING:
    from streamlit.runtime.uploaded_file_manager import UploadedFile

LARGEST = 20
"""Megabytes; a larger trace is refused by the program as well."""


def import_popover() -> None:
    """The button and what lies behind it."""
    with st.popover(_("Import a run"), icon=":material/upload_file:", key="import"):
        st.markdown(_("A JSON file that was exported here or on another machine, or printed by `ask --json`."))
        # another key empties the uploader
        key = f"upload_{st.session_state.get('uploads', 0)}"
        st.file_uploader(_("Run as JSON"), type="json", key=key, max_upload_size=LARGEST, on_change=_read, args=(key,))
        if complaint := st.session_state.get("upload_complaint", ""):
            st.error(markdown(complaint), icon=":material/error:")


def _read(key: str) -> None:
    file: UploadedFile | None = st.session_state.get(key)
    st.session_state.upload_complaint = ""
    if file is None:
        return
    try:
        keep_import(known(Trace.from_json(file.getvalue())))
    except TraceError as error:
        st.session_state.upload_complaint = f"{file.name[:80]}: {error}"
        return
    st.session_state.uploads = st.session_state.get("uploads", 0) + 1


def known(trace: Trace) -> Trace:
    """The trace, if it can be drawn here. Raises TraceError."""
    key = trace.head.strategy
    if key not in all_strategies():
        said = _("It is a run of the strategy {key}, which this server does not have. It was not opened.")
        raise TraceError(said.format(key=key[:60]))
    return trace
