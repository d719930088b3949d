"""Sources: load pages and texts, read their chunks, test a search."""

import streamlit as st

from rag_graphs.ui.shared import session
from rag_graphs.ui.shared.empty_places import place
from rag_graphs.ui.sources.add import add_panel
from rag_graphs.ui.sources.detail import detail
from rag_graphs.ui.sources.index_panel import index, index_panel
from rag_graphs.ui.sources.load_progress import failure_cards, load_panel, work
from rag_graphs.ui.sources.queue import page_state
from rag_graphs.ui.sources.search_panel import search_panel
from rag_graphs.ui.sources.table import confirm_clearing, head, table

state = page_state()
sources = session.workspace().library.sources(session.source_ids(), session.settings())
empty = not sources and not state.waiting

head(sources)
confirm_clearing(sources)
with place(empty or state.panel == "add"):
    if empty or state.panel == "add":
        add_panel(sources, first=empty)
with place(bool(sources) and state.panel == "search"):
    if sources and state.panel == "search":
        search_panel(sources)
loading = load_panel()
indexing = index_panel(sources)
left, right = st.columns([7, 5], gap="large")
with left:
    row = table(sources)
    failure_cards()
if row:
    with right:
        detail(row, {source.id: source for source in sources})
work(loading)
index(indexing, sources)
