"""The meter of model calls, fed as LangChain feeds it."""

from types import SimpleNamespace
from typing import Any
from uuid import uuid4

from rag_graphs.runs.usage import CallMeter


def response(usage: dict[str, int] | None) -> Any:
    return SimpleNamespace(generations=[[SimpleNamespace(message=SimpleNamespace(usage_metadata=usage))]])


class Clock:
    """Stands still until it is set."""

    now = 0.0

    def __call__(self) -> float:
        return self.now


def test_a_call_is_recorded_with_role_model_tokens_and_seconds() -> None:
    clock, call = Clock(), uuid4()
    m = CallMeter(clock)
    m.on_chat_model_start({}, [], run_id=call, tags=["x", "role:grade"], metadata={"ls_model_name": "small"})
    clock.now = 1.5
    m.on_llm_end(response({"input_tokens": 12, "output_tokens": 3}), run_id=call)
    assert m.drain() == [
        {
            "kind": "model_called",
            "role": "grade",
            "model": "small",
            "prompt_tokens": 12,
            "completion_tokens": 3,
            "seconds": 1.5,
        }
    ]
    assert m.drain() == [], "each call is told once"


def test_unknown_counts_are_none_and_not_zero() -> None:
    m, call = CallMeter(), uuid4()
    m.on_chat_model_start({}, [], run_id=call)
    m.on_llm_end(response(None), run_id=call)
    (told,) = m.drain()
    assert (told["prompt_tokens"], told["completion_tokens"], told["role"], told["model"]) == (None, None, "", "")


def test_a_failed_call_is_a_call() -> None:
    m, call = CallMeter(), uuid4()
    m.on_chat_model_start({}, [], run_id=call, tags=["role:generate"])
    m.on_llm_error(ConnectionError(), run_id=call)
    assert [c["role"] for c in m.drain()] == ["generate"]


def test_calls_side_by_side_are_told_apart() -> None:
    m, first, second = CallMeter(), uuid4(), uuid4()
    m.on_chat_model_start({}, [], run_id=first, tags=["role:a"])
    m.on_chat_model_start({}, [], run_id=second, tags=["role:b"])
    m.on_llm_end(response({"input_tokens": 1, "output_tokens": 1}), run_id=second)
    m.on_llm_end(response({"input_tokens": 2, "output_tokens": 2}), run_id=first)
    assert [(c["role"], c["prompt_tokens"]) for c in m.drain()] == [("b", 1), ("a", 2)]
