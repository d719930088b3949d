"""Self-RAG with a fixed library: grade the documents, then the answer, and go back where a grade fails."""

from langgraph.graph import END, START, StateGraph

from rag_graphs.graphs import nodes, routes
from rag_graphs.graphs.components import Components
from rag_graphs.graphs.state import RagState
from rag_graphs.graphs.strategy import Example, Loop, Source, Strategy
from rag_graphs.settings import Settings


def build(c: Components, settings: Settings) -> StateGraph[RagState]:
    graph = StateGraph(RagState)
    if settings.gate != "off":
        attempt = c.generate_directly if settings.gate == "attempt" else None
        decide = nodes.decide_retrieval(c.decide_retrieval, settings.retrieval_threshold, attempt=attempt)
        graph.add_node("decide_retrieval", decide)
        graph.add_node("generate_directly", nodes.generate_directly(c.generate_directly))
    graph.add_node("retrieve", nodes.retrieve(c.retrieve))
    graph.add_node("grade_documents", nodes.grade_documents(c.grade_relevance, keep_unclear=settings.keep_unclear))
    graph.add_node("generate", nodes.generate(c.generate))
    graph.add_node("grade_answer", nodes.grade_answer(c.grade_answer))
    graph.add_node("rewrite_query", nodes.rewrite_query(c.rewrite))
    graph.add_node("give_up", nodes.give_up(c.conclude))

    if settings.gate == "off":
        graph.add_edge(START, "retrieve")
    else:
        graph.add_edge(START, "decide_retrieval")
        graph.add_conditional_edges(
            "decide_retrieval",
            routes.retrieval_decided,
            {"retrieve": "retrieve", "no retrieval": "generate_directly"},
        )
        graph.add_edge("generate_directly", END)
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


LOOK = ("retrieve", "grade_documents")
ANSWER = ("generate", "grade_answer")

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
    examples=(
        Example(
            question="How to improve relationships",
            collections=("relationships",),
            shows="One of four documents is relevant; the answer rests on that one and passes both checks.",
            path=(*LOOK, *ANSWER),
            stop_reason="useful",
        ),
        Example(
            question="How to cook a bagel?",
            collections=("relationships",),
            shows="The library knows bagels only as a drawing: three rewrites find nothing, and the run says so.",
            path=(*LOOK, *("rewrite_query", *LOOK) * 3, "give_up"),
            stop_reason="no relevant documents",
        ),
        Example(
            question="When was the bagel method invented?",
            collections=("relationships",),
            shows="The answers are true but give no date, so none is useful, and the budget of rewrites runs out.",
            path=(*LOOK, *ANSWER, *("rewrite_query", *LOOK, *ANSWER) * 3, "give_up"),
            stop_reason="retry budget spent",
        ),
        Example(
            question="Who does what after a meeting?",
            collections=("relationships",),
            shows="With one document per search the first find is the wrong passage; a rewritten query finds the right one.",
            path=(*LOOK, "rewrite_query", *LOOK, *ANSWER),
            stop_reason="useful",
            settings=(("k", 1),),
        ),
        Example(
            question="What goes into the inner ring of the bagel?",
            collections=("relationships",),
            shows="The careless switch spoils the first answer; the check on the documents sends it back.",
            path=(*LOOK, *ANSWER, *ANSWER),
            stop_reason="useful",
            settings=(("careless", True),),
        ),
        Example(
            question="Hoe maak ik een gewoonte die blijft?",
            collections=("relationships",),
            shows="A question in Dutch finds the one Dutch page among English ones.",
            path=(*LOOK, *ANSWER),
            stop_reason="useful",
        ),
        Example(
            question="¿Qué tipos de memoria tiene un agente?",
            collections=("language-models",),
            shows="Asked and answered in Spanish, though most pages of this library are in English.",
            path=(*LOOK, *ANSWER),
            stop_reason="useful",
        ),
        Example(
            question="什么是检索增强生成?",
            collections=("language-models",),
            shows="Asked and answered in Chinese, from the Chinese page alone.",
            path=(*LOOK, *ANSWER),
            stop_reason="useful",
        ),
        Example(
            question="야구에서 홈런이 뭐야?",
            collections=("baseball-ko",),
            shows="Asked and answered in Korean; some of the four documents are relevant.",
            path=(*LOOK, *ANSWER),
            stop_reason="useful",
        ),
        Example(
            question="Hello!",
            collections=("relationships",),
            shows="With the gate on, the first decision is whether to retrieve at all: a greeting needs no source.",
            path=("decide_retrieval", "generate_directly"),
            stop_reason="from the model, without sources",
            settings=(("gate", "question"),),
        ),
        Example(
            question="How long does it take until a habit sticks?",
            collections=("relationships",),
            shows="The gate tries an answer without documents first; it finds none, so documents are retrieved.",
            path=("decide_retrieval", *LOOK, *ANSWER),
            stop_reason="useful",
            settings=(("gate", "attempt"),),
        ),
    ),
    happy_path=("START", "retrieve", "grade_documents", "generate", "grade_answer", "END"),
    beside=(("grade_documents", "rewrite_query"), ("grade_answer", "give_up")),
    loops=(
        Loop(source="rewrite_query", target="retrieve", counter="rewrites", budget="max_rewrites"),
        Loop(source="grade_answer", target="generate", counter="regenerations", budget="max_regenerations"),
    ),
    order=10,
)
