"""Documents found by meaning: an embedding of each, compared with that of the query."""

from __future__ import annotations

import math
from dataclasses import replace
from functools import cache

from langchain_openai import OpenAIEmbeddings

from rag_graphs.export.script.parts.given import EMBEDDINGS, LIBRARY, SETTINGS
from rag_graphs.export.script.parts.pages import passages_of
from rag_graphs.graphs.state import Document


def find_by_meaning(query: str, k: int = SETTINGS.k) -> list[Document]:
    """Return the `k` documents whose embeddings are nearest to the query's (cosine)."""
    wanted = unit(embeddings().embed_query(query))
    near = [sum(a * b for a, b in zip(wanted, vector, strict=True)) for vector in vectors()]
    best = sorted(range(len(near)), key=lambda i: -near[i])[:k]
    documents = passages_of(LIBRARY, "library")
    return [replace(documents[i], score=min(1.0, max(0.0, near[i]))) for i in best]


@cache
def embeddings() -> OpenAIEmbeddings:
    """Return the client of the embedding model. It sends texts as they are: other servers know no tokens of OpenAI's."""
    return OpenAIEmbeddings(model=EMBEDDINGS, check_embedding_ctx_length=False, chunk_size=64)


@cache
def vectors() -> list[list[float]]:
    """Return an embedding of each document, made once. Plain lists: langchain-core's own store needs numpy as well."""
    texts = ["\n".join(filter(None, (d.title, d.heading, d.text))) for d in passages_of(LIBRARY, "library")]
    return [unit(vector) for vector in embeddings().embed_documents(texts)]


def unit(vector: list[float]) -> list[float]:
    """Return the vector at length 1."""
    length = math.hypot(*vector) or 1.0
    return [x / length for x in vector]
