"""The strategies: one file each, found by itself. A file holds a `build` function and a `STRATEGY`."""

from __future__ import annotations

from functools import cache
from importlib import import_module
from pkgutil import iter_modules

from rag_graphs.errors import SettingsError
from rag_graphs.graphs.strategy import Strategy


@cache
def all_strategies() -> dict[str, Strategy]:
    """Every strategy by its key, in the order in which they are shown."""
    modules = [import_module(f"{__name__}.{m.name}") for m in iter_modules(__path__)]
    return {s.key: s for s in sorted((m.STRATEGY for m in modules), key=lambda s: (s.order, s.key))}


def get_strategy(key: str) -> Strategy:
    """The strategy of this key. Raises SettingsError, naming the right keys."""
    known = all_strategies()
    if key not in known:
        raise SettingsError(f"There is no strategy {key!r}. Strategies: {', '.join(known)}.")
    return known[key]
