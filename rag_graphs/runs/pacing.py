"""At which pace a run is shown: how long each node stays, and how its grades and tokens follow one another."""

from __future__ import annotations

from collections.abc import Sequence

from rag_graphs.runs.events import RunEvent

WITHIN_NODE = {"graded": 1 / 6, "token": 1 / 80}
"""Shares of the pace between two events of a kind inside a node, so that grades land one after the other."""


def node_by_node(events: Sequence[RunEvent], pace: float) -> list[float]:
    """Seconds after which each recorded event is shown: every node for one pace, its grades and tokens one by one."""
    dues, due, began = [], 0.0, 0.0
    for event in events:
        due += pace * WITHIN_NODE.get(event.kind, 0.0)
        if event.kind == "node_started":
            began = due
        elif event.kind == "node_finished":
            due = max(due, began + pace)
        dues.append(due)
    return dues
