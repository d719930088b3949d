"""The check of the set-up: tries each configured service once and says in words what is wrong and what to do."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from tempfile import TemporaryFile
from typing import Any

from rag_graphs.engines.build import ROLES
from rag_graphs.engines.prompts import Rendered
from rag_graphs.errors import RagGraphsError, ServiceError, SetupError
from rag_graphs.settings import Settings

PROMPT = Rendered("You test a connection. Reply with one word.", "Reply with the word yes.")
SEARCHED = "weather"


@dataclass(frozen=True, kw_only=True)
class Check:
    """One thing to try. `message` and what follows are known once it was tried; `ok` None: not tried yet. `kind` is the
    label of what is wrong: no key, wrong key, refused connection, no such model, no quota, rate limit, time-out …"""

    key: str
    title: str
    attempt: Callable[[], str]
    ok: bool | None = None
    message: str = ""
    kind: str = ""
    seconds: float = 0.0

    def told(self) -> Check:
        """The result alone, for keeping: the attempt holds the settings, and with them a key."""
        return replace(self, attempt=_nothing)

    def plain(self) -> dict[str, Any]:
        """As JSON."""
        shown = ("key", "title", "ok", "kind", "message")
        return {name: getattr(self, name) for name in shown} | {"seconds": round(self.seconds, 3)}


def _nothing() -> str:
    return ""


def planned(settings: Settings, folder: Path | None = None) -> list[Check]:
    """What there is to try with these settings, cheap things first. `folder`: the data folder, where it is another one."""
    return [
        Check(key="folder", title="Data folder", attempt=lambda: _folder(folder or settings.data_dir)),
        *_builtin(settings),
        *_models(settings),
        *_embeddings(settings),
        Check(key="web", title="Web search", attempt=lambda: _web(settings)),
    ]


def tried(checks: Sequence[Check]) -> Iterator[Check]:
    """Each of the checks with its result, as it comes. A fault of a service is a result; a bug of ours is raised."""
    for check in checks:
        begun = time.perf_counter()
        try:
            result = replace(check, ok=True, message=check.attempt())
        except RagGraphsError as error:
            result = replace(check, ok=False, message=str(error), kind=getattr(error, "kind", "failed"))
        yield replace(result, seconds=time.perf_counter() - begun)


def _folder(folder: Path) -> str:
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with TemporaryFile(dir=folder) as file:
            file.write(b"x" * 4096)
    except OSError as error:
        reason = error.strerror or type(error).__name__
        raise SetupError(
            f"The data folder cannot be written ({reason}). Free some space, allow the program to write there, or name "
            "another folder with RAG_DATA_DIR."
        ) from None
    return "It can be written."


def _builtin(settings: Settings) -> list[Check]:
    """The models that come with the packages: they embed and grade unless a server does all of it."""
    wanted = {"auto": ["minilm", "e5"]}.get(settings.embeddings, [settings.embeddings])
    titles = {"minilm": "Built-in model MiniLM", "e5": "Built-in model multilingual E5"}
    return [
        Check(key=name, title=titles[name], attempt=lambda name=name: _embed_here(name))  # type: ignore[misc]
        for name in wanted
        if name in titles
    ]


def _embed_here(name: str) -> str:
    from rag_graphs.library.index.embeddings import get_embedder

    try:
        length = len(get_embedder(name).embed_query("water"))
    except (ImportError, OSError) as error:
        raise SetupError(
            f"It cannot be loaded ({type(error).__name__}). Install the packages of requirements.txt again."
        ) from None
    return f"It works: vectors of {length} numbers."


def _models(settings: Settings) -> list[Check]:
    """One call for each chat model, whatever roles it has."""
    roles: dict[str, list[str]] = {}
    for role, does in ROLES:
        roles.setdefault(settings.model_for(role), []).append(does)  # type: ignore[arg-type]
    return [
        Check(key=f"model:{name}", title=_model_title(name, does), attempt=lambda name=name: _ask(name, settings))  # type: ignore[misc]
        for name, does in roles.items()
        if name != "builtin"
    ]


def _model_title(name: str, does: Sequence[str]) -> str:
    return f"Model {name}" if len(does) == len(ROLES) else f"Model {name}, which {' and '.join(does)}"


def _ask(name: str, settings: Settings) -> str:
    from rag_graphs.engines.llm.chat import Chat

    begun = time.perf_counter()
    chat = Chat(name, settings)
    pieces = chat.stream("check", PROMPT)
    answers = any(piece.strip() for piece in pieces)  # the first one will do: a thinking model may go on for minutes
    took = time.perf_counter() - begun
    if not answers:
        raise ServiceError(
            f"{chat.service.title} answered with nothing. Check that “{chat.service.model}” is a chat model.",
            service=chat.service.title,
            kind="unusable reply",
        )
    return f"It answers, in {took:.1f} s."


def _embeddings(settings: Settings) -> list[Check]:
    name = settings.embeddings
    if not name.startswith(("openai:", "ollama:")):
        return []
    return [Check(key="embeddings", title=f"Embeddings {name}", attempt=lambda: _embed_there(name, settings))]


def _embed_there(name: str, settings: Settings) -> str:
    from rag_graphs.engines.llm.embedding_servers import get_remote_embedder

    return f"They work: vectors of {get_remote_embedder(name, settings).dimension} numbers."


def _web(settings: Settings) -> str:
    from rag_graphs.engines.web import build_search

    if settings.web == "off":
        return "Switched off; runs that want it end with “search unavailable”."
    found = build_search(settings)(SEARCHED)
    names = {"sample": "The sample web", "tavily": "Tavily", "duckduckgo": "DuckDuckGo"}
    pages = "1 page" if len(found) == 1 else f"{len(found)} pages"
    return f"{names[settings.web]} answers: {pages} for “{SEARCHED}”."
