"""Adaptive RAG nearer the paper: a classifier chooses no retrieval, one search, or retrieval and reasoning in turn."""

from langgraph.graph import END, START, StateGraph

from rag_graphs.graphs import nodes, routes
from rag_graphs.graphs.components import Components
from rag_graphs.graphs.state import RagState
from rag_graphs.graphs.strategy import Example, Loop, Source, Strategy
from rag_graphs.settings import Settings


def build(c: Components, settings: Settings) -> StateGraph[RagState]:
    graph = StateGraph(RagState)
    graph.add_node("classify_complexity", nodes.classify_complexity(c.classify))
    graph.add_node("generate_directly", nodes.generate_directly(c.generate_directly))
    graph.add_node("retrieve", nodes.retrieve(c.retrieve))
    graph.add_node("retrieve_more", nodes.retrieve_more(c.retrieve, settings.max_documents))
    graph.add_node("reason_step", nodes.reason_step(c.reason))
    graph.add_node("generate", nodes.generate(c.generate))

    graph.add_edge(START, "classify_complexity")
    graph.add_conditional_edges(
        "classify_complexity",
        routes.complexity_level,
        {"A": "generate_directly", "B": "retrieve", "C": "retrieve_more"},
    )
    graph.add_edge("generate_directly", END)
    graph.add_edge("retrieve", "generate")
    graph.add_edge("retrieve_more", "reason_step")
    graph.add_conditional_edges(
        "reason_step",
        routes.chain_reached(settings),
        {"answer reached": "generate", "budget spent": "generate", "go on": "retrieve_more"},
    )
    graph.add_edge("generate", END)
    return graph


ROUND = ("retrieve_more", "reason_step")

STRATEGY = Strategy(
    key="adaptive-complexity",
    family="Adaptive RAG",
    title="Adaptive RAG by complexity",
    short_title="By complexity",
    summary="A classifier decides how much retrieval a question needs: none, one search, or searching and reasoning in turn.",
    build=build,
    source=Source(
        title="Jeong et al. 2024, Adaptive-RAG: Learning to Adapt Retrieval-Augmented LLMs through Question Complexity",
        url="https://arxiv.org/abs/2403.14403",
    ),
    strengths=(
        "Shows the paper's own algorithm: effort by complexity.",
        "Finds what can only be looked up once something else is known.",
    ),
    limits=(
        "Decided once, before any retrieval: a wrong class is not repaired.",
        "Neither documents nor answer are graded.",
    ),
    simplifies=(
        "The paper trains a T5 classifier on which effort led to right answers. Here the engine's rules or a model that is asked "
        "choose the class; the chain interleaves retrieval and one sentence of reasoning, as the paper's multi-step answer does."
    ),
    examples=(
        Example(
            question="Where does the inventor of the lantern walk live?",
            collections=("relationships",),
            shows="Class C: the first search names the inventor, the next one finds where she lives.",
            path=("classify_complexity", *ROUND * 3, "generate"),
            stop_reason="answered",
            settings=(("k", 2),),
        ),
        Example(
            question="Where does the inventor of the lantern walk live?",
            collections=("relationships",),
            shows="The same with one step allowed: the budget is spent before the second page is found.",
            path=("classify_complexity", *ROUND, "generate"),
            stop_reason="answered",
            settings=(("k", 2), ("max_steps", 1)),
        ),
        Example(
            question="Which types of memory do agents have and what is each of them for?",
            collections=("language-models",),
            shows="Class C by its two questions, yet the first search finds all: one step is enough.",
            path=("classify_complexity", *ROUND, "generate"),
            stop_reason="answered",
        ),
        Example(
            question="홈런과 안타 중에서 무엇이 더 많은 점수를 내?",
            collections=("baseball-ko",),
            shows="A comparison in Korean: class C.",
            path=("classify_complexity", *ROUND * 2, "generate"),
            stop_reason="answered",
        ),
        Example(
            question="What's the bagel method?",
            collections=("relationships",),
            shows="Class B: the answer can stand in one passage, so one search is made.",
            path=("classify_complexity", "retrieve", "generate"),
            stop_reason="answered",
        ),
        Example(
            question="¿Qué es un jonrón?",
            collections=("baseball-es",),
            shows="Class B in Spanish.",
            path=("classify_complexity", "retrieve", "generate"),
            stop_reason="answered",
        ),
        Example(
            question="Thank you!",
            collections=("relationships",),
            shows="Class A: nothing has to be looked up.",
            path=("classify_complexity", "generate_directly"),
            stop_reason="from the model, without sources",
        ),
        Example(
            question="12 곱하기 7은 얼마야?",
            collections=("baseball-ko",),
            shows="Class A in Korean: arithmetic.",
            path=("classify_complexity", "generate_directly"),
            stop_reason="from the model, without sources",
        ),
    ),
    happy_path=("START", "classify_complexity", "retrieve", "generate", "END"),
    loops=(Loop(source="reason_step", target="retrieve_more", counter="steps", budget="max_steps"),),
    order=34,
)
