"""Corrective RAG on this machine: where any document is irrelevant, the web is searched beside it."""

from langgraph.graph import END, START, StateGraph

from rag_graphs import nodes, routes
from rag_graphs.component_types import Components
from rag_graphs.settings import Settings
from rag_graphs.state import RagState
from rag_graphs.strategy import Example, Source, Strategy


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

STRATEGY = Strategy(
    key="crag-local",
    family="Corrective RAG",
    title="Corrective RAG, local",
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
    examples=(),
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
