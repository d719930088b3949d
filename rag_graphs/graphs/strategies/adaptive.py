"""Adaptive RAG by source: a router chooses the library or the web; from there on documents and answer are graded."""

from langgraph.graph import END, START, StateGraph

from rag_graphs.graphs import nodes, routes
from rag_graphs.graphs.components import Components
from rag_graphs.graphs.state import RagState
from rag_graphs.graphs.strategy import Example, Loop, Source, Strategy
from rag_graphs.settings import Settings


def build(c: Components, settings: Settings) -> StateGraph[RagState]:
    graph = StateGraph(RagState)
    graph.add_node("route_question", nodes.route_question(c.route))
    graph.add_node("retrieve", nodes.retrieve(c.retrieve))
    graph.add_node("grade_documents", nodes.grade_documents(c.grade_relevance, keep_unclear=settings.keep_unclear))
    graph.add_node("generate", nodes.generate(c.generate))
    graph.add_node("grade_answer", nodes.grade_answer(c.grade_answer))
    graph.add_node("rewrite_query", nodes.rewrite_query(c.rewrite))
    graph.add_node("search_web", nodes.search_web(c.search_web))
    graph.add_node("give_up", nodes.give_up(c.conclude))

    graph.add_edge(START, "route_question")
    graph.add_conditional_edges(
        "route_question", routes.chosen_route, {"vectorstore": "retrieve", "web search": "search_web"}
    )
    graph.add_edge("search_web", "generate")
    graph.add_edge("retrieve", "grade_documents")
    graph.add_conditional_edges(
        "grade_documents",
        routes.any_relevant(settings),
        {"some relevant": "generate", "none relevant": "rewrite_query", "budget spent": "give_up"},
    )
    graph.add_edge("rewrite_query", "retrieve")
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
    graph.add_edge("give_up", END)
    return graph


LOOK = ("retrieve", "grade_documents")
ANSWER = ("generate", "grade_answer")
LIBRARY = ("route_question", *LOOK)
WEB = ("route_question", "search_web")

STRATEGY = Strategy(
    key="adaptive",
    family="Adaptive RAG",
    title="Adaptive RAG",
    short_title="Adaptive RAG",
    summary="A router first decides between the library and the web; then documents and answer are graded as in Self-RAG.",
    build=build,
    source=Source(
        title="Jeong et al. 2024, Adaptive-RAG: Learning to Adapt Retrieval-Augmented LLMs through Question Complexity",
        url="https://arxiv.org/abs/2403.14403",
    ),
    strengths=(
        "Spends a search only where the answer may be.",
        "Answers current questions and library questions alike.",
    ),
    limits=(
        "A wrong route is repaired only by the loops behind it.",
        "The router is only as good as the library's description.",
    ),
    simplifies=(
        "The paper's classifier sorts questions by complexity and so chooses the number of retrieval steps. Here, as in the "
        "common LangGraph version, the router sorts by source."
    ),
    examples=(
        Example(
            question="랭그래프에서 fan in, fan out의 의미",
            collections=("langgraph-ko",),
            shows="The router chooses the library, and all four documents are relevant.",
            path=(*LIBRARY, *ANSWER),
            stop_reason="useful",
        ),
        Example(
            question="손흥민의 이번 시즌 공격 포인트",
            collections=("langgraph-ko",),
            shows="The router sees that the library holds nothing on football and goes to the web at once.",
            path=(*WEB, *ANSWER),
            stop_reason="useful",
        ),
        Example(
            question="How to cook a bagel?",
            collections=("relationships",),
            shows="The library speaks of bagels but not of kitchens, so the router chooses the web.",
            path=(*WEB, *ANSWER),
            stop_reason="useful",
        ),
        Example(
            question="How can I cook a bagel?",
            collections=("relationships",),
            shows="With the web search off only the library is left: nothing is relevant, and the run gives up.",
            path=(*LIBRARY, *("rewrite_query", *LOOK) * 3, "give_up"),
            stop_reason="no relevant documents",
            settings=(("web", "off"),),
        ),
        Example(
            question="When was the bagel method invented?",
            collections=("relationships",),
            shows="The subject is in the library, the date is not: no answer is useful until the budget is spent.",
            path=(*LIBRARY, *ANSWER, *("rewrite_query", *LOOK, *ANSWER) * 3, "give_up"),
            stop_reason="retry budget spent",
        ),
        Example(
            question="How long does it take until a habit sticks?",
            collections=("relationships",),
            shows="The careless switch spoils the first answer; the check on the documents sends it back.",
            path=(*LIBRARY, *ANSWER, *ANSWER),
            stop_reason="useful",
            settings=(("careless", True),),
        ),
        Example(
            question="¿Qué es un jonrón?",
            collections=("baseball-es",),
            shows="Asked in Spanish, routed to the library, answered in Spanish.",
            path=(*LIBRARY, *ANSWER),
            stop_reason="useful",
        ),
        Example(
            question="二十四节气是什么?",
            collections=("language-models",),
            shows="Asked in Chinese of a library on language models: routed to the web.",
            path=(*WEB, *ANSWER),
            stop_reason="useful",
        ),
    ),
    happy_path=("START", "route_question", "retrieve", "grade_documents", "generate", "grade_answer", "END"),
    beside=(("grade_documents", "rewrite_query"), ("grade_answer", "give_up"), ("retrieve", "search_web")),
    loops=(
        Loop(source="rewrite_query", target="retrieve", counter="rewrites", budget="max_rewrites"),
        Loop(source="grade_answer", target="generate", counter="regenerations", budget="max_regenerations"),
    ),
    order=30,
)
