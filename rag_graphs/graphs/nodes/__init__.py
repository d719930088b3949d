"""The nodes of all graphs. Each is made by a factory that takes the one or two functions the node needs.

A node reads the state, calls its function, writes what happens to the stream as plain dicts and returns the changed fields.
It neither draws anything nor decides which node comes next: the edges do that (`routes.py`).
"""

from rag_graphs.graphs.nodes.chaining import reason_step, retrieve_more
from rag_graphs.graphs.nodes.deciding import classify_complexity, decide_retrieval, route_question
from rag_graphs.graphs.nodes.drafting import draft_answers, rank_drafts
from rag_graphs.graphs.nodes.grading import evaluate_retrieval, grade_answer, grade_documents
from rag_graphs.graphs.nodes.node import Node
from rag_graphs.graphs.nodes.refining import refine, refine_web
from rag_graphs.graphs.nodes.searching import condense_question, retrieve, rewrite_query, search_web
from rag_graphs.graphs.nodes.writing import generate, generate_directly, give_up

__all__ = [
    "Node",
    "classify_complexity",
    "condense_question",
    "decide_retrieval",
    "draft_answers",
    "evaluate_retrieval",
    "generate",
    "generate_directly",
    "give_up",
    "grade_answer",
    "grade_documents",
    "rank_drafts",
    "reason_step",
    "refine",
    "refine_web",
    "retrieve",
    "retrieve_more",
    "rewrite_query",
    "route_question",
    "search_web",
]
