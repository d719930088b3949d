"""Files made of a run: the trace as JSON, the diagram as SVG."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from functools import partial

import streamlit as st

from rag_graphs import Trace, get_strategy, standalone
from rag_graphs.ui import session
from rag_graphs.ui.text import _


def export_popover(trace: Trace) -> None:
    """The button and, behind it, a button a file. A file is made when it is asked for."""
    with st.popover(_("Export"), icon=":material/download:", key="export"):
        for suffix, (label, mime, make) in files(trace).items():
            st.download_button(
                label,
                make,
                f"{file_name(trace)}.{suffix}",
                mime,
                key=f"export_{suffix}",
                on_click="ignore",
                width="stretch",
            )
        st.caption(_("No key is in any of them."))


def files(trace: Trace) -> dict[str, tuple[str, str, Callable[[], bytes]]]:
    """Suffix -> label, MIME type, and what makes the file."""
    return {
        "json": (_("The run as JSON, to import elsewhere"), "application/json", partial(_json, trace)),
        "svg": (_("The diagram as SVG"), "image/svg+xml", partial(_svg, trace)),
    }


def file_name(trace: Trace) -> str:
    """A name that every system takes, from the question."""
    words = re.sub(r"[^\w]+", "-", trace.head.question, flags=re.ASCII).strip("-").lower()[:50].strip("-")
    return f"{words or 'run'}-{re.sub(r'[^A-Za-z0-9-]', '', trace.head.strategy)[:20]}"


def _json(trace: Trace) -> bytes:
    return json.dumps(trace.to_json(), ensure_ascii=False, indent=1).encode()


def _svg(trace: Trace) -> bytes:
    strategy = get_strategy(trace.head.strategy)
    return standalone(strategy, session.settings(), trace, words=_).encode()
