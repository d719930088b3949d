"""Embeddings from a server: OpenAI's protocol or Ollama's, with the interface of the built-in models."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from rag_graphs.engines.llm.providers import (
    MAX_RETRIES,
    address_of,
    ollama_options,
    openai_client,
    openai_key,
    service_of,
)
from rag_graphs.engines.llm.service_errors import in_words
from rag_graphs.errors import ServiceError, SetupError
from rag_graphs.language.clean_text import estimate_tokens
from rag_graphs.library.index.embeddings import Embedder, get_embedder
from rag_graphs.library.index.indexing import BUILT_IN
from rag_graphs.settings import Settings

if TYPE_CHECKING:
    from langchain_core.embeddings import Embeddings

BATCH = 64
"""Texts in one request: a large page would otherwise exceed what a server takes at once."""


def find_embedder(name: str, settings: Settings) -> Embedder:
    """Return the embedder of a model name, built in or at a server. Raises SetupError as `get_remote_embedder` does."""
    return get_embedder(name) if name in BUILT_IN else get_remote_embedder(name, settings)


def server_of(name: str, settings: Settings) -> str:
    """Return the address of a model's server without its credentials; empty where the settings hold none. Nothing can be
    embedded there then, and whoever calls the server says so."""
    try:
        return service_of(name, settings).address
    except SetupError:
        return ""


def get_remote_embedder(name: str, settings: Settings) -> RemoteEmbedder:
    """The embedder `openai:NAME` or `ollama:NAME`. Its client holds the key, so it is made anew for each visitor and never
    cached. Nothing is sent yet. Raises SetupError where a key is missing, the address is none or the name is another."""
    if not name.startswith(("openai:", "ollama:")):
        raise SetupError(f"{name!r} is no embedding model of a server. Write openai:NAME or ollama:NAME.")
    return RemoteEmbedder(name, settings)


class RemoteEmbedder:
    """Turns texts into vectors of length 1. Safe to share between threads; raises ServiceError where the server fails."""

    def __init__(self, name: str, settings: Settings) -> None:
        self.name = name
        self._service = service_of(name, settings)
        self._client = _client(name, settings)
        self._dimension = 0

    @property
    def dimension(self) -> int:
        """Length of the vectors. Asks the server for one where none was made yet."""
        if not self._dimension:
            self.embed_query("dimension")
        return self._dimension

    def embed_documents(self, texts: list[str]) -> list[list[float]]:
        """A vector for each text, in order."""
        vectors: list[list[float]] = []
        for start in range(0, len(texts), BATCH):
            vectors += self._embed([t or " " for t in texts[start : start + BATCH]])
        return vectors

    def embed_query(self, text: str) -> list[float]:
        """The vector of a query."""
        return self._embed([text or " "])[0]

    def count_tokens(self, text: str) -> int:
        """An estimate: the server's vocabulary is not known."""
        return estimate_tokens(text)

    def _embed(self, batch: list[str]) -> list[list[float]]:
        with in_words(self._service):
            vectors = [_unit(v) for v in self._client.embed_documents(batch)]
        lengths = {len(v) for v in vectors} | ({self._dimension} if self._dimension else set())
        if len(vectors) != len(batch) or len(lengths) != 1 or 0 in lengths:
            raise ServiceError(
                f"{self._service.title} sent embeddings that do not fit the texts. Check that “{self._service.model}” is an "
                "embedding model.",
                service=self._service.title,
                kind="unusable reply",
            )
        self._dimension = lengths.pop()
        return vectors


def _client(name: str, settings: Settings) -> Embeddings:
    protocol, _, model = name.partition(":")
    address = address_of(protocol, settings)
    if protocol == "ollama":
        from langchain_ollama import OllamaEmbeddings

        return OllamaEmbeddings(model=model, base_url=address, **ollama_options(settings))
    from langchain_openai import OpenAIEmbeddings

    return OpenAIEmbeddings(
        model=model,
        openai_api_base=address,
        openai_api_key=openai_key(name, settings),
        request_timeout=settings.timeout,
        max_retries=MAX_RETRIES,
        chunk_size=BATCH,
        check_embedding_ctx_length=False,  # or it downloads a vocabulary and sends token numbers, which only OpenAI reads
        http_client=openai_client(name, settings),
        openai_proxy="",
    )


def _unit(vector: list[float]) -> list[float]:
    length = math.sqrt(sum(x * x for x in vector))
    if not math.isfinite(length):
        raise ValueError("a vector that is not finite")
    return [x / length for x in vector] if length else vector
