"""Counting chat model calls: a LangChain callback handler that the runner hangs on every run."""

from __future__ import annotations

import time
from collections.abc import Callable
from queue import Empty, SimpleQueue
from typing import Any
from uuid import UUID

from langchain_core.callbacks import BaseCallbackHandler

Call = dict[str, Any]


class CallMeter(BaseCallbackHandler):
    """Collects a record of each chat model call, from whatever thread makes it. A call's role is its tag `role:NAME`."""

    def __init__(self, clock: Callable[[], float] = time.perf_counter) -> None:
        self._clock = clock
        self._begun: dict[UUID, tuple[float, str, str]] = {}
        self._calls: SimpleQueue[Call] = SimpleQueue()

    def on_chat_model_start(
        self,
        serialized: Any,
        messages: Any,
        *,
        run_id: UUID,
        tags: list[str] | None = None,
        metadata: Any = None,
        **_: Any,
    ) -> None:
        role = next((t.removeprefix("role:") for t in tags or [] if t.startswith("role:")), "")
        model = str((metadata or {}).get("ls_model_name", ""))
        self._begun[run_id] = (self._clock(), role, model)

    def on_llm_end(self, response: Any, *, run_id: UUID, **_: Any) -> None:
        usage: dict[str, Any] = {}
        for generations in response.generations:
            for generation in generations:
                usage = getattr(getattr(generation, "message", None), "usage_metadata", None) or usage
        self._record(run_id, usage)

    def on_llm_error(self, error: BaseException, *, run_id: UUID, **_: Any) -> None:
        self._record(run_id, {})

    def _record(self, run_id: UUID, usage: dict[str, Any]) -> None:
        begun, role, model = self._begun.pop(run_id, (self._clock(), "", ""))
        self._calls.put(
            {
                "kind": "model_called",
                "role": role,
                "model": model,
                "prompt_tokens": usage.get("input_tokens"),
                "completion_tokens": usage.get("output_tokens"),
                "seconds": self._clock() - begun,
            }
        )

    def drain(self) -> list[Call]:
        """The calls that ended since the last drain."""
        calls: list[Call] = []
        while True:
            try:
                calls.append(self._calls.get_nowait())
            except Empty:
                return calls
