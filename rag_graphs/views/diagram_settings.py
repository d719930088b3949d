"""Tell a page what it needs to know of strategies: their families, what each is called, and the nodes of a graph."""

from __future__ import annotations

import json
from functools import cache, lru_cache

from rag_graphs.graphs.outline import outline_of
from rag_graphs.graphs.strategies import all_strategies, get_strategy
from rag_graphs.graphs.strategy import Strategy
from rag_graphs.runs.trace import Trace
from rag_graphs.settings import Settings, load_settings
from rag_graphs.views.translation import _

FIRST_CHOICE = "self-rag"


def nodes_of(key: str, settings: Settings) -> tuple[str, ...]:
    """Return the nodes of a strategy's graph under these settings. Raises SettingsError for a key that is not known here."""
    return _nodes(key, json.dumps(settings.public(), sort_keys=True))


@lru_cache(maxsize=256)
def _nodes(key: str, recorded: str) -> tuple[str, ...]:
    """Return the nodes, kept because building a graph takes milliseconds and a page asks for them in every frame."""
    return outline_of(get_strategy(key), _shaped(recorded)).nodes


def settings_of(trace: Trace | None, settings: Settings) -> Settings:
    """Return the settings that shaped a run's graph and its budgets; before any run `settings`, those of the next one."""
    return settings if trace is None else _shaped(json.dumps(trace.head.settings, sort_keys=True))


@lru_cache(maxsize=64)
def _shaped(recorded: str) -> Settings:
    """Return recorded settings as an object, kept because checking settings takes milliseconds. They are kept for all
    visitors, so they are based on the server's settings, never on a visitor's."""
    return load_settings().as_recorded(json.loads(recorded))


def choices() -> list[Strategy]:
    """Return the strategies in the order of the toggle: the baseline last."""
    return sorted(all_strategies().values(), key=lambda s: s.family == "Naive RAG")


@cache
def families() -> dict[str, tuple[Strategy, ...]]:
    """Return the strategies by family, each family with its standard one first."""
    names = dict.fromkeys(s.family for s in choices())
    return {name: tuple(s for s in choices() if s.family == name) for name in names}


def is_standard(strategy: Strategy) -> bool:
    """Is the strategy the first of its family, the one that people know by the family's name?"""
    return families()[strategy.family][0] == strategy


def strategy_name(strategy: Strategy) -> str:
    """Return the name of a strategy for places that do not show its family."""
    return _(strategy.short_title if is_standard(strategy) else strategy.title)


def variant_name(strategy: Strategy) -> str:
    """Return the name of a strategy among those of its family."""
    return _("Standard") if is_standard(strategy) else _(strategy.short_title)
