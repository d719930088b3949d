"""What nodes, stop reasons and routes are called on the screen."""

from __future__ import annotations

from rag_graphs.ui.text import _


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
