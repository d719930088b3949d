"""Naive RAG: retrieve, then answer. The baseline that the others correct."""

from langgraph.graph import END, START, StateGraph

from rag_graphs.graphs import nodes
from rag_graphs.graphs.components import Components
from rag_graphs.graphs.state import RagState
from rag_graphs.graphs.strategy import Example, Source, Strategy
from rag_graphs.settings import Settings


def build(c: Components, settings: Settings) -> StateGraph[RagState]:
    graph = StateGraph(RagState)
    graph.add_node("retrieve", nodes.retrieve(c.retrieve))
    graph.add_node("generate", nodes.generate(c.generate))

    graph.add_edge(START, "retrieve")
    graph.add_edge("retrieve", "generate")
    graph.add_edge("generate", END)
    return graph


PATH = ("retrieve", "generate")

STRATEGY = Strategy(
    key="naive",
    family="Naive RAG",
    title="Naive RAG",
    short_title="Naive RAG",
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
    examples=(
        Example(
            question="How to improve relationships",
            collections=("relationships",),
            shows="Quotes from all that was found, with no grade to tell the good documents from the others.",
            path=PATH,
            stop_reason="answered",
        ),
        Example(
            question="How to cook a bagel?",
            collections=("relationships",),
            shows="Answers a kitchen question from a page for couples: nobody checks whether the documents fit.",
            path=PATH,
            stop_reason="answered",
        ),
        Example(
            question="When was the bagel method invented?",
            collections=("relationships",),
            shows="Gives an answer without a date, and nobody notices.",
            path=PATH,
            stop_reason="answered",
        ),
        Example(
            question="What is prompt engineering?",
            collections=("relationships",),
            shows="Nothing fits well enough to be quoted, so the answer says so; no second search follows.",
            path=PATH,
            stop_reason="no relevant documents",
        ),
        Example(
            question="랭그래프에서 fan in, fan out의 의미",
            collections=("langgraph-ko",),
            shows="An easy question in Korean: here the baseline does as well as the others.",
            path=PATH,
            stop_reason="answered",
        ),
        Example(
            question="什么是检索增强生成?",
            collections=("language-models",),
            shows="Asked and answered in Chinese.",
            path=PATH,
            stop_reason="answered",
        ),
    ),
    happy_path=("START", "retrieve", "generate", "END"),
    order=40,
)
