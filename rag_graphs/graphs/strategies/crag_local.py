"""Corrective RAG on this machine: where any document is irrelevant, the web is searched beside it."""

from langgraph.graph import END, START, StateGraph

from rag_graphs.graphs import nodes, routes
from rag_graphs.graphs.components import Components
from rag_graphs.graphs.state import RagState
from rag_graphs.graphs.strategy import Example, Source, Strategy
from rag_graphs.settings import Settings


def build(c: Components, settings: Settings) -> StateGraph[RagState]:
    graph = StateGraph(RagState)
    graph.add_node("retrieve", nodes.retrieve(c.retrieve))
    graph.add_node("grade_documents", nodes.grade_documents(c.grade_relevance, keep_unclear=settings.keep_unclear))
    graph.add_node("search_web", nodes.search_web(c.search_web))
    graph.add_node("generate", nodes.generate(c.generate))

    graph.add_edge(START, "retrieve")
    graph.add_edge("retrieve", "grade_documents")
    graph.add_conditional_edges(
        "grade_documents", routes.all_relevant, {"all relevant": "generate", "some irrelevant": "search_web"}
    )
    graph.add_edge("search_web", "generate")
    graph.add_edge("generate", END)
    return graph


LOOK = ("retrieve", "grade_documents")
WEB = ("search_web", "generate")

STRATEGY = Strategy(
    key="crag-local",
    family="Corrective RAG",
    title="Corrective RAG for local models",
    short_title="Local",
    summary="Made for models on one's own machine: a single irrelevant document is enough to search the web as well.",
    build=build,
    source=Source(
        title="Yan et al. 2024, Corrective Retrieval Augmented Generation", url="https://arxiv.org/abs/2401.15884"
    ),
    strengths=(
        "Three or four nodes and no rewriting: small models can follow.",
        "With a local model and local embeddings only the web search leaves the machine.",
    ),
    limits=(
        "Searches the web more often than needed: one irrelevant document is enough.",
        "The answer itself is not checked.",
    ),
    simplifies=(
        "The paper's evaluator chooses among three actions and refines what it keeps. Here one irrelevant document sends the "
        "question to the web, as in the LangGraph version for local models."
    ),
    examples=(
        Example(
            question="What are the types of agent memory?",
            collections=("language-models",),
            shows="With three documents all are relevant: the library alone answers.",
            path=(*LOOK, "generate"),
            stop_reason="answered",
            settings=(("k", 3),),
        ),
        Example(
            question="What's the bagel method?",
            collections=("relationships",),
            shows="All four documents are relevant: nothing leaves this machine.",
            path=(*LOOK, "generate"),
            stop_reason="answered",
        ),
        Example(
            question="How to improve relationships",
            collections=("relationships",),
            shows="Three of four are irrelevant: the web is searched beside what was kept.",
            path=(*LOOK, *WEB),
            stop_reason="answered",
        ),
        Example(
            question="What is prompt engineering?",
            collections=("relationships",),
            shows="None is relevant: the web has to answer.",
            path=(*LOOK, *WEB),
            stop_reason="answered",
        ),
        Example(
            question="랭그래프에서 fan in, fan out의 의미",
            collections=("langgraph-ko",),
            shows="Asked and answered in Korean: all documents are relevant.",
            path=(*LOOK, "generate"),
            stop_reason="answered",
        ),
        Example(
            question="손흥민의 이번 시즌 공격 포인트",
            collections=("langgraph-ko",),
            shows="The library holds nothing on football, so the web is searched.",
            path=(*LOOK, *WEB),
            stop_reason="answered",
        ),
        Example(
            question="¿Qué es la inflación?",
            collections=("baseball-es",),
            shows="The Spanish library holds only baseball, so a Spanish web page answers.",
            path=(*LOOK, *WEB),
            stop_reason="answered",
        ),
        Example(
            question="什么是检索增强生成?",
            collections=("language-models",),
            shows="Asked in Chinese: one irrelevant document is enough to search the web as well.",
            path=(*LOOK, *WEB),
            stop_reason="answered",
        ),
    ),
    happy_path=("START", "retrieve", "grade_documents", "generate", "END"),
    step_names=(
        ("retrieve", "retrieve_documents"),
        ("grade_documents", "grade_document_retrieval"),
        ("search_web", "web_search"),
        ("generate", "generate_answer"),
    ),
    local=True,
    order=22,
)
