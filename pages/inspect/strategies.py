"""Strategies: each one's graph, what speaks for and against it, questions to try, and its code."""

from rag_graphs.ui.strategies.strategy_panel import strategy_page

strategy_page()
