"""Asking a model server which models it offers."""

from __future__ import annotations

from typing import Any

from rag_graphs.engines.llm.providers import address_of, ollama_options, openai_client, openai_key, service_of
from rag_graphs.engines.llm.service_errors import in_words
from rag_graphs.settings import Settings

MOST = 500
LONGEST_NAME = 200
SECONDS = 10.0


def offered_models(protocol: str, settings: Settings) -> list[str]:
    """The names of the models at the server of a protocol (openai, ollama), in order. Raises SetupError or ServiceError."""
    patient = settings.change(timeout=min(settings.timeout, SECONDS))
    with in_words(service_of(f"{protocol}:", patient)):
        names = _ollama(patient) if protocol == "ollama" else _openai(patient)
    usable = {n for n in names if isinstance(n, str) and 0 < len(n) <= LONGEST_NAME and not any(c.isspace() for c in n)}
    return sorted(usable, key=str.casefold)[:MOST]


def _openai(settings: Settings) -> list[Any]:
    from openai import OpenAI

    http: Any = openai_client(
        "openai:…", settings
    )  # OpenAI's client takes one of httpx; its types name the successor only
    client = OpenAI(
        base_url=address_of("openai", settings),
        api_key=openai_key("openai:…", settings).get_secret_value(),
        timeout=settings.timeout,
        max_retries=0,
        http_client=http,
    )
    with client:
        return [model.id for model in client.models.list().data]


def _ollama(settings: Settings) -> list[Any]:
    from ollama import Client

    options = ollama_options(settings)
    with Client(address_of("ollama", settings), **options["client_kwargs"], **options["sync_client_kwargs"]) as client:
        return [model.model for model in client.list().models]
