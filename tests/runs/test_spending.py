"""The guard on spending ends a run before it can spend more than it may."""

from collections.abc import Iterator

import pytest
from langchain_core.language_models import GenericFakeChatModel
from langchain_core.messages import AIMessage

from rag_graphs.graphs.state import Document, Grade
from rag_graphs.graphs.strategies import get_strategy
from rag_graphs.runs.budget import Spending, cost_of, spent
from rag_graphs.runs.events import ModelCalled
from rag_graphs.runs.runner import run
from rag_graphs.runs.trace import Trace
from rag_graphs.settings import Settings
from tests.fakes import fake, relevance
from tests.runs.conftest import in_steps

CALL = ModelCalled(prompt_tokens=100, completion_tokens=10)


def chat_model() -> GenericFakeChatModel:
    usage = {"input_tokens": 100, "output_tokens": 10, "total_tokens": 110}
    return GenericFakeChatModel(messages=iter(AIMessage("no", usage_metadata=usage) for _ in range(1000)))


def trace_with(settings: Settings, *, stepping: bool = False) -> Trace:
    """Self-RAG with a grader that calls a model once a document and finds nothing relevant."""
    model = chat_model()

    def grade(question: str, documents: list[Document]) -> Iterator[tuple[int, Grade]]:
        for i, _ in enumerate(documents):
            model.invoke("relevant?")
            yield i, relevance(False)

    strategy, components = get_strategy("self-rag"), fake(grade_relevance=grade)
    if stepping:
        return Trace(list(in_steps(strategy, components, settings)))
    return Trace(list(run(strategy, "Why?", components, settings)))


def test_calls_and_tokens_are_counted() -> None:
    trace = trace_with(Settings())
    assert spent(trace.events) == Spending(calls=16, prompt_tokens=1600, completion_tokens=160)
    assert trace.stop_reason == "no relevant documents"


@pytest.mark.parametrize("stepping", [False, True])
@pytest.mark.parametrize(
    ("bound", "most_calls"),
    [
        ({"max_calls": 6}, 6),
        ({"max_tokens": 660}, 6),
        ({"max_cost": 0.0012, "price_prompt": 1.0, "price_completion": 10.0}, 6),
        ({"max_calls": 0}, 16),
    ],
)
def test_a_bound_ends_the_run(bound: dict[str, float], most_calls: int, stepping: bool) -> None:
    trace = trace_with(Settings().change(**bound), stepping=stepping)
    capped = trace.stop_reason == "spending cap reached"
    assert capped == (most_calls < 16)
    assert trace.llm_calls == most_calls
    if capped:
        assert "as it may" in trace.warnings[-1] or "that it may" in trace.warnings[-1]


def test_a_cost_needs_prices() -> None:
    assert Spending().add(CALL).cost(Settings()) is None
    assert Spending().add(CALL).cost(Settings(price_prompt=2.0, price_completion=8.0)) == pytest.approx(0.00028)


@pytest.mark.parametrize("price", ["abc", None, [1], {}, True, -1, float("nan"), float("inf"), 10**400])
def test_what_a_record_gives_for_a_price_and_is_none_counts_as_none(price: object) -> None:
    assert cost_of(Spending().add(CALL), {"price_prompt": price}) is None


def test_tokens_that_the_server_did_not_tell_are_unknown_not_nothing() -> None:
    total = Spending().add(CALL).add(ModelCalled())
    assert (total.calls, total.tokens, total.unknown) == (2, 110, 1)


def test_a_run_that_needs_just_what_it_may_is_not_cut() -> None:
    assert trace_with(Settings(max_calls=16)).stop_reason == "no relevant documents"
