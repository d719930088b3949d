"""Naive RAG: retrieve, then answer. The baseline that the others correct."""

from langgraph.graph import END, START, StateGraph

from rag_graphs import nodes
from rag_graphs.component_types import Components
from rag_graphs.settings import Settings
from rag_graphs.state import RagState
from rag_graphs.strategy import Source, Strategy


def build(c: Components, settings: Settings) -> StateGraph[RagState]:
    graph = StateGraph(RagState)
    graph.add_node("retrieve", nodes.retrieve(c.retrieve))
    graph.add_node("generate", nodes.generate(c.generate))

    graph.add_edge(START, "retrieve")
    graph.add_edge("retrieve", "generate")
    graph.add_edge("generate", END)
    return graph


STRATEGY = Strategy(
    key="naive",
    family="Naive RAG",
    title="Naive RAG",
    short_title="Naive",
    summary="Searches once and answers from whatever came back. Nothing is checked.",
    build=build,
    source=Source(
        title="Lewis et al. 2020, Retrieval-Augmented Generation for Knowledge-Intensive NLP Tasks",
        url="https://arxiv.org/abs/2005.11401",
    ),
    strengths=(
        "One search and one model call: the fastest and cheapest.",
        "Easy to follow: the baseline for every comparison.",
    ),
    limits=("Answers from irrelevant documents as readily as from good ones.", "Nobody notices an invented answer."),
    simplifies="The paper trains retriever and generator together; here both are taken as they are.",
    happy_path=("START", "retrieve", "generate", "END"),
    order=40,
)
