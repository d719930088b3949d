"""Settings: models, keys, search, budgets, prompts, and a check of what is set up."""

import streamlit as st

from rag_graphs.ui.settings import page_head
from rag_graphs.ui.settings.check import check_panel
from rag_graphs.ui.settings.models import models_section
from rag_graphs.ui.settings.prompts import prompts_section
from rag_graphs.ui.settings.values import grading_section, search_section, spending_section, strategies_section
from rag_graphs.ui.shared import session
from rag_graphs.ui.shared.empty_places import place

SECTIONS = {
    "models": models_section,
    "search": search_section,
    "grading": grading_section,
    "strategies": strategies_section,
    "spending": spending_section,
    "prompts": prompts_section,
}

page_head.head()
page_head.notes(session.notes())
with st.container(key="check"):
    check_panel()
chosen = page_head.section()
with place(True), st.container(key=f"section_{chosen}"):
    SECTIONS[chosen]()
