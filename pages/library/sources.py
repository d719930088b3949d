"""Sources: load pages and texts, read their chunks, test a search."""

import streamlit as st

from rag_graphs.ui import session
from rag_graphs.ui.sources_add import add_panel
from rag_graphs.ui.sources_detail import detail
from rag_graphs.ui.sources_loading import failure_cards, load_panel, work
from rag_graphs.ui.sources_search import search_panel
from rag_graphs.ui.sources_state import page_state
from rag_graphs.ui.sources_table import confirm_clearing, head, table
from rag_graphs.ui.sources_words import complete_collections

state = page_state()
sources = session.workspace().library.sources(session.source_ids(), session.settings())
empty = not sources and not state.waiting

# each of these draws one thing, perhaps an empty one: what follows keeps its place, and nothing of before shines through
head(sources)
confirm_clearing(sources)
if empty or state.panel == "add":
    add_panel(complete_collections(sources), first=empty)
elif state.panel == "search" and sources:
    search_panel(sources)
else:
    st.empty()
line = load_panel()
left, right = st.columns([7, 5], gap="large")
with left:
    row = table(sources)
    failure_cards()
if row:
    with right:
        detail(row, {source.id: source for source in sources})
work(line)
