"""Sources: loading them safely, reading, splitting, indexing and searching them.

The names are imported when first used, because the process that reads a PDF needs few modules of this package and must start
fast.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from rag_graphs.library.library import Library
    from rag_graphs.library.types import Hit, LoadedSource, LoadReport, OnProgress, Progress, Statistics

__all__ = ["Hit", "Library", "LoadReport", "LoadedSource", "OnProgress", "Progress", "Statistics"]


def __getattr__(name: str) -> Any:
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{'library' if name == 'Library' else 'types'}"), name)
