"""The panel of drafts and the run agree on which draft wins, whatever the judgements, the weights and the settings."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from rag_graphs.graphs.critique_scores import SUPPORT, USE
from rag_graphs.graphs.state import Document, JudgedDraft
from rag_graphs.graphs.strategies import get_strategy
from rag_graphs.runs.from_trace import drafts_of
from rag_graphs.runs.runner import run
from rag_graphs.runs.trace import Trace
from rag_graphs.settings import Settings
from tests.fakes import DOCS, fake, judged

JUDGED = st.tuples(
    st.sampled_from([True, False, None]), st.sampled_from([*SUPPORT, "unclear"]), st.sampled_from([*USE])
)
"""Relevant, supported, useful."""
WEIGHT = st.sampled_from([0.0, 0.5, 1.0, 5.0])


@given(
    judgements=st.lists(JUDGED, min_size=len(DOCS), max_size=len(DOCS)),
    empty=st.sets(st.integers(0, len(DOCS) - 1)),
    order=st.permutations(range(len(DOCS))),
    weights=st.tuples(WEIGHT, WEIGHT, WEIGHT),
    keep_unclear=st.booleans(),
)
def test_the_first_of_the_ranking_is_the_answer(
    judgements: list[tuple[Any, str, str]],
    empty: set[int],
    order: list[int],
    weights: tuple[float, float, float],
    keep_unclear: bool,
) -> None:
    def drafted(question: str, documents: list[Document]) -> list[tuple[int, JudgedDraft]]:
        made = [judged(d, *judgement) for d, judgement in zip(documents, judgements, strict=True)]
        return [(i, replace(made[i], text="") if i in empty else made[i]) for i in order]

    names = ("weight_relevance", "weight_support", "weight_use")
    settings = Settings(keep_unclear=keep_unclear, **dict(zip(names, weights, strict=True)))  # type: ignore[arg-type]
    components = fake(draft=lambda question, documents: iter(drafted(question, documents)))
    trace = Trace(list(run(get_strategy("self-rag-critique"), "Why?", components, settings)))

    drafts = drafts_of(trace)
    assert drafts
    first = drafts.ranking(drafts.weights)[0][0]
    if drafts.may_win(first):
        assert trace.state.answers[-1].documents == [first.document]
        assert trace.state.answer == first.text
    else:
        assert trace.stop_reason == "no relevant documents"
    assert {d.document.id for d in drafts.landed} == {d.id for d in DOCS}
