"""Which part of a script takes the place of which component."""

from __future__ import annotations

import ast

from rag_graphs.export.script.bundle import Place, find_definition
from rag_graphs.export.script.folding import live
from rag_graphs.export.script.modules import Definition
from rag_graphs.settings import Settings

PARTS = "rag_graphs.export.script.parts"
COMPONENTS = ("rag_graphs.graphs.components", "Components")

_FIXED = {
    "generate": "writing.write_answer",
    "generate_directly": "writing.write_from_memory",
    "draft": "drafting.draft_from_each",
    "route": "judging.choose_route",
    "route_direct": "judging.choose_of_three_routes",
    "decide_retrieval": "judging.decide_to_retrieve",
    "classify": "judging.classify_question",
    "grade_relevance": "judging.judge_relevance",
    "grade_answer": "judging.judge_answer",
    "evaluate": "judging.score_documents",
    "decompose": "strips.split_into_strips",
    "score_strips": "judging.score_all_strips",
    "reason": "writing.reason_on",
    "condense": "conversing.standing_alone",
    "conclude": "writing.closing_text",
}
_REWRITES = {"library": "query_for_library", "web": "query_for_web", "keywords": "keywords_for_web"}
_WEB = {"off": "search_nothing", "sample": "search_tavily_or_samples"}


def by_meaning(settings: Settings) -> bool:
    """Whether documents are found by an embeddings server; the app's own embeddings cannot be taken along."""
    return ":" in settings.embeddings


EVALUATORS_OWN = ("evaluator_upper", "evaluator_lower", "strip_threshold")


def portable(settings: Settings) -> Settings:
    """The settings without thresholds that were set for the built-in engine's scores: a model has another scale."""
    if settings.model_for("grade") != "builtin":
        return settings
    return settings.change(**dict.fromkeys(EVALUATORS_OWN))


def wires(build: Definition, settings: Settings) -> dict[str, Place]:
    """The components that a graph uses, each with the part that takes its place. A component that is a plain value is left
    out."""
    return {
        name: _place(_part(name, build, settings)) for name in used_components(build, settings) if name != "thresholds"
    }


def used_components(build: Definition, settings: Settings) -> list[str]:
    """The components that a function which builds a graph reads, in the order of the type."""
    nodes = (n for n in live(build.node, settings) if isinstance(n, ast.Attribute) and isinstance(n.value, ast.Name))
    read = {n.attr for n in nodes if isinstance(n.value, ast.Name) and n.value.id == "c"}
    read |= {"condense"} if settings.conversing else set()
    return [name for name in find_definition(*COMPONENTS).fields if name in read]


def _part(component: str, build: Definition, settings: Settings) -> str:
    kind = "meaning" if by_meaning(settings) else "words"
    if component == "retrieve":
        return f"by_{kind}.find_by_{kind}"
    if component == "retrieve_many":
        return f"by_{kind}.find_some_by_{kind}"
    if component == "search_web":
        return f"searching_web.{_WEB.get(settings.web, 'search_tavily')}"
    if component == "generate_directly" and settings.conversing:
        return "conversing.write_in_conversation"
    if component == "rewrite":
        return f"writing.{_REWRITES[_aim(build)]}"
    return _FIXED[component]


def _aim(build: Definition) -> str:
    """What the graph's rewritten queries are for."""
    keywords = (n for n in ast.walk(build.node) if isinstance(n, ast.keyword) and n.arg == "aim")
    aims = [n.value.value for n in keywords if isinstance(n.value, ast.Constant)]
    return str(aims[0]) if aims else "library"


def _place(part: str) -> Place:
    module, _, name = part.partition(".")
    return f"{PARTS}.{module}", name
