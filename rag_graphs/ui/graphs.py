"""What a page needs to know of a strategy's graph: its nodes, by which panels say what may still come."""

from __future__ import annotations

from functools import cache

from rag_graphs import Strategy, all_strategies, get_strategy, load_settings, outline_of

FIRST_CHOICE = "self-rag"


@cache
def nodes_of(key: str) -> tuple[str, ...]:
    """The nodes of a strategy's graph. Raises SettingsError for a key that is not known here."""
    return outline_of(get_strategy(key), load_settings()).nodes


def choices() -> list[Strategy]:
    """The strategies in the order in which the toggle shows them: the baseline last."""
    return sorted(all_strategies().values(), key=lambda s: s.family == "Naive RAG")
