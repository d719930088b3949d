"""Run events: everything that happens in a run and can be shown of it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter

from rag_graphs.graphs.state import Document, Grade, JudgedDraft, RagState, StopReason, Turn, apply, field_names

TRACE_VERSION = 2


class _Event(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid", allow_inf_nan=False)
    at: float = Field(0.0, ge=0, le=1e9, description="seconds since the run's start")
    node: str = Field("", max_length=100)
    attempt: int = Field(0, ge=0, le=100_000, description="how often this node has started, this time included")


class RunStarted(_Event):
    kind: Literal["run_started"] = "run_started"
    version: int = TRACE_VERSION
    run_id: str = Field(max_length=64)
    strategy: str = Field(max_length=64)
    question: str
    history: list[Turn] = Field(default_factory=list)
    settings: dict[str, Any] = Field(default_factory=dict)
    engine: str = ""
    started: str = Field("", max_length=32, description="UTC, ISO 8601")
    sources: list[str] = Field(default_factory=list)
    parent: str = Field("", max_length=64, description="the run that this one was forked from")
    forked_at: int = Field(0, ge=0, description="how many events after this one are the parent's")
    conversation: str = Field("", max_length=64, description="the conversation that it is part of")


class NodeStarted(_Event):
    kind: Literal["node_started"] = "node_started"


class Retrieved(_Event):
    kind: Literal["retrieved"] = "retrieved"
    documents: list[Document] = Field(max_length=500)


class Graded(_Event):
    """`index` counts this round's documents from 0; None for a grade of the answer."""

    kind: Literal["graded"] = "graded"
    grade: Grade
    index: int | None = Field(None, ge=0)


class Drafted(_Event):
    """A draft from this round's document of that index, with its judgements."""

    kind: Literal["drafted"] = "drafted"
    index: int = Field(ge=0)
    draft: JudgedDraft


class Token(_Event):
    kind: Literal["token"] = "token"
    text: str


class ModelCalled(_Event):
    """A call of a chat model. Counts of tokens that the server did not tell are None."""

    kind: Literal["model_called"] = "model_called"
    role: str = ""
    model: str = ""
    prompt_tokens: int | None = None
    completion_tokens: int | None = None
    seconds: float = 0.0


class NodeFinished(_Event):
    """`update`: the fields of the state that the node changed, as plain JSON data."""

    kind: Literal["node_finished"] = "node_finished"
    seconds: float = 0.0
    update: dict[str, Any] = Field(default_factory=dict)


class Paused(_Event):
    """A run in step mode waits before `node`, the one that comes next."""

    kind: Literal["paused"] = "paused"


class Edited(_Event):
    """Someone changed the state while the run was paused; `node`: the node that had finished before, or ''."""

    kind: Literal["edited"] = "edited"
    update: dict[str, Any] = Field(default_factory=dict)


class EdgeTaken(_Event):
    """From `source` (or START) to `target` (or END); `outcome` is empty for a plain edge."""

    kind: Literal["edge_taken"] = "edge_taken"
    source: str
    target: str
    outcome: str = ""


class Warned(_Event):
    kind: Literal["warned"] = "warned"
    message: str


class RunFinished(_Event):
    kind: Literal["run_finished"] = "run_finished"
    stop_reason: StopReason
    answer: str = ""


class RunFailed(_Event):
    kind: Literal["run_failed"] = "run_failed"
    message: str
    error: str = Field("", description="the exception's class")


class RunStopped(_Event):
    kind: Literal["run_stopped"] = "run_stopped"


RunEvent = Annotated[
    RunStarted
    | NodeStarted
    | Retrieved
    | Graded
    | Drafted
    | Token
    | ModelCalled
    | NodeFinished
    | Paused
    | Edited
    | EdgeTaken
    | Warned
    | RunFinished
    | RunFailed
    | RunStopped,
    Field(discriminator="kind"),
]
_EVENTS: TypeAdapter[list[RunEvent]] = TypeAdapter(list[RunEvent])
_STATE = TypeAdapter(RagState)
ENDS = ("run_finished", "run_failed", "run_stopped")


def dump_events(events: Sequence[RunEvent]) -> list[dict[str, Any]]:
    """Events as JSON data."""
    dumped: list[dict[str, Any]] = _EVENTS.dump_python(list(events), mode="json")
    return dumped


def load_events(data: Any) -> list[RunEvent]:
    """Events from JSON data. Raises ValidationError."""
    return _EVENTS.validate_python(data)


def plain(update: dict[str, Any]) -> dict[str, Any]:
    """A node's update as JSON data. Raises TypeError for a field that the state does not declare."""
    dumped = _STATE.dump_python(apply(RagState(), update), mode="json")
    return {name: dumped[name] for name in update}


def restore(state: RagState, update: dict[str, Any]) -> RagState:
    """The state after a recorded update. Raises TypeError or ValidationError for one that no node returns."""
    if wrong := set(update) - (field_names() - {"question"}):
        raise TypeError(f"No node changes {', '.join(sorted(wrong))}.")
    typed = _STATE.validate_python(update)
    return apply(state, {name: getattr(typed, name) for name in update})
