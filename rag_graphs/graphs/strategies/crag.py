"""Corrective RAG: where too few documents are relevant, rewrite the query and search the web."""

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
    graph.add_node("rewrite_query", nodes.rewrite_query(c.rewrite, aim="web"))
    graph.add_node("search_web", nodes.search_web(c.search_web))
    graph.add_node("generate", nodes.generate(c.generate))

    graph.add_edge(START, "retrieve")
    graph.add_edge("retrieve", "grade_documents")
    graph.add_conditional_edges(
        "grade_documents",
        routes.enough_relevant(settings),
        {"enough relevant": "generate", "too few relevant": "rewrite_query"},
    )
    graph.add_edge("rewrite_query", "search_web")
    graph.add_edge("search_web", "generate")
    graph.add_edge("generate", END)
    return graph


LOOK = ("retrieve", "grade_documents")
WEB = ("rewrite_query", "search_web")

STRATEGY = Strategy(
    key="crag",
    family="Corrective RAG",
    title="Corrective RAG (CRAG)",
    short_title="Corrective RAG",
    summary="Grades what the library returned; where too little of it is relevant, rewrites the query and searches the web.",
    build=build,
    source=Source(
        title="Yan et al. 2024, Corrective Retrieval Augmented Generation", url="https://arxiv.org/abs/2401.15884"
    ),
    strengths=("Repairs a failed retrieval with the web.", "No loops: it always ends after at most five nodes."),
    limits=("The answer itself is not checked.", "Web results are taken as they come."),
    simplifies=(
        "The paper's evaluator chooses among three actions and refines documents strip by strip. Here the share of "
        "relevant documents decides, and whole documents are kept."
    ),
    examples=(
        Example(
            question="What's the bagel method?",
            collections=("relationships",),
            shows="All four documents are relevant, more than the required share: the web is not needed.",
            path=(*LOOK, "generate"),
            stop_reason="answered",
        ),
        Example(
            question="What is prompt engineering?",
            collections=("relationships",),
            shows="None of four documents is relevant: the query is rewritten and the web is searched.",
            path=(*LOOK, *WEB, "generate"),
            stop_reason="answered",
        ),
        Example(
            question="How do I get rid of a habit?",
            collections=("relationships",),
            shows="Two of four are relevant, which is too few: they are kept beside what the web returns.",
            path=(*LOOK, *WEB, "generate"),
            stop_reason="answered",
        ),
        Example(
            question="What are the types of agent memory?",
            collections=("language-models",),
            shows="More than the required share of the documents is relevant: the library alone answers.",
            path=(*LOOK, "generate"),
            stop_reason="answered",
        ),
        Example(
            question="¿Qué es la inflación?",
            collections=("baseball-es",),
            shows="The Spanish library holds only baseball, so the answer comes from a Spanish web page.",
            path=(*LOOK, *WEB, "generate"),
            stop_reason="answered",
        ),
        Example(
            question="한글은 언제 만들어졌어?",
            collections=("baseball-ko",),
            shows="The library holds only baseball, so the answer comes from a Korean web page.",
            path=(*LOOK, *WEB, "generate"),
            stop_reason="answered",
        ),
        Example(
            question="二十四节气是什么?",
            collections=("language-models",),
            shows="Asked in Chinese of a library on language models: the web has the answer.",
            path=(*LOOK, *WEB, "generate"),
            stop_reason="answered",
        ),
    ),
    happy_path=("START", "retrieve", "grade_documents", "generate", "END"),
    order=20,
)
