"""Self-RAG with a fixed library: grade the documents, then the answer, and go back where a grade fails."""

from langgraph.graph import END, START, StateGraph

from rag_graphs import nodes, routes
from rag_graphs.component_types import Components
from rag_graphs.settings import Settings
from rag_graphs.state import RagState
from rag_graphs.strategy import Loop, Source, Strategy


def build(c: Components, settings: Settings) -> StateGraph[RagState]:
    graph = StateGraph(RagState)
    graph.add_node("retrieve", nodes.retrieve(c.retrieve))
    graph.add_node("grade_documents", nodes.grade_documents(c.grade_relevance, keep_unclear=settings.keep_unclear))
    graph.add_node("generate", nodes.generate(c.generate))
    graph.add_node("grade_answer", nodes.grade_answer(c.grade_answer))
    graph.add_node("rewrite_query", nodes.rewrite_query(c.rewrite))
    graph.add_node("give_up", nodes.give_up(c.conclude))

    graph.add_edge(START, "retrieve")
    graph.add_edge("retrieve", "grade_documents")
    graph.add_conditional_edges(
        "grade_documents",
        routes.any_relevant(settings),
        {"some relevant": "generate", "none relevant": "rewrite_query", "budget spent": "give_up"},
    )
    graph.add_edge("generate", "grade_answer")
    graph.add_conditional_edges(
        "grade_answer",
        routes.answer_verdict(settings),
        {
            "useful": END,
            "not verified": END,
            "not grounded": "generate",
            "not useful": "rewrite_query",
            "budget spent": "give_up",
        },
    )
    graph.add_edge("rewrite_query", "retrieve")
    graph.add_edge("give_up", END)
    return graph


STRATEGY = Strategy(
    key="self-rag",
    family="Self-RAG",
    title="Self-RAG",
    short_title="Self-RAG",
    summary="Grades every document and then its own answer; asks in other words or writes again where a grade fails.",
    build=build,
    source=Source(
        title="Asai et al. 2023, Self-RAG: Learning to Retrieve, Generate, and Critique through Self-Reflection",
        url="https://arxiv.org/abs/2310.11511",
    ),
    strengths=(
        "Four decisions in the open: retrieve? relevant? grounded? useful?",
        "Says so when the library does not hold the answer.",
    ),
    limits=("Never looks outside the library.", "At least three model calls, more for each rewrite."),
    simplifies=(
        "The paper fine-tunes one model to emit its judgements as tokens, sentence by sentence. Here graders judge whole "
        "documents and whole answers, and a rewrite loop is added that the paper does not have."
    ),
    happy_path=("START", "retrieve", "grade_documents", "generate", "grade_answer", "END"),
    beside=(("grade_documents", "rewrite_query"), ("grade_answer", "give_up")),
    loops=(
        Loop(source="rewrite_query", target="retrieve", counter="rewrites", budget="max_rewrites"),
        Loop(source="grade_answer", target="generate", counter="regenerations", budget="max_regenerations"),
    ),
    order=10,
)
