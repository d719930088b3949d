"""The graphs that the drawing is tested on: every strategy there is, some of other kinds, and some odd ones."""

from rag_graphs.graphs.strategies import all_strategies
from rag_graphs.graphs.strategy import Edge, Loop, Outline
from rag_graphs.settings import Settings
from rag_graphs.views.diagram.plan import Shape, shape_of

LOOPS = (
    Loop(source="rewrite_query", target="retrieve", counter="rewrites", budget="max_rewrites"),
    Loop(source="grade_answer", target="generate", counter="regenerations", budget="max_regenerations"),
)
ANSWER_GRADED = (
    "generate | grade_answer; grade_answer | useful | END; grade_answer | not verified | END;"
    "grade_answer | not grounded | generate; grade_answer | budget spent | give_up; give_up | END;"
)
MAIN = "START retrieve grade_documents generate grade_answer END"
BESIDE = (("grade_documents", "rewrite_query"), ("grade_answer", "give_up"), ("retrieve", "search_web"))


def shape(text: str, *, happy: str = "", beside: tuple[tuple[str, str], ...] = ()) -> Shape:
    """A graph from edges like `source | target` and `source | outcome | target`, with `;` between them."""
    edges = []
    for line in text.split(";"):
        if parts := [part.strip() for part in line.split("|") if part.strip()]:
            edges.append(Edge(source=parts[0], outcome="".join(parts[1:-1]), target=parts[-1]))
    nodes = dict.fromkeys(n for e in edges for n in (e.source, e.target) if n not in ("START", "END"))
    ends = {(e.source, e.target) for e in edges}
    return Shape(
        outline=Outline(nodes=tuple(nodes), edges=tuple(edges)),
        happy_path=tuple(happy.split()),
        beside=beside,
        loops=tuple(loop for loop in LOOPS if (loop.source, loop.target) in ends),
        names=tuple(n.replace("_", " ").capitalize() for n in nodes),
    )


STRATEGIES = {key: shape_of(strategy, Settings()) for key, strategy in all_strategies().items()}

WITH_SETTINGS = {
    "a gate": shape_of(all_strategies()["self-rag"], Settings(gate="question")),
    "a conversation": shape_of(all_strategies()["crag"], Settings(conversing=True)),
    "a gate in a conversation": shape_of(all_strategies()["self-rag"], Settings(gate="attempt", conversing=True)),
}

OTHERS = {
    "refined": shape(
        "START | retrieve; retrieve | evaluate_retrieval; evaluate_retrieval | correct | refine;"
        "evaluate_retrieval | ambiguous | refine; evaluate_retrieval | incorrect | rewrite_query;"
        "refine | correct | generate; refine | ambiguous | rewrite_query; rewrite_query | search_web;"
        "search_web | refine_web; refine_web | generate; generate | END",
        happy="START retrieve evaluate_retrieval refine generate END",
    ),
    "web behind it": shape(
        "START | retrieve; retrieve | grade_documents; grade_documents | some relevant | generate;"
        "grade_documents | none relevant | search_web; search_web | generate;"
        f"grade_answer | not useful | search_web; {ANSWER_GRADED}",
        happy=MAIN,
    ),
    "by complexity": shape(
        "START | classify_complexity; classify_complexity | A | generate_directly; classify_complexity | B | retrieve;"
        "classify_complexity | C | retrieve; retrieve | one step | generate; retrieve | several steps | reason_step;"
        "reason_step | answer reached | generate; reason_step | next step | retrieve; generate | END;"
        "generate_directly | END",
        happy="START classify_complexity retrieve generate END",
    ),
    "three routes": shape(
        "START | route_question; route_question | vectorstore | retrieve; route_question | web search | search_web;"
        "route_question | no retrieval | generate_directly; generate_directly | END; search_web | generate;"
        "retrieve | grade_documents; grade_documents | some relevant | generate;"
        "grade_documents | none relevant | rewrite_query; grade_documents | budget spent | give_up;"
        f"rewrite_query | retrieve; grade_answer | not useful | rewrite_query; {ANSWER_GRADED}",
        happy="START route_question retrieve grade_documents generate grade_answer END",
        beside=BESIDE,
    ),
    "by drafts": shape(
        "START | decide_retrieval; decide_retrieval | retrieve | retrieve;"
        "decide_retrieval | no retrieval | generate_directly; retrieve | draft_answers; draft_answers | rank_drafts;"
        "rank_drafts | END; generate_directly | END",
        happy="START decide_retrieval retrieve draft_answers rank_drafts END",
    ),
    "without a hint": shape(
        "START | retrieve; retrieve | grade_documents; grade_documents | some relevant | generate;"
        "grade_documents | none relevant | rewrite_query; grade_documents | budget spent | give_up;"
        f"rewrite_query | retrieve; grade_answer | not useful | rewrite_query; {ANSWER_GRADED}"
    ),
}

ODD = {
    "one node": shape("START | only; only | END"),
    "a node that repeats itself": shape("START | again; again | once more | again; again | enough | END"),
    "there and back": shape("START | one; one | there | two; two | back | one; one | done | END"),
    "no way to the end": shape("START | one; one | two"),
    "one long word": shape("START | verificationofretrieval; verificationofretrieval | END"),
    "in Korean": shape("START | 문서를_검색한다; 문서를_검색한다 | 관련 있음 | 답변을_생성한다; 답변을_생성한다 | END"),
    "signs that mean something": shape('START | a<b>"c"&d; a<b>"c"&d | x<y & \'z\':: | END'),
}

ALL = STRATEGIES | WITH_SETTINGS | OTHERS | ODD
