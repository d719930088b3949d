"""What a change by hand adds to a run's record beside itself: the grades that it sets land like any others."""

from __future__ import annotations

from collections.abc import Iterator

from rag_graphs.graphs.state import RagState
from rag_graphs.runs.events import Graded


def regraded(before: RagState, after: RagState, *, at: float, node: str, attempt: int) -> Iterator[Graded]:
    """An event for each grade that differs between the states before and after a change; `node` is the one whose grades
    they were."""
    if len(before.relevance) == len(after.relevance):
        for index, grade in enumerate(after.relevance):
            if grade != before.relevance[index]:
                yield Graded(at=at, node=node, attempt=attempt, index=index, grade=grade)
    for was, now in ((before.grounded, after.grounded), (before.useful, after.useful)):
        if was and now and was != now:
            yield Graded(at=at, node=node, attempt=attempt, grade=now)
