"""Embeddings from a server, over both protocols: batches, unit length, faults in words."""

import pytest

from rag_graphs.engines.llm.embedding_servers import BATCH, get_remote_embedder
from rag_graphs.errors import ServiceError, SetupError
from rag_graphs.settings import Settings
from tests.engines.llm.conftest import KEY, Start, settings_for
from tests.servers.base import Fault, Reply

PROTOCOLS = ["openai", "ollama"]


@pytest.mark.parametrize("protocol", PROTOCOLS)
def test_texts_become_unit_vectors_in_order_and_in_batches(start: Start, protocol: str) -> None:
    server = start(protocol)
    embedder = get_remote_embedder(f"{protocol}:small", settings_for(server))
    texts = ["x" * n for n in range(BATCH + 5)]

    vectors = embedder.embed_documents(texts)
    assert len(vectors) == len(texts)
    assert [sum(x * x for x in v) for v in vectors] == pytest.approx([1.0] * len(texts))
    assert vectors[20][0] / vectors[20][1] == pytest.approx(20)
    assert [len(r.body["input"]) for r in server.requests] == [BATCH, 5]
    assert (embedder.dimension, embedder.name) == (3, f"{protocol}:small")
    assert embedder.embed_query("xx") == vectors[2]
    assert embedder.count_tokens("four characters each") == 5


@pytest.mark.parametrize("protocol", PROTOCOLS)
def test_the_dimension_is_asked_for_when_nothing_was_embedded_yet(start: Start, protocol: str) -> None:
    assert get_remote_embedder(f"{protocol}:small", settings_for(start(protocol))).dimension == 3


@pytest.mark.parametrize("protocol", PROTOCOLS)
def test_nothing_to_embed_asks_nothing(start: Start, protocol: str) -> None:
    server = start(protocol)

    assert get_remote_embedder(f"{protocol}:small", settings_for(server)).embed_documents([]) == []
    assert server.requests == []


@pytest.mark.parametrize("protocol", PROTOCOLS)
def test_faults_come_in_words(start: Start, protocol: str) -> None:
    server = start(protocol)
    settings = settings_for(server)
    with pytest.raises(ServiceError, match="has no model “nomic”"):
        get_remote_embedder(f"{protocol}:nomic", settings).embed_query("x")
    server.faults.append(Fault(Reply(200, {"data": [], "embeddings": [], "object": "list", "model": "small"})))
    with pytest.raises(ServiceError) as raised:
        get_remote_embedder(f"{protocol}:small", settings).embed_query("x")
    assert raised.value.kind == "unusable reply"
    assert KEY not in f"{raised.value!r}"


def test_vectors_of_another_length_are_noticed(start: Start) -> None:
    server = start("ollama")
    embedder = get_remote_embedder("ollama:small", settings_for(server))
    embedder.embed_query("x")
    server.faults.append(Fault(Reply(200, {"embeddings": [[1.0, 2.0]]})))

    with pytest.raises(ServiceError, match="do not fit"):
        embedder.embed_query("x")


def test_what_is_not_set_up_is_said_before_any_call() -> None:
    with pytest.raises(SetupError, match="needs an OpenAI key"):
        get_remote_embedder("openai:text-embedding-3-small", Settings())
    with pytest.raises(SetupError, match="Write openai:NAME or ollama:NAME"):
        get_remote_embedder("minilm", Settings())
