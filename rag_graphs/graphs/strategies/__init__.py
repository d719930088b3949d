"""The strategies. Each file of this folder holds one: a `build` function and a `STRATEGY`. A new file is found without being
listed anywhere. Others come from outside: files of the operator's own, and installed packages."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from importlib import import_module
from pkgutil import iter_modules
from threading import Lock

from rag_graphs.errors import SettingsError
from rag_graphs.graphs.outside import BrokenStrategy, outside_strategies
from rag_graphs.graphs.strategy import Strategy
from rag_graphs.settings import load_settings

_ONE_AT_A_TIME = Lock()


def all_strategies() -> dict[str, Strategy]:
    """Return all strategies by key, in the order in which they are shown: those from outside come last."""
    with _ONE_AT_A_TIME:
        return _find()[0]


def broken_strategies() -> tuple[BrokenStrategy, ...]:
    """Return the strategies from outside that cannot be used."""
    with _ONE_AT_A_TIME:
        return _find()[1]


@cache
def _find() -> tuple[dict[str, Strategy], tuple[BrokenStrategy, ...]]:
    """Load all strategies, once in a process."""
    own = _in_order(import_module(f"{__name__}.{m.name}").STRATEGY for m in iter_modules(__path__))
    others, broken = outside_strategies(load_settings(), own)
    return own | _in_order(others), tuple(broken)


def _in_order(strategies: Iterable[Strategy]) -> dict[str, Strategy]:
    return {s.key: s for s in sorted(strategies, key=lambda s: (s.order, s.key))}


def get_strategy(key: str) -> Strategy:
    """Return the strategy of this key. Raises SettingsError, which names the valid keys."""
    strategies = all_strategies()
    if key not in strategies:
        raise SettingsError(f"There is no strategy {key!r}. Strategies: {', '.join(strategies)}.")
    return strategies[key]
