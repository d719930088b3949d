"""Adaptive RAG with a third route: greetings and common knowledge need no retrieval."""

from langgraph.graph import END, START, StateGraph

from rag_graphs.graphs import nodes, routes
from rag_graphs.graphs.components import Components
from rag_graphs.graphs.state import RagState
from rag_graphs.graphs.strategy import Example, Loop, Source, Strategy
from rag_graphs.settings import Settings


def build(c: Components, settings: Settings) -> StateGraph[RagState]:
    graph = StateGraph(RagState)
    graph.add_node("route_question", nodes.route_question(c.route_direct))
    graph.add_node("retrieve", nodes.retrieve(c.retrieve))
    graph.add_node("grade_documents", nodes.grade_documents(c.grade_relevance, keep_unclear=settings.keep_unclear))
    graph.add_node("generate", nodes.generate(c.generate))
    graph.add_node("grade_answer", nodes.grade_answer(c.grade_answer))
    graph.add_node("rewrite_query", nodes.rewrite_query(c.rewrite))
    graph.add_node("search_web", nodes.search_web(c.search_web))
    graph.add_node("generate_directly", nodes.generate_directly(c.generate_directly))
    graph.add_node("give_up", nodes.give_up(c.conclude))

    graph.add_edge(START, "route_question")
    graph.add_conditional_edges(
        "route_question",
        routes.chosen_route,
        {"vectorstore": "retrieve", "web search": "search_web", "no retrieval": "generate_directly"},
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
    graph.add_edge("generate_directly", END)
    graph.add_edge("give_up", END)
    return graph


LOOK = ("retrieve", "grade_documents")
ANSWER = ("generate", "grade_answer")
LIBRARY = ("route_question", *LOOK)
WEB = ("route_question", "search_web")
DIRECT = ("route_question", "generate_directly")

STRATEGY = Strategy(
    key="adaptive-direct",
    family="Adaptive RAG",
    title="Adaptive RAG with a third route",
    short_title="Third route",
    summary="As Adaptive RAG, and what needs no source at all is answered at once, marked as such.",
    build=build,
    source=Source(
        title="Jeong et al. 2024, Adaptive-RAG: Learning to Adapt Retrieval-Augmented LLMs through Question Complexity",
        url="https://arxiv.org/abs/2403.14403",
    ),
    strengths=(
        "A greeting costs no search.",
        "An answer without sources says that it has none.",
    ),
    limits=(
        "What the model takes for common knowledge is not checked.",
        "Three routes are easier to confuse than two.",
    ),
    simplifies=(
        "The paper's class A, no retrieval, is here a route of its own; the number of retrieval steps is not chosen."
    ),
    examples=(
        Example(
            question="Hello!",
            collections=("relationships",),
            shows="A greeting: no search, and the answer says that it has no sources.",
            path=DIRECT,
            stop_reason="from the model, without sources",
        ),
        Example(
            question="15 % of 80",
            collections=("relationships",),
            shows="Arithmetic needs no source either.",
            path=DIRECT,
            stop_reason="from the model, without sources",
        ),
        Example(
            question="안녕하세요!",
            collections=("langgraph-ko",),
            shows="A greeting in Korean, answered in Korean.",
            path=DIRECT,
            stop_reason="from the model, without sources",
        ),
        Example(
            question="랭그래프에서 fan in, fan out의 의미",
            collections=("langgraph-ko",),
            shows="The router chooses the library, and the documents are relevant.",
            path=(*LIBRARY, *ANSWER),
            stop_reason="useful",
        ),
        Example(
            question="손흥민의 이번 시즌 공격 포인트",
            collections=("langgraph-ko",),
            shows="The library holds nothing on football, so the router goes to the web.",
            path=(*WEB, *ANSWER),
            stop_reason="useful",
        ),
        Example(
            question="What goes into the inner ring of the bagel?",
            collections=("relationships",),
            shows="The careless switch spoils the first answer; the check on the documents sends it back.",
            path=(*LIBRARY, *ANSWER, *ANSWER),
            stop_reason="useful",
            settings=(("careless", True),),
        ),
        Example(
            question="When was the bagel method invented?",
            collections=("relationships",),
            shows="One rewrite is allowed, and no answer gives a date: the best attempt, said to be unverified.",
            path=(*LIBRARY, *ANSWER, "rewrite_query", *LOOK, *ANSWER, "give_up"),
            stop_reason="retry budget spent",
            settings=(("max_rewrites", 1),),
        ),
        Example(
            question="How to cook a bagel?",
            collections=("relationships",),
            shows="With the web search off only the library is left: nothing is relevant, and the run gives up.",
            path=(*LIBRARY, *("rewrite_query", *LOOK) * 3, "give_up"),
            stop_reason="no relevant documents",
            settings=(("web", "off"),),
        ),
    ),
    happy_path=("START", "route_question", "retrieve", "grade_documents", "generate", "grade_answer", "END"),
    beside=(
        ("grade_documents", "rewrite_query"),
        ("grade_answer", "give_up"),
        ("retrieve", "search_web"),
        ("search_web", "generate_directly"),
    ),
    loops=(
        Loop(source="rewrite_query", target="retrieve", counter="rewrites", budget="max_rewrites"),
        Loop(source="grade_answer", target="generate", counter="regenerations", budget="max_regenerations"),
    ),
    order=32,
)
