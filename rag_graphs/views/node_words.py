"""What nodes, stop reasons and routes are called on the screen."""

from __future__ import annotations

from rag_graphs.graphs.state import Complexity
from rag_graphs.views.translation import _


def node_name(node: str) -> str:
    """grade_documents -> Grade documents."""
    return _(node.replace("_", " ").capitalize())


def doing(node: str) -> str:
    """What is going on while a node runs."""
    known = {
        "retrieve": _("Searching the library"),
        "grade_documents": _("Grading documents"),
        "generate": _("Writing the answer"),
        "grade_answer": _("Grading the answer"),
        "rewrite_query": _("Rewriting the query"),
        "search_web": _("Searching the web"),
        "route_question": _("Choosing a route"),
        "give_up": _("Giving up"),
        "condense_question": _("Completing the question"),
        "decide_retrieval": _("Deciding about a search"),
        "generate_directly": _("Answering from the model"),
        "draft_answers": _("Drafting answers"),
        "rank_drafts": _("Ranking the drafts"),
        "evaluate_retrieval": _("Scoring documents"),
        "refine": _("Refining the library’s documents"),
        "refine_web": _("Refining the web’s documents"),
        "classify_complexity": _("Judging the question"),
        "retrieve_more": _("Searching the library"),
        "reason_step": _("Reasoning one step"),
    }
    return known.get(node, node_name(node))


def did(node: str) -> str:
    """What happened in a node, for a step of a run that is over."""
    known = {
        "retrieve": _("the library is searched"),
        "grade_documents": _("the documents are graded"),
        "generate": _("the answer is written"),
        "grade_answer": _("the answer is graded"),
        "rewrite_query": _("the query is rewritten"),
        "search_web": _("the web is searched"),
        "route_question": _("the route is chosen"),
        "give_up": _("the run gives up"),
        "condense_question": _("the question is made complete"),
        "decide_retrieval": _("it is decided whether to search"),
        "generate_directly": _("the model answers"),
        "draft_answers": _("answers are drafted"),
        "rank_drafts": _("the drafts are ranked"),
        "evaluate_retrieval": _("the documents are scored"),
        "refine": _("the library’s documents are refined"),
        "refine_web": _("the web’s documents are refined"),
        "classify_complexity": _("the question is judged"),
        "retrieve_more": _("the library is searched"),
        "reason_step": _("one step is reasoned"),
    }
    return known.get(node, node_name(node).lower())


def target_name(target: str) -> str:
    """Where a route leads, in words."""
    known = {
        "vectorstore": _("to the library"),
        "web search": _("to the web"),
        "no retrieval": _("straight to the model"),
    }
    return known.get(target, target)


def meaning(action: str) -> str:
    """What one of the retrieval evaluator's actions leads to."""
    known = {
        "correct": _("The library’s documents are refined."),
        "ambiguous": _("The library’s documents are refined, and the web is searched as well."),
        "incorrect": _("The library’s documents are thrown away, and the web is searched."),
    }
    return known.get(action, "")


def class_words(complexity: Complexity) -> str:
    """A class of complexity with what it means; one that could not be read counts as B."""
    known = {
        "A": _("A, no search"),
        "B": _("B, one search"),
        "C": _("C, one search after the other"),
    }
    return known["B" if complexity.error else complexity.label]


def stop_chip(reason: str, strategy: str) -> tuple[str, str, str]:
    """A stop reason's colour (yes, no, plain), its words and its meaning."""
    known = {
        "useful": ("yes", _("Useful"), _("Rests on the documents and answers the question.")),
        "answered": ("plain", _("Answered"), _("{strategy} does not check its answer.").format(strategy=strategy)),
        "not verified": ("plain", _("Not verified"), _("The answer could not be checked to the end.")),
        "no relevant documents": ("no", _("No relevant documents"), _("Nothing that was found answers the question.")),
        "retry budget spent": (
            "no",
            _("Retry budget spent"),
            _("No attempt passed every check; this is the best one."),
        ),
        "from the model, without sources": ("plain", _("Without sources"), _("The model answered from what it knows.")),
        "search unavailable": ("no", _("Search unavailable"), _("A web search was needed and could not be made.")),
        "spending cap reached": ("no", _("Spending cap"), _("The run had spent what it may.")),
        "stopped": ("plain", _("Stopped"), _("The run was stopped. What it found so far stays below.")),
        "failed": ("no", _("Failed"), _("Something went wrong.")),
        "interrupted": ("plain", _("Interrupted"), _("The server ended before the run did. This is what it had done.")),
    }
    return known.get(reason, ("plain", reason.capitalize(), ""))
