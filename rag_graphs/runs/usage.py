"""Counting chat model calls: a LangChain callback handler that the runner hangs on every run."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from queue import Empty, SimpleQueue
from threading import Lock
from typing import Any
from uuid import UUID

from langchain_core.callbacks import BaseCallbackHandler

from rag_graphs.errors import SpendingCapReached

Call = dict[str, Any]
Clock = Callable[[], float]


class CallMeter(BaseCallbackHandler):
    """Collects a record of each chat model call, from whatever thread makes it. A call's role is its tag `role:NAME`.

    `refuse(calls begun, calls ended)` is asked before each call: with a reason in words it raises SpendingCapReached, so
    that the call is never made. `earlier`: calls that the same run has made before, under another meter.
    """

    raise_error = True

    def __init__(
        self,
        clock: Clock = time.perf_counter,
        refuse: Callable[[int, list[Call]], str] = lambda begun, ended: "",
        earlier: Sequence[Call] = (),
    ) -> None:
        self._refuse, self._clock = refuse, clock
        self._lock = Lock()
        self._count = len(earlier)
        self._ended = list(earlier)
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
        with self._lock:
            if reason := self._refuse(self._count, self._ended):
                raise SpendingCapReached(reason)
            self._count += 1
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
        if 400 <= getattr(error, "status_code", 0) < 500:  # the server refused: no model ran, nothing was used
            self._begun.pop(run_id, None)
            with self._lock:
                self._count -= 1
            return
        self._record(run_id, {})

    def on_custom_event(self, name: str, data: Any, **_: Any) -> None:
        """A component's warning, from whatever thread: it becomes an event of the run as calls do."""
        if name == "warned":
            self._calls.put({"kind": "warned", **data})

    def _record(self, run_id: UUID, usage: dict[str, Any]) -> None:
        begun, role, model = self._begun.pop(run_id, (self._clock(), "", ""))
        call = {
            "role": role,
            "model": model,
            "prompt_tokens": usage.get("input_tokens"),
            "completion_tokens": usage.get("output_tokens"),
            "seconds": self._clock() - begun,
        }
        with self._lock:
            self._ended.append(call)
        self._calls.put({"kind": "model_called", **call})

    def drain(self) -> list[Call]:
        """The calls that ended since the last drain, and the warnings that came in between, each with its kind."""
        calls: list[Call] = []
        while True:
            try:
                calls.append(self._calls.get_nowait())
            except Empty:
                return calls
