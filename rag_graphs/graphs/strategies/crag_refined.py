"""Corrective RAG nearer the paper: an evaluator's scores lead to one of three actions, and what is kept is refined."""

from langgraph.graph import END, START, StateGraph

from rag_graphs.graphs import nodes, routes
from rag_graphs.graphs.components import Components
from rag_graphs.graphs.retrieval_actions import chosen_thresholds
from rag_graphs.graphs.state import RagState
from rag_graphs.graphs.strategy import Example, Source, Strategy
from rag_graphs.settings import Settings


def build(c: Components, settings: Settings) -> StateGraph[RagState]:
    graph = StateGraph(RagState)
    limits = chosen_thresholds(c.thresholds, settings)
    refining = (c.decompose, c.score_strips, limits.strip, settings.keep_strips)
    graph.add_node("retrieve", nodes.retrieve(c.retrieve))
    graph.add_node("evaluate_retrieval", nodes.evaluate_retrieval(c.evaluate, limits))
    graph.add_node("refine", nodes.refine(*refining))
    graph.add_node("rewrite_query", nodes.rewrite_query(c.rewrite, aim="keywords"))
    graph.add_node("search_web", nodes.search_web(c.search_web))
    graph.add_node("refine_web", nodes.refine_web(*refining))
    graph.add_node("generate", nodes.generate(c.generate))

    graph.add_edge(START, "retrieve")
    graph.add_edge("retrieve", "evaluate_retrieval")
    graph.add_conditional_edges(
        "evaluate_retrieval",
        routes.evaluated_action,
        {"correct": "refine", "ambiguous": "refine", "incorrect": "rewrite_query"},
    )
    graph.add_conditional_edges("refine", routes.refined_action, {"correct": "generate", "ambiguous": "rewrite_query"})
    graph.add_edge("rewrite_query", "search_web")
    graph.add_edge("search_web", "refine_web")
    graph.add_edge("refine_web", "generate")
    graph.add_edge("generate", END)
    return graph


LOOK = ("retrieve", "evaluate_retrieval")
WEB = ("rewrite_query", "search_web", "refine_web")

STRATEGY = Strategy(
    key="crag-refined",
    family="Corrective RAG",
    title="Corrective RAG with refinement",
    short_title="Refined",
    summary="Scores what the library returned, then refines it, adds the web, or does both; only the strips that matter stay.",
    build=build,
    source=Source(
        title="Yan et al. 2024, Corrective Retrieval Augmented Generation", url="https://arxiv.org/abs/2401.15884"
    ),
    strengths=(
        "Shows the paper's own algorithm: three actions, and refinement strip by strip.",
        "Little text reaches the model: at most five strips of the library and five of the web.",
    ),
    limits=(
        "Two thresholds decide much, and they belong to the evaluator.",
        "The answer itself is not checked.",
    ),
    simplifies=(
        "The paper fine-tunes a T5 model as evaluator, and runs library and web side by side when a retrieval is ambiguous. "
        "Here the evaluator is the engine's or a model that is asked, and one follows the other."
    ),
    examples=(
        Example(
            question="What's the bagel method?",
            collections=("relationships",),
            shows="Correct: documents are refined to the strips that matter, and the web is not needed.",
            path=(*LOOK, "refine", "generate"),
            stop_reason="answered",
        ),
        Example(
            question="What are the types of agent memory?",
            collections=("language-models",),
            shows="Correct: of four documents only the strips that matter stay.",
            path=(*LOOK, "refine", "generate"),
            stop_reason="answered",
        ),
        Example(
            question="How do couples cook bagels?",
            collections=("relationships",),
            shows="Ambiguous: the refined library is kept, and the refined web joins it.",
            path=(*LOOK, "refine", *WEB, "generate"),
            stop_reason="answered",
        ),
        Example(
            question="Where does a vector database store the embeddings of documents?",
            collections=("language-models",),
            shows="Ambiguous: near the subject, not sure to hold the answer, so both places are used.",
            path=(*LOOK, "refine", *WEB, "generate"),
            stop_reason="answered",
        ),
        Example(
            question="What is prompt engineering?",
            collections=("relationships",),
            shows="Incorrect: all retrieved documents are thrown away, and keywords go to the web.",
            path=(*LOOK, *WEB, "generate"),
            stop_reason="answered",
        ),
        Example(
            question="야구에서 홈런이 뭐야?",
            collections=("baseball-ko",),
            shows="Correct, asked and answered in Korean.",
            path=(*LOOK, "refine", "generate"),
            stop_reason="answered",
        ),
        Example(
            question="한글은 언제 만들어졌어?",
            collections=("baseball-ko",),
            shows="Incorrect: the library holds only baseball; Korean keywords find the page on the web.",
            path=(*LOOK, *WEB, "generate"),
            stop_reason="answered",
        ),
        Example(
            question="¿Qué es la inflación?",
            collections=("baseball-es",),
            shows="Incorrect: the answer comes from the refined text of a Spanish web page.",
            path=(*LOOK, *WEB, "generate"),
            stop_reason="answered",
        ),
        Example(
            question="二十四节气是什么?",
            collections=("language-models",),
            shows="Incorrect, asked in Chinese: strips are cut without spaces between words.",
            path=(*LOOK, *WEB, "generate"),
            stop_reason="answered",
        ),
    ),
    happy_path=("START", "retrieve", "evaluate_retrieval", "refine", "generate", "END"),
    order=24,
)
