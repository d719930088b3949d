"""Strategies: each one's graph, what speaks for and against it, questions to try, and its code."""

import streamlit as st

from rag_graphs.ui.shared import session
from rag_graphs.ui.strategies import strategy_panel
from rag_graphs.views.diagram_panel import diagram_html
from rag_graphs.views.parity_panel import parity_html

settings = session.settings()
strategy = strategy_panel.strategy_choice()

st.markdown(strategy_panel.head_html(strategy), unsafe_allow_html=True)
st.markdown(diagram_html(strategy, settings, prefix="strategy"), unsafe_allow_html=True)

about, questions = st.columns(2, gap="large")
with about:
    st.markdown(strategy_panel.about_html(strategy, settings), unsafe_allow_html=True)
with questions:
    strategy_panel.examples(strategy)
if table := parity_html(strategy):
    st.markdown(table, unsafe_allow_html=True)
strategy_panel.code(strategy, settings)
strategy_panel.broken()
