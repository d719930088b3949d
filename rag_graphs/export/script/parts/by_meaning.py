"""Documents found by meaning: an embedding of each, compared with that of the query."""

from __future__ import annotations

import math
from dataclasses import replace
from functools import cache

from langchain_openai import OpenAIEmbeddings

from rag_graphs.export.script.parts.given import DOCUMENTS, EMBEDDINGS, SETTINGS
from rag_graphs.graphs.state import Document


def find_by_meaning(query: str) -> list[Document]:
    """The best documents, as many as the settings say."""
    return find_some_by_meaning(query, SETTINGS.k)


def find_some_by_meaning(query: str, k: int) -> list[Document]:
    """The `k` documents whose vectors are nearest to the query's (cosine)."""
    asked = unit(embeddings().embed_query(query))
    near = [sum(a * b for a, b in zip(asked, vector, strict=True)) for vector in vectors()]
    best = sorted(range(len(near)), key=lambda i: -near[i])[:k]
    return [replace(Document(**DOCUMENTS[i]), score=min(1.0, max(0.0, near[i]))) for i in best]


@cache
def embeddings() -> OpenAIEmbeddings:
    """The client of the embedding model. It sends texts as they are: other servers know no tokens of OpenAI's."""
    return OpenAIEmbeddings(model=EMBEDDINGS, check_embedding_ctx_length=False, chunk_size=64)


@cache
def vectors() -> list[list[float]]:
    """A vector of each document, made once a run. A list, because langchain-core's own store needs numpy as well."""
    texts = ["\n".join(filter(None, (d["title"], d["heading"], d["text"]))) for d in DOCUMENTS]
    return [unit(vector) for vector in embeddings().embed_documents(texts)]


def unit(vector: list[float]) -> list[float]:
    """The vector at length 1."""
    length = math.hypot(*vector) or 1.0
    return [x / length for x in vector]
