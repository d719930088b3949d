"""The settings and their bounds. No other module reads settings from the environment or from a `.env` file."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any, Literal, Self
from urllib.parse import urlsplit, urlunsplit

from pydantic import AliasChoices, Field, SecretStr, ValidationError, field_validator
from pydantic_settings import BaseSettings, SettingsConfigDict

from rag_graphs.errors import SettingsError

MODEL_NAME = re.compile(r"builtin|(openai|ollama):\S+")
EMBEDDINGS_NAME = re.compile(r"auto|minilm|e5|(openai|ollama):\S+")

KEYS = ("openai_api_key", "tavily_api_key")
SERVER_ONLY = ("data_dir", "database_url", "allow_hosts", "share_keys", "strategies", "guarded")
"""The settings, beside the keys, that belong to a server and to no single run."""
ADDRESSES = ("openai_base_url", "ollama_host", "tavily_base_url")

OF_A_RUN = ("conversing",)
"""The settings that follow from a run's question and history; neither the environment nor a visitor can set them."""

CAPS = ("max_calls", "max_tokens", "max_cost", "price_prompt", "price_completion")
OWN = (*KEYS, *SERVER_ONLY, *ADDRESSES, *CAPS, "timeout", "pace")
"""The settings that a run continued from a recorded one takes from the person who starts it and not from the record. A record
may come from anyone; it must neither send a key to another address nor raise a cap."""

PACES = {"as it happens": 0.0, "calm": 0.9, "slow": 2.0}
"""The least time in seconds for which the page shows each node, by the name used on screen."""


def _env(*names: str) -> AliasChoices:
    return AliasChoices(*names)


class Settings(BaseSettings):
    """All settings, frozen. A field without an alias is read from the environment variable RAG_<NAME>; arguments override the
    environment."""

    model_config = SettingsConfigDict(
        env_prefix="RAG_", env_file=".env", env_ignore_empty=True, frozen=True, extra="ignore", populate_by_name=True
    )

    model: str = Field("builtin", description="model of every role: builtin, openai:NAME or ollama:NAME")
    model_generate: str = Field("", description="model that writes answers; empty: as `model`")
    model_rewrite: str = Field("", description="model that rewrites queries; empty: as `model`")
    temperature: float = Field(0.0, ge=0, le=2, description="of chat models: 0 repeats itself, more varies")
    embeddings: str = Field(
        "auto", description="auto (by the sources' language), minilm, e5, openai:NAME or ollama:NAME"
    )
    web: Literal["sample", "tavily", "duckduckgo", "off"] = Field(
        "sample", description="web search: sample (bundled pages, offline), tavily (needs a key), duckduckgo or off"
    )

    k: int = Field(4, ge=1, le=20, description="documents that a search of the library returns")
    web_results: int = Field(3, ge=1, le=10, description="pages that a web search returns")
    chunk_size: int = Field(250, ge=40, le=2000, description="tokens in a chunk at most")
    chunk_overlap: int = Field(0, ge=0, le=400, description="tokens that neighbouring chunks share")

    max_rewrites: int = Field(3, ge=0, le=10, description="budget: rewritten queries of one run")
    max_regenerations: int = Field(
        2, ge=0, le=10, description="budget: further attempts after an answer that is not grounded"
    )
    max_searches: int = Field(2, ge=1, le=10, description="budget: web searches of one run, where they can loop")
    max_steps: int = Field(10, ge=1, le=20, description="budget: steps of reasoning of one run")
    max_documents: int = Field(
        15, ge=1, le=50, description="budget: documents that rounds of retrieval and reasoning gather"
    )

    max_calls: int = Field(200, ge=0, description="model calls of one run at most; 0: no bound")
    max_tokens: int = Field(0, ge=0, description="tokens of one run at most; 0: no bound")
    max_cost: float = Field(0.0, ge=0, description="cost of one run at most, in the prices' currency; 0: no bound")
    price_prompt: float = Field(0.0, ge=0, description="price of a million prompt tokens, if you know it")
    price_completion: float = Field(0.0, ge=0, description="price of a million completion tokens")

    strictness: Literal["lenient", "strict"] = Field(
        "lenient", description="relevant is what shares the subject (lenient) or what states the answer (strict)"
    )
    keep_unclear: bool = Field(False, description="keep a document whose relevance grade is unclear")
    min_relevant_share: float = Field(0.7, ge=0, le=1, description="CRAG: more than this share must be relevant")
    gate: Literal["off", "question", "attempt"] = Field(
        "off",
        description="Self-RAG: decide first whether to retrieve at all: off, from the question, or from a first attempt at "
        "an answer",
    )
    search_when: Literal["none relevant", "any irrelevant"] = Field(
        "none relevant",
        description="Self-RAG with web search: search when documents are none relevant or any irrelevant",
    )
    drafts: int = Field(5, ge=1, le=10, description="Self-RAG with critique: documents of which each gets a draft")
    retrieval_threshold: float = Field(
        0.2, ge=0, le=1, description="retrieve if the model holds that more likely than this"
    )
    weight_relevance: float = Field(1.0, ge=0, le=5, description="weight of ISREL in a draft's critique score")
    weight_support: float = Field(1.0, ge=0, le=5, description="weight of ISSUP in a draft's critique score")
    weight_use: float = Field(0.5, ge=0, le=5, description="weight of ISUSE in a draft's critique score")
    weight_likelihood: float = Field(
        0.0, ge=0, le=5, description="weight of the text's own probability in a draft's score, where the model tells it"
    )
    evaluator_upper: float | None = Field(
        None, ge=0, le=1, description="CRAG refined: a document over this is correct; unset: the evaluator's own"
    )
    evaluator_lower: float | None = Field(
        None, ge=0, le=1, description="CRAG refined: a document under this is incorrect; unset: the evaluator's own"
    )
    strip_threshold: float | None = Field(
        None, ge=0, le=1, description="CRAG refined: a strip under this is dropped; unset: the evaluator's own"
    )
    keep_strips: int = Field(5, ge=1, le=30, description="CRAG refined: strips that are kept at most")
    conversing: bool = Field(
        False, description="questions went before this one: it is made to stand alone first; set by a conversation"
    )
    max_sentences: int = Field(3, ge=1, le=12, description="sentences of an answer at most")
    careless: bool = Field(
        False, description="make the built-in generator's first attempt careless, to show the groundedness loop"
    )
    pace: float = Field(0.0, ge=0, le=10, description="seconds for which the page shows each node at least")

    prompts: dict[str, str] = Field(default_factory=dict, description="prompts that replace the built-in ones, by role")

    openai_api_key: SecretStr | None = Field(
        None, validation_alias=_env("openai_api_key", "OPENAI_API_KEY"), description="key for models openai:NAME"
    )
    openai_base_url: str = Field(
        "",
        validation_alias=_env("openai_base_url", "OPENAI_BASE_URL"),
        description="address of any OpenAI-compatible server; empty: OpenAI's own",
    )
    ollama_host: str = Field(
        "",
        validation_alias=_env("ollama_host", "OLLAMA_HOST"),
        description="address of the Ollama server; empty: this machine",
    )
    tavily_api_key: SecretStr | None = Field(
        None, validation_alias=_env("tavily_api_key", "TAVILY_API_KEY"), description="key for web=tavily"
    )
    tavily_base_url: str = Field(
        "",
        validation_alias=_env("tavily_base_url", "TAVILY_BASE_URL"),
        description="another address of the search service",
    )
    timeout: float = Field(60.0, gt=0, le=600, description="seconds that a model or a search may take to answer")

    data_dir: Path = Field(Path("data"), description="folder of the library's index and of stored runs")
    database_url: SecretStr | None = Field(
        None,
        description="another database for runs and visitors' choices, for example postgresql+psycopg://user:password@host/name; "
        "unset: a file of SQLite in the data folder",
    )
    allow_hosts: str = Field(
        "",
        description="host:port, comma separated, that visitors may reach although private: pages, and model servers that "
        "they name",
    )
    share_keys: bool | None = Field(
        None,
        description="whether visitors may spend the keys of the server's environment; unset: only on a server that listens "
        "to its own machine alone",
    )
    strategies: str = Field(
        "",
        description="strategies of your own: Python files, or folders of them, with commas between them; read when the "
        "server starts",
    )
    guarded: tuple[str, ...] = Field((), exclude=True)
    """The names of the address settings above that a visitor of an open server typed; they may lead to public hosts only."""

    @field_validator("model", "model_generate", "model_rewrite")
    @classmethod
    def _model_name(cls, value: str) -> str:
        if value and not MODEL_NAME.fullmatch(value):
            raise ValueError(f"{value!r} is not a model: write builtin, openai:NAME or ollama:NAME")
        return value

    @field_validator("embeddings")
    @classmethod
    def _embeddings_name(cls, value: str) -> str:
        if not EMBEDDINGS_NAME.fullmatch(value):
            raise ValueError(f"{value!r} is not an embedding model: write auto, minilm, e5, openai:NAME or ollama:NAME")
        return value

    def model_for(self, role: Literal["grade", "generate", "rewrite"]) -> str:
        """Return the model of a role; routing uses that of grading."""
        return {"grade": "", "generate": self.model_generate, "rewrite": self.model_rewrite}[role] or self.model

    def change(self, **values: Any) -> Self:
        """Return a checked copy with other values. Raises SettingsError for a wrong name or value; for a wrong name it lists
        the valid ones."""
        names = type(self).model_fields
        if wrong := sorted(set(values) - set(names)):
            raise SettingsError(f"There is no setting {', '.join(wrong)}. Settings: {', '.join(sorted(names))}.")
        try:
            # the constructor would read the environment again
            return type(self).model_validate({**dict(self), **values})
        except ValidationError as error:
            raise SettingsError(_in_words(error)) from None

    def as_recorded(self, recorded: Mapping[str, Any]) -> Self:
        """Return a copy with the settings of a recorded run. Those in OWN stay as they are, and so does a setting whose
        recorded value is no longer valid."""
        shaping = {n: v for n, v in recorded.items() if n in type(self).model_fields and n not in OWN}
        with suppress(SettingsError):
            return self.change(**shaping)
        settings = self
        for name, value in shaping.items():
            with suppress(SettingsError):
                settings = settings.change(**{name: value})
        return settings

    def allowed_hosts(self) -> frozenset[str]:
        """Return the `host:port` entries that may be loaded from although their address is private."""
        return frozenset(h.strip().lower() for h in self.allow_hosts.split(",") if h.strip())

    def public(self) -> dict[str, Any]:
        """Return the settings that a trace may record: without keys, folders of this machine and credentials in addresses."""
        values = self.model_dump(mode="json", exclude={*KEYS, *SERVER_ONLY})
        for name in ADDRESSES:
            values[name] = without_credentials(values[name])
        return values


def load_settings(**values: Any) -> Settings:
    """Load the settings from the environment, except those OF_A_RUN, and change them by `values`. Raises SettingsError."""
    try:
        settings = Settings(conversing=False)
    except ValidationError as error:
        raise SettingsError(_in_words(error)) from None
    return settings.change(**values) if values else settings


def _in_words(error: ValidationError) -> str:
    """Return the names, bounds and reasons of an error as text, without the input, which may be a key."""
    parts = [f"{'.'.join(str(p) for p in e['loc'])}: {e['msg'].removeprefix('Value error, ')}" for e in error.errors()]
    return "These settings cannot be used. " + "; ".join(parts) + "."


def without_credentials(url: str) -> str:
    """Return an address without user name, password and query, so that it is safe to show."""
    try:
        parts = urlsplit(url)
    except ValueError:
        return ""
    return urlunsplit(parts._replace(netloc=parts.netloc.rpartition("@")[2], query="")) if url else url


def no_color() -> bool:
    """Return whether the environment asks for output without colours (https://no-color.org)."""
    return bool(os.environ.get("NO_COLOR")) or os.environ.get("TERM") == "dumb"
