"""Model components over the stand-in servers: settings that point at them, and runs of whole strategies."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest

from rag_graphs.engines.llm import model_components, providers
from rag_graphs.engines.llm.abilities import MEMORY
from rag_graphs.graphs.components import Components
from rag_graphs.graphs.strategies import get_strategy
from rag_graphs.runs.runner import run
from rag_graphs.runs.trace import Trace
from rag_graphs.settings import Settings
from tests.fakes import fake
from tests.servers.ollama import OllamaServer
from tests.servers.openai import OpenAIServer
from tests.servers.script import Script

KEY = "sk-planted-5f0c1a9b7e"
Server = OpenAIServer | OllamaServer
Start = Callable[..., Server]


class Library:
    """Knows what it holds, and nothing else."""

    def describe(self, source_ids: object) -> str:
        return "Model railways."


@pytest.fixture(autouse=True)
def _nothing_learnt(monkeypatch: pytest.MonkeyPatch) -> None:
    MEMORY.forget()
    monkeypatch.setattr(providers, "MAX_RETRIES", 0)


@pytest.fixture
def start() -> Iterator[Start]:
    """`start("openai", replies)` starts a stand-in that ends with the test."""
    running: list[Server] = []

    def begin(protocol: str, replies: dict[str, Any] | None = None, **options: Any) -> Server:
        kind = OpenAIServer if protocol == "openai" else OllamaServer
        server: Server = kind(script=Script(replies or {}), **options)
        running.append(server.__enter__())
        return server

    yield begin
    for server in running:
        server.__exit__()


def settings_for(server: Server, **others: Any) -> Settings:
    """Settings with every role on the stand-in's model."""
    if isinstance(server, OpenAIServer):
        place = {"model": "openai:small", "openai_base_url": server.base_url, "openai_api_key": KEY}
    else:
        place = {"model": "ollama:small", "ollama_host": server.url}
    return Settings().change(**{**place, "timeout": 5.0, **others})


def components_for(settings: Settings, **fakes: Any) -> Components:
    """Components on the model, with fakes for whatever no model does."""
    return model_components(settings, Library(), [], fake(**fakes))


def ask(strategy: str, server: Server, question: str = "How wide is the gauge?", **others: Any) -> Trace:
    """The trace of a run on the stand-in. `fakes`: see tests.fakes; `history`: the turns before it; the rest are settings."""
    fakes, history = others.pop("fakes", {}), others.pop("history", ())
    settings = settings_for(server, **others)
    components = components_for(settings, **fakes)
    return Trace(list(run(get_strategy(strategy), question, components, settings, history=history)))
