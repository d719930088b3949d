"""What a visit keeps between two runs of a page: every value and every widget that is read back, each with its type.

No other file of the pages reaches Streamlit's session. All of it is gone when the visitor closes the tab; what outlasts the
visit is in the workspace's store.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Generic, Literal, TypedDict, TypeVar, cast

import streamlit as st

if TYPE_CHECKING:
    from streamlit.runtime.uploaded_file_manager import UploadedFile

    from rag_graphs import Allowance, Change, Check, LoadReport, Offer, Run, Settings, Spending, Trace
    from rag_graphs.views.player import Player, Speed


T = TypeVar("T")


@dataclass(frozen=True)
class Kept(Generic[T]):
    """A value of the visit. `key` is its name in the session, and the `key=` of its widget if it has one; `default` makes what
    is read until a value is set."""

    key: str
    default: Callable[[], T]

    def get(self) -> T:
        """Read it. A default is not kept: a widget may have one of its own."""
        return cast("T", st.session_state[self.key]) if self.is_set() else self.default()

    def get_kept(self) -> T:
        """Read it, and keep the default from now on, so that it can be filled in place."""
        if not self.is_set():
            self.set(self.default())
        return self.get()

    def set(self, value: T) -> None:
        """Keep this value."""
        st.session_state[self.key] = value

    def take(self) -> T:
        """Read it for the last time."""
        value = self.get()
        self.forget()
        return value

    def forget(self) -> None:
        """Keep it no longer."""
        st.session_state.pop(self.key, None)

    def is_set(self) -> bool:
        """Is there a value already?"""
        return self.key in st.session_state


def nothing() -> None:
    """Return None: the default of what may be missing."""


# This visitor: who they are, what they chose, the keys that they entered.
visitor_id = Kept("visitor_id", str)
source_ids: Kept[list[str]] = Kept("source_ids", list)
choices: Kept[dict[str, Any]] = Kept("choices", dict)
own_keys: Kept[dict[str, str]] = Kept("own_keys", dict)
allowances: Kept[list[tuple[object, Allowance]]] = Kept("allowances", list)
"""The last few questions for what this server allows, each with its answer."""
server_settings: Kept[tuple[float, Settings] | None] = Kept("server_settings", nothing)
"""The server's settings, and when they were read."""
counted: Kept[list[str]] = Kept("counted", list)
"""The runs whose spending belongs to this visit."""
accounts: Kept[dict[str, tuple[Spending, float | None]]] = Kept("accounts", dict)
"""What each run that is over has spent."""


def setting(name: str) -> Kept[Any]:
    """The widget of a setting."""
    return Kept(f"setting_{name}", nothing)


# The run that is shown.
shown_run = Kept("shown_run", str)
played: Kept[Run | None] = Kept("played", nothing)
"""The run that is played again."""
shown_traces: Kept[dict[str, Trace]] = Kept("shown_traces", dict)
moved_sliders: Kept[dict[str, dict[str, float]]] = Kept("moved_sliders", dict)
"""The numbers that were tried on a run, by run."""


def trial_slider(name: str, run_id: str) -> Kept[float | None]:
    """A slider that tries a number. Each run has its own, so that the next one begins with its own numbers."""
    return Kept(f"try_{name}_{run_id}", nothing)


# Ask.
class Preset(TypedDict):
    """An example of the Strategies page, as the Ask page takes it over."""

    strategy: str
    question: str
    collections: list[str]
    settings: dict[str, object]


question = Kept("question", str)
question_of = Kept("question_of", str)
"""The run whose question was put into the box."""
wish = Kept("wish", str)
"""The question that is asked when the page runs next."""
wish_settings: Kept[dict[str, object]] = Kept("wish_settings", dict)
load_first = Kept("load_first", bool)
"""Whether the wished question waits for what is being loaded."""
ask_preset: Kept[Preset | None] = Kept("ask_preset", nothing)
only_now: Kept[tuple[str, Mapping[str, object]]] = Kept("only_now", lambda: ("", {}))
"""A run, and the settings that hold for it alone."""
strategy = Kept("strategy", str)
"""The key of the next run's strategy."""
variants: Kept[dict[str, str]] = Kept("variants", dict)
"""The strategy that was chosen last in each family."""
conversing = Kept("conversing", bool)
"""Whether each question follows those before it; off in a new tab."""
conversation = Kept("conversation", str)
conversation_unknown = Kept("conversation_unknown", bool)
stepping = Kept("stepping", bool)
step_complaint = Kept("step_complaint", str)
own_addresses = Kept("own_addresses", str)
own_complaint = Kept("own_complaint", str)


def variant(family: str) -> Kept[str]:
    """The choice among the variants of a family."""
    return Kept(f"variant_{family}", str)


def scrubbed(run_id: str) -> Kept[int | None]:
    """The position of the scrubber."""
    return Kept(f"step_{run_id}", nothing)


def edit(pause: str, number: int) -> Kept[object]:
    """A change that can be made at a pause in step mode: a box that was ticked, or a text."""
    return Kept(f"edit_{pause}_{number}", nothing)


# Traces.
@dataclass(frozen=True, kw_only=True)
class ForkWish:
    """Go on from this run after the visit of that index (-1: from the start), with something changed."""

    trace: Trace
    visit: int
    change: Change


runs_page = Kept("runs_page", int)
deleting = Kept("deleting", str)
"""The run that the visitor is asked about before it is deleted."""
uploads = Kept("uploads", int)
upload_complaint = Kept("upload_complaint", str)
player: Kept[Player | None] = Kept("player", nothing)
speed: Kept[Speed] = Kept("speed", lambda: "nodes")
fork_wish: Kept[ForkWish | None] = Kept("fork_wish", nothing)
fork_offers: Kept[dict[tuple[str, int], list[Offer]]] = Kept("fork_offers", dict)
"""What can be changed after a visit of a run."""


def upload(number: int) -> Kept[UploadedFile | None]:
    """The file to import. Another number makes another widget, which is empty."""
    return Kept(f"upload_{number}", nothing)


def replayed(run_id: str) -> Kept[int | None]:
    """The chosen position of a replay."""
    return Kept(f"at_{run_id}", nothing)


def paused(run_id: str) -> Kept[int]:
    """The number of events after which a replay was paused inside a step."""
    return Kept(f"paused_{run_id}", int)


def replay_slider(run_id: str) -> Kept[int]:
    """The slider of a replay."""
    return Kept(f"slide_{run_id}", int)


def typed_change(run_id: str, step: int, number: int) -> Kept[str]:
    """A text that a what-if goes on with."""
    return Kept(f"typed_{run_id}_{step}_{number}", str)


# Strategies.
shown_strategy = Kept("shown_strategy", str)
strategy_of_address = Kept("strategy_of_address", str)


# Settings.
@dataclass(frozen=True)
class OfferedModels:
    """The names of the models that a server offers, or why there are none."""

    names: tuple[str, ...] = ()
    problem: str = ""


offers: Kept[dict[str, OfferedModels]] = Kept("offers", dict)
"""What each server offers, by protocol."""
providers: Kept[dict[str, str]] = Kept("providers", dict)
"""The provider that was chosen for a role whose model has no name yet."""
complaints: Kept[dict[str, str]] = Kept("complaints", dict)
prompt_complaints: Kept[dict[str, str]] = Kept("prompt_complaints", dict)
check_wished = Kept("check_wished", bool)
checked: Kept[list[Check]] = Kept("checked", list)
checked_with: Kept[tuple[object, ...]] = Kept("checked_with", tuple)
"""The set-up that was checked."""


def provider(role: str) -> Kept[str]:
    """The choice of a role's provider."""
    return Kept(f"provider_{role}", str)


def model_name(role: str, provider: str) -> Kept[str | None]:
    """The choice of a role's model among those of a provider."""
    return Kept(f"name_{role}_{provider}", nothing)


def typed(name: str) -> Kept[str]:
    """The box for a key or an address."""
    return Kept(f"typed_{name}", str)


def prompt(role: str) -> Kept[str]:
    """The box for a prompt."""
    return Kept(f"prompt_{role}", str)


# Sources.
Panel = Literal["", "add", "search"]


@dataclass(frozen=True, kw_only=True)
class Job:
    """One thing to load. `what` is an address, a file's name, a text or the key of a sample collection; `data` are the file's
    bytes; `title` names it on the screen; `replaces` is the id of the source that the new content takes the place of."""

    kind: Literal["address", "file", "text", "samples"]
    what: str
    title: str = ""
    replaces: str = ""
    data: bytes = field(default=b"", repr=False)

    @property
    def name(self) -> str:
        return self.title or self.what

    @property
    def can_be_repeated(self) -> bool:
        """A file that failed is not kept, and would fail again."""
        return self.kind != "file"


@dataclass
class SourcesPage:
    """What is loaded and shown on the Sources page. `results` and `failures` are keyed by address, so that a repeated load
    replaces its line; `results` are those of the last load."""

    waiting: list[Job] = field(default_factory=list)
    total: int = 0
    results: dict[str, LoadReport] = field(default_factory=dict)
    failures: dict[str, tuple[Job, LoadReport]] = field(default_factory=dict)
    selected: str = ""
    panel: Panel = ""
    clearing: bool = False
    complaint: str = ""
    batch: int = 0

    @property
    def done(self) -> int:
        return self.total - len(self.waiting)

    def failed(self) -> list[LoadReport]:
        return [report for _, report in self.failures.values()]


sources_page = Kept("sources_page", SourcesPage)
add_addresses = Kept("add_addresses", str)
add_title = Kept("add_title", str)
add_text = Kept("add_text", str)


def sources_table(keys: tuple[str, ...]) -> Kept[dict[str, Any]]:
    """The table of sources. Other rows make another table, so that a chosen line never points at another source."""
    return Kept(f"sources_table_{abs(hash(keys))}", dict)


def chunk_page(source_id: str) -> Kept[int]:
    """The page of a source's chunks."""
    return Kept(f"chunk_page_{source_id}", lambda: 1)
