"""A table for each family that compares its paper, the common LangGraph versions and this project."""

from __future__ import annotations

from rag_graphs.graphs.parity import adaptive, crag, naive, self_rag
from rag_graphs.graphs.parity.row import Here, Parity, ParityRow

__all__ = ["PARITY", "Here", "Parity", "ParityRow"]

PARITY: dict[str, Parity] = {table.family: table for table in (naive.TABLE, self_rag.TABLE, crag.TABLE, adaptive.TABLE)}
"""The table of each family."""
