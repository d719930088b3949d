"""Self-RAG nearer the paper: a draft from each document, three judgements of each draft, and the best one is the answer."""

from langgraph.graph import END, START, StateGraph

from rag_graphs.graphs import nodes, routes
from rag_graphs.graphs.components import Components
from rag_graphs.graphs.critique_scores import Weights
from rag_graphs.graphs.state import Document, RagState
from rag_graphs.graphs.strategy import Example, Source, Strategy
from rag_graphs.settings import Settings


def build(c: Components, settings: Settings) -> StateGraph[RagState]:
    graph = StateGraph(RagState)

    def search(query: str) -> list[Document]:
        return c.retrieve_many(query, settings.drafts)

    weights = Weights(
        relevance=settings.weight_relevance,
        support=settings.weight_support,
        use=settings.weight_use,
        likelihood=settings.weight_likelihood,
    )
    graph.add_node("decide_retrieval", nodes.decide_retrieval(c.decide_retrieval, settings.retrieval_threshold))
    graph.add_node("generate_directly", nodes.generate_directly(c.generate_directly))
    graph.add_node("retrieve", nodes.retrieve(search))
    graph.add_node("draft_answers", nodes.draft_answers(c.draft, keep_unclear=settings.keep_unclear))
    graph.add_node("rank_drafts", nodes.rank_drafts(weights, c.conclude))

    graph.add_edge(START, "decide_retrieval")
    graph.add_conditional_edges(
        "decide_retrieval", routes.retrieval_decided, {"retrieve": "retrieve", "no retrieval": "generate_directly"}
    )
    graph.add_edge("retrieve", "draft_answers")
    graph.add_edge("draft_answers", "rank_drafts")
    graph.add_edge("rank_drafts", END)
    graph.add_edge("generate_directly", END)
    return graph


PATH = ("decide_retrieval", "retrieve", "draft_answers", "rank_drafts")
DIRECT = ("decide_retrieval", "generate_directly")

STRATEGY = Strategy(
    key="self-rag-critique",
    family="Self-RAG",
    title="Self-RAG with critique scores",
    short_title="Critique scores",
    summary="Drafts an answer from each document alone, judges each draft three times, and answers with the best one.",
    build=build,
    source=Source(
        title="Asai et al. 2023, Self-RAG: Learning to Retrieve, Generate, and Critique through Self-Reflection",
        url="https://arxiv.org/abs/2310.11511",
    ),
    strengths=(
        "Shows the paper's own algorithm: ISREL, ISSUP, ISUSE and their weighted sum.",
        "Other weights rank the same drafts anew, without a model call.",
    ),
    limits=(
        "One draft a document: what has to be put together from several is missed.",
        "As many model calls as documents, though side by side.",
    ),
    simplifies=(
        "The paper fine-tunes a model to emit its judgements as tokens and works sentence by sentence with a beam of 2. Here a "
        "general model is asked for a whole draft and its judgements; their probabilities are used where it tells them."
    ),
    examples=(
        Example(
            question="How to improve relationships",
            collections=("relationships",),
            shows="Five documents, five drafts: the judgements decide which of them becomes the answer.",
            path=PATH,
            stop_reason="useful",
        ),
        Example(
            question="What are the types of agent memory?",
            collections=("language-models",),
            shows="Several pages state it; the drafts differ by how well they serve.",
            path=PATH,
            stop_reason="useful",
        ),
        Example(
            question="How to improve relationships",
            collections=("relationships",),
            shows="The careless switch spoils two drafts, and ISSUP tells: one is partly supported, one not at all.",
            path=PATH,
            stop_reason="not verified",
            settings=(("careless", True),),
        ),
        Example(
            question="When was the bagel method invented?",
            collections=("relationships",),
            shows="Every draft lacks the date: the best one is of little use, and the run says so.",
            path=PATH,
            stop_reason="not verified",
        ),
        Example(
            question="¿Qué tipos de memoria tiene un agente?",
            collections=("language-models",),
            shows="Asked in Spanish: drafts come from pages in two languages.",
            path=PATH,
            stop_reason="useful",
        ),
        Example(
            question="야구에서 홈런이 뭐야?",
            collections=("baseball-ko",),
            shows="Asked and answered in Korean.",
            path=PATH,
            stop_reason="useful",
        ),
        Example(
            question="How to cook a bagel?",
            collections=("relationships",),
            shows="No draft comes from a relevant document, so none becomes the answer.",
            path=PATH,
            stop_reason="no relevant documents",
        ),
        Example(
            question="What is 12 * 7?",
            collections=("relationships",),
            shows="Nothing needs to be looked up: retrieval is skipped.",
            path=DIRECT,
            stop_reason="from the model, without sources",
        ),
        Example(
            question="안녕하세요!",
            collections=("baseball-ko",),
            shows="A greeting in Korean: no retrieval.",
            path=DIRECT,
            stop_reason="from the model, without sources",
        ),
    ),
    happy_path=("START", "decide_retrieval", "retrieve", "draft_answers", "rank_drafts", "END"),
    order=14,
)
