"""Places on a page that are sometimes empty.

Streamlit leaves the elements of the last page run standing until the present one ends. A run that is followed takes long to
end, so whatever may not be seen meanwhile has a place of its own, which is emptied at once.
"""

from __future__ import annotations

import streamlit as st
from streamlit.delta_generator import DeltaGenerator


def place(wanted: bool, home: DeltaGenerator | None = None) -> DeltaGenerator:
    """A container if it is wanted, else nothing in its place; at the end of `home` or of the page."""
    where = home if home is not None else st
    return where.container() if wanted else where.empty()
