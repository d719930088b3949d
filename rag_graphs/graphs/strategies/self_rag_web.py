"""Self-RAG with a web search behind it: where the library has nothing relevant, the web is searched instead of asking again."""

from langgraph.graph import END, START, StateGraph

from rag_graphs.graphs import nodes, routes
from rag_graphs.graphs.components import Components
from rag_graphs.graphs.state import RagState
from rag_graphs.graphs.strategy import Example, Loop, Source, Strategy
from rag_graphs.settings import Settings


def build(c: Components, settings: Settings) -> StateGraph[RagState]:
    graph = StateGraph(RagState)
    graph.add_node("retrieve", nodes.retrieve(c.retrieve))
    graph.add_node("grade_documents", nodes.grade_documents(c.grade_relevance, keep_unclear=settings.keep_unclear))
    graph.add_node("search_web", nodes.search_web(c.search_web))
    graph.add_node("generate", nodes.generate(c.generate))
    graph.add_node("grade_answer", nodes.grade_answer(c.grade_answer))
    graph.add_node("give_up", nodes.give_up(c.conclude))

    graph.add_edge(START, "retrieve")
    graph.add_edge("retrieve", "grade_documents")
    if settings.search_when == "any irrelevant":
        graph.add_conditional_edges(
            "grade_documents", routes.all_relevant, {"all relevant": "generate", "some irrelevant": "search_web"}
        )
    else:
        graph.add_conditional_edges(
            "grade_documents", routes.none_relevant, {"some relevant": "generate", "none relevant": "search_web"}
        )
    graph.add_edge("search_web", "generate")
    graph.add_edge("generate", "grade_answer")
    graph.add_conditional_edges(
        "grade_answer",
        routes.answer_verdict(settings, again="searches"),
        {
            "useful": END,
            "not verified": END,
            "not grounded": "generate",
            "not useful": "search_web",
            "budget spent": "give_up",
        },
    )
    graph.add_edge("give_up", END)
    return graph


LOOK = ("retrieve", "grade_documents")
ANSWER = ("generate", "grade_answer")
WEB = ("search_web", *ANSWER)

STRATEGY = Strategy(
    key="self-rag-web",
    family="Self-RAG",
    title="Self-RAG with web search",
    short_title="With web search",
    summary="Grades documents and answer as Self-RAG does, and searches the web where the library does not help.",
    build=build,
    source=Source(
        title="Asai et al. 2023, Self-RAG: Learning to Retrieve, Generate, and Critique through Self-Reflection",
        url="https://arxiv.org/abs/2310.11511",
    ),
    strengths=(
        "Answers what the library does not hold.",
        "Checks answers from the web as strictly as those from the library.",
    ),
    limits=(
        "Asks the web in the words of the question: no query is rewritten, so a second search mostly finds the same pages, and "
        "only the next attempt can differ.",
        "Text from the web is not graded before it is used.",
    ),
    simplifies=(
        "The paper has no web search. As in common LangGraph versions, it stands where Self-RAG's rewrite loop would be."
    ),
    examples=(
        Example(
            question="야구에서 홈런이 뭐야?",
            collections=("baseball-ko",),
            shows="Asked and answered in Korean from the library: some documents are relevant, so the web is not needed.",
            path=(*LOOK, *ANSWER),
            stop_reason="useful",
        ),
        Example(
            question="How to improve relationships",
            collections=("relationships",),
            shows="One of four documents is relevant, which is enough to answer without the web.",
            path=(*LOOK, *ANSWER),
            stop_reason="useful",
        ),
        Example(
            question="What is prompt engineering?",
            collections=("relationships",),
            shows="Nothing in the library is relevant: the web answers instead of another try in other words.",
            path=(*LOOK, *WEB),
            stop_reason="useful",
        ),
        Example(
            question="한글은 언제 만들어졌어?",
            collections=("baseball-ko",),
            shows="The library holds only baseball, so the answer comes from a Korean web page, and is checked.",
            path=(*LOOK, *WEB),
            stop_reason="useful",
        ),
        Example(
            question="二十四节气是什么?",
            collections=("language-models",),
            shows="Asked in Chinese of a library on language models: the web has the answer.",
            path=(*LOOK, *WEB),
            stop_reason="useful",
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
            question="When was the bagel method invented?",
            collections=("relationships",),
            shows="No answer gives a date, and the web knows none either: the search budget is spent.",
            path=(*LOOK, *ANSWER, *WEB, *WEB, "give_up"),
            stop_reason="retry budget spent",
        ),
        Example(
            question="¿Qué es la inflación?",
            collections=("baseball-es",),
            shows="The Spanish library holds only baseball, so the answer comes from a Spanish web page.",
            path=(*LOOK, *WEB),
            stop_reason="useful",
        ),
        Example(
            question="How to improve relationships",
            collections=("relationships",),
            shows="Set to search when any document is irrelevant: three of four are, so the web is asked as well.",
            path=(*LOOK, *WEB),
            stop_reason="useful",
            settings=(("search_when", "any irrelevant"),),
        ),
    ),
    happy_path=("START", "retrieve", "grade_documents", "generate", "grade_answer", "END"),
    beside=(("grade_documents", "search_web"), ("grade_answer", "give_up")),
    loops=(
        Loop(source="grade_answer", target="search_web", counter="searches", budget="max_searches"),
        Loop(source="grade_answer", target="generate", counter="regenerations", budget="max_regenerations"),
    ),
    order=12,
)
