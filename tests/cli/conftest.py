"""The command line in this process, on a library and components that are fakes."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from types import SimpleNamespace
from typing import Any

import pytest

import rag_graphs
from rag_graphs.cli.main import main
from rag_graphs.errors import SetupError
from rag_graphs.graphs.components import Components
from rag_graphs.settings import Settings
from tests.fakes import fake


class FakeLibrary:
    """Loads whatever does not look bad."""

    def load_many(self, addresses: list[str], settings: Settings, *, files: bool = False) -> Iterator[SimpleNamespace]:
        for address in addresses:
            yield report(address, "not found" if "bad" in address else "loaded")

    def sources(self, ids: list[str]) -> list[SimpleNamespace]:
        return [SimpleNamespace(id=i, collection="") for i in ids if i.startswith("id of")]

    def load_collection(
        self, key: str, pages: object, settings: Settings, on_progress: object
    ) -> Iterator[SimpleNamespace]:
        yield from self.load_many([f"https://sample.example/{key}"], settings)


def report(address: str, status: str) -> SimpleNamespace:
    ok = status == "loaded"
    source = SimpleNamespace(
        id=f"id of {address}", title="A page", kind="html", encoding="utf-8", language="en", characters=321, chunks=2
    )
    return SimpleNamespace(
        address=address,
        status=status,
        ok=ok,
        source=source if ok else None,
        message="" if ok else "The server says that there is no such page (404).",
        warnings=("It is very short.",) if "short" in address else (),
    )


@dataclass
class Outcome:
    """What a command left behind."""

    code: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        return json.loads(self.out)


@dataclass
class Desk:
    """Runs commands; what they were given is remembered."""

    components: Components
    capture: pytest.CaptureFixture[str]
    built: list[tuple[Settings, list[str]]] = field(default_factory=list)
    kept: list[Any] = field(default_factory=list)

    def __call__(self, *arguments: str) -> Outcome:
        code = main(arguments)
        out, err = self.capture.readouterr()
        return Outcome(code, out, err)

    def build(self, settings: Settings, library: object, source_ids: list[str]) -> Components:
        if settings.model.startswith("openai:") and settings.openai_api_key is None:
            raise SetupError("openai:NAME needs a key. Set OPENAI_API_KEY.")
        self.built.append((settings, source_ids))
        return self.components

    def workspace(self, settings: Settings) -> Any:
        begin: Callable[..., None] = lambda head, owner: self.kept.append(head)  # noqa: E731
        store = SimpleNamespace(begin=begin, append=lambda run_id, first, events: self.kept.extend(events))
        return SimpleNamespace(library=FakeLibrary(), store=store)


@pytest.fixture
def desk(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Desk:
    made = Desk(fake(), capsys)
    monkeypatch.setattr(rag_graphs, "build_components", made.build, raising=False)
    monkeypatch.setattr("rag_graphs.workspace.forking.build_components", made.build)
    monkeypatch.setattr(rag_graphs, "open_workspace", made.workspace, raising=False)
    return made
