"""Files made of a run: the trace as JSON, a report in one page, the diagram as SVG and PNG."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

import streamlit as st

from rag_graphs import FORMATS, Trace, export_run, file_name
from rag_graphs.views.translation import _

if TYPE_CHECKING:
    from rag_graphs import Format


def export_popover(trace: Trace) -> None:
    """The button and, behind it, a button a file. A file is made when it is asked for."""
    labels: dict[Format, str] = {
        "html": _("A report to read and print (HTML)"),
        "json": _("The run, to import elsewhere (JSON)"),
        "svg": _("The diagram (SVG)"),
        "png": _("The diagram as a picture (PNG)"),
    }
    with st.popover(_("Export"), icon=":material/download:", key="export"):
        for form, label in labels.items():
            st.download_button(
                label,
                partial(export_run, trace, form),
                file_name(trace, form),
                FORMATS[form],
                key=f"export_{form}",
                on_click="ignore",
                width="stretch",
            )
        st.caption(_("No key is in any of them."))
