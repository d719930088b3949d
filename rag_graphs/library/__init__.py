"""Sources: loading them safely, reading, splitting, indexing and searching them."""

from rag_graphs.library.library import Library
from rag_graphs.library.types import Hit, LoadReport, OnProgress, Progress, Source, Statistics

__all__ = ["Hit", "Library", "LoadReport", "OnProgress", "Progress", "Source", "Statistics"]
