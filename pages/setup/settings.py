"""Settings: models, keys, search, budgets, prompts, and a check of what is set up."""

import streamlit as st

from rag_graphs.ui import session, settings_head
from rag_graphs.ui.places import place
from rag_graphs.ui.settings_check import check_panel
from rag_graphs.ui.settings_models import models_section
from rag_graphs.ui.settings_prompts import prompts_section
from rag_graphs.ui.settings_values import grading_section, search_section, spending_section, strategies_section

SECTIONS = {
    "models": models_section,
    "search": search_section,
    "grading": grading_section,
    "strategies": strategies_section,
    "spending": spending_section,
    "prompts": prompts_section,
}

settings_head.head()
settings_head.notes(session.notes())
with st.container(key="check"):
    check_panel()
chosen = settings_head.section()
with place(True), st.container(key=f"section_{chosen}"):
    SECTIONS[chosen]()
