"""Settings: models, keys, search, budgets, prompts, and a check of what is set up."""

import streamlit as st

from rag_graphs.ui.settings import head
from rag_graphs.ui.settings.check import check_panel
from rag_graphs.ui.settings.models import models_section
from rag_graphs.ui.settings.prompts import prompts_section
from rag_graphs.ui.settings.values import grading_section, search_section, spending_section, strategies_section
from rag_graphs.ui.shared import session
from rag_graphs.ui.shared.places import place

SECTIONS = {
    "models": models_section,
    "search": search_section,
    "grading": grading_section,
    "strategies": strategies_section,
    "spending": spending_section,
    "prompts": prompts_section,
}

head.head()
head.notes(session.notes())
with st.container(key="check"):
    check_panel()
chosen = head.section()
with place(True), st.container(key=f"section_{chosen}"):
    SECTIONS[chosen]()
