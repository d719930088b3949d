"""Importing a run from a JSON file: opened if it is one, refused with the reason if not."""

from __future__ import annotations

from typing import TYPE_CHECKING

import streamlit as st

from rag_graphs import Trace, TraceError, all_strategies
from rag_graphs.ui.shared import visit
from rag_graphs.ui.traces.remembered import keep_import
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
        upload = visit.upload(visit.uploads.get())
        st.file_uploader(
            _("Run as JSON"), type="json", key=upload.key, max_upload_size=LARGEST, on_change=_read, args=(upload,)
        )
        if complaint := visit.upload_complaint.get():
            st.error(markdown(complaint), icon=":material/error:")


def _read(upload: visit.Kept[UploadedFile | None]) -> None:
    file = upload.get()
    visit.upload_complaint.forget()
    if file is None:
        return
    try:
        keep_import(known(Trace.from_json(file.getvalue())))
    except TraceError as error:
        visit.upload_complaint.set(f"{file.name[:80]}: {error}")
        return
    visit.uploads.set(visit.uploads.get() + 1)


def known(trace: Trace) -> Trace:
    """The trace, if it can be drawn here. Raises TraceError."""
    key = trace.head.strategy
    if key not in all_strategies():
        said = _("It is a run of the strategy {key}, which this server does not have. It was not opened.")
        raise TraceError(said.format(key=key[:60]))
    return trace
