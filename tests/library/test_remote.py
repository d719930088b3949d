"""Embeddings from a server in the index: two servers that offer a model of the same name share no vectors."""

from __future__ import annotations

import pytest

from rag_graphs.engines.llm.embedding_servers import find_embedder, server_of
from rag_graphs.library import Library
from rag_graphs.settings import Settings
from tests.servers.ollama import OllamaServer
from tests.servers.openai import OpenAIServer

TEXT = "# Tides\n\nThe moon pulls the water of the sea, twice a day, and the sun pulls too."


@pytest.mark.parametrize("protocol", ["openai", "ollama"])
def test_two_servers_with_a_model_of_one_name(protocol: str) -> None:
    kind = OpenAIServer if protocol == "openai" else OllamaServer
    library = Library(None, find_embedder=find_embedder, server_of=server_of)
    with kind() as here, kind() as there:
        both = [
            Settings().change(embeddings=f"{protocol}:small", openai_base_url=f"{s.url}/v1", ollama_host=s.url)
            for s in (here, there)
        ]
        first, again, second = [library.load_text(TEXT, "", s) for s in (both[0], both[0], both[1])]
        assert (first.status, again.status, second.status) == ("loaded", "already there", "loaded")
        assert second.message == f"It was there; it is now indexed with {protocol}:small as well."
        assert first.source
        assert len(here.requests) == len(there.requests) == 1

        assert library.embedder_for(first.source, both[0]) == f"{protocol}:small"
        for server, settings in zip((here, there), both, strict=True):
            assert library.search("moon", [first.source.id], settings)
            assert len(server.requests) == 2, "the query goes to the server whose vectors are searched"
