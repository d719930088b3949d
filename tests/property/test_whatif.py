"""Whatever is changed wherever in whatever run: the child repeats its parent up to there, asks only for what comes after,
takes the edges that the changed state implies, and ends."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rag_graphs.graphs.components import Components
from rag_graphs.graphs.outline import graph_of
from rag_graphs.graphs.state import Update
from rag_graphs.graphs.strategies import get_strategy
from rag_graphs.graphs.strategy import NOTHING
from rag_graphs.runs.comparison import compare
from rag_graphs.runs.runner import ForkRequest, fork
from rag_graphs.runs.trace import Trace
from rag_graphs.runs.whatif import offers_at, parse_change, update_at
from rag_graphs.settings import Settings
from tests.fakes import VARIANTS
from tests.property.choices import picked
from tests.property.test_forks import CHOICES, Script, parent_and_marks

ASKED_BY = {
    "retrieve": "retrieve",
    "grade_documents": "grade_relevance",
    "generate": "generate",
    "grade_answer": "grade_answer",
    "rewrite_query": "rewrite",
    "search_web": "search_web",
    "route_question": "route",
    "give_up": "conclude",
    "generate_directly": "generate_directly",
    "decide_retrieval": "decide_retrieval",
    "draft_answers": "draft",
    "evaluate_retrieval": "evaluate",
    "refine": "score_strips",
    "refine_web": "score_strips",
    "classify_complexity": "classify",
    "retrieve_more": "retrieve",
    "reason_step": "reason",
    "condense_question": "condense",
}
"""Node -> the component that it asks, once each time it runs."""
ALIKE = {"retrieve": "retrieve_many", "route": "route_direct"}
"""The same, where a strategy asks for more documents or for a third route."""


def counted(components: Components, asked: Counter[str]) -> Components:
    def counting(name: str) -> Any:
        original = getattr(components, name)

        def ask(*given: Any) -> Any:
            asked[name] += 1
            return original(*given)

        return ask

    return replace(components, **{name: counting(name) for name in (*ALIKE.values(), *ASKED_BY.values())})


def implied(child: Trace, chosen: Settings) -> list[str]:
    """The outcome of each conditional edge, worked out from the recorded states alone."""
    graph = graph_of(get_strategy(child.head.strategy), NOTHING, chosen)
    found = []
    for visit in child.visits:
        following = child.visits[visit.index + 1].before if visit.index + 1 < len(child.visits) else child.state
        for branch in graph.branches.get(visit.node, {}).values():
            found.append(str(branch.path.invoke(following)))
    return found


@pytest.mark.parametrize("variant", list(VARIANTS))
@settings(max_examples=8, deadline=None)
@given(data=st.data(), choices=CHOICES, later=CHOICES)
def test_any_change_anywhere(variant: str, data: st.DataObject, choices: list[int], later: list[int]) -> None:
    parent, _ = parent_and_marks(variant, choices)
    key, own = VARIANTS[variant]
    chosen = Settings(**own)
    # twice: a fork of a fork is a fork like any other
    for _ in range(2):
        at = data.draw(st.integers(-1, len(parent.visits) - 1), label="at")
        offer = data.draw(st.sampled_from([None, *offers_at(parent, at)]), label="offer")
        update: Update = update_at(parent, at, parse_change(offer.change.model_dump_json())) if offer else {}
        asked: Counter[str] = Counter()
        components = counted(picked(Script(later)), asked)
        request = ForkRequest(
            parent=parent, at=at, change=update, strategy=get_strategy(key), components=components, settings=chosen
        )
        child = Trace(list(fork(request)))

        assert child.events[-1].kind == "run_finished"
        assert child.head.parent == parent.head.run_id
        # all but the end of the changed node, and the grades that were set by hand
        end = max((i for i, e in enumerate(child.events[: child.head.forked_at + 1]) if e.kind != "graded"), default=0)
        shared = child.events[1:end] if at >= 0 else ()
        theirs = [e for e in parent.events[1:] if e.kind != "model_called"]
        by_hand = [e for e in shared if e not in theirs]
        own = [e for e in shared if e not in by_hand]
        different = [(mine, its) for mine, its in zip(own, theirs, strict=False) if mine != its]
        assert not different[:1]  # the whole lists take pytest minutes to compare in words
        assert len(own) == len(shared) - len(by_hand)
        assert all(e.kind == "graded" and e.grade.reason.startswith("Set by hand.") for e in by_hand)
        assert child.path[: at + 1] == parent.path[: at + 1]
        if chosen.gate != "attempt" and {*child.path} <= {
            *ASKED_BY,
            "rank_drafts",
        }:  # there, what is asked depends on what the attempt says
            for name, as_well in ALIKE.items():
                asked[name] += asked.pop(as_well, 0)
            del asked["conclude" if "rank_drafts" in child.path else ""]
            assert +asked == Counter(ASKED_BY[node] for node in child.path[at + 1 :] if node != "rank_drafts")
        assert [e.outcome for e in child.edges if e.outcome] == implied(child, chosen)
        assert Trace.from_json(child.to_json()).state == child.state
        assert compare(parent, child).path == tuple(parent.path[: at + 1])
        parent = child
