"""Describe a node's last run for its box: read from the events alone, because rebuilding states takes long in a drawing."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rag_graphs.runs.events import RunEvent


class NodeRun:
    """Describe a node's run. `number`: how often the node had started by then. `found`: number of documents of the search
    before or in it. `strips`: number of strips that earlier nodes made. `update`: what it changed, as JSON data; None while
    it runs. `settings`: the run's, as recorded."""

    def __init__(self, number: int, found: int, strips: int, settings: Mapping[str, Any]) -> None:
        self.number, self.found, self.strips, self.settings = number, found, strips, settings
        self.grades: dict[tuple[str, int | None], bool | None] = {}
        self.update: dict[str, Any] | None = None

    @property
    def over(self) -> bool:
        return self.update is not None

    def changed(self, name: str) -> Any:
        """Return what the node made of a field of the state, or None."""
        return (self.update or {}).get(name)

    def add(self, event: RunEvent) -> None:
        """Take in an event of the node's run."""
        if event.kind == "retrieved":
            self.found = len(event.documents)
        elif event.kind == "graded":
            self.grades[(event.grade.aspect, event.index)] = event.grade.passed
        elif event.kind == "node_finished":
            self.update = event.update
