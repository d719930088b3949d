"""Decide what goes into a script: which part takes the place of which component, which fields of the state which node needs,
and in which section each definition stands."""

from __future__ import annotations

import ast
from collections.abc import Collection

from rag_graphs.export.script.source import Copied, Definition, Place, ScriptError, Sources
from rag_graphs.settings import Settings

PARTS = "rag_graphs.export.script.parts"
DOCUMENT = ("rag_graphs.graphs.state", "Document")
FIELDS_OF_DOCUMENT = ("id", "text", "source", "title", "heading", "origin", "score")
"""The others are for the app's pages."""
STATE = ("rag_graphs.graphs.state", "RagState")
COMPONENTS = ("rag_graphs.graphs.components", "Components")
SETTINGS = ("rag_graphs.settings", "Settings")

THRESHOLDS = ("evaluator_upper", "evaluator_lower", "strip_threshold")

SECTIONS = {
    "state": "The state of a run",
    "prompts": "The prompts: of each the system's and the user's message",
    "components": "The components: the model and the documents",
    "nodes": "The nodes, and the changes of the state that they return",
    "edges": "The conditional edges",
    "graph": "The graph",
    "running": "Running it",
}
"""The sections in the order in which they are read, with their titles."""

_PLACES = (
    ("state", "graphs.state"),
    ("state", "errors"),
    ("components", "graphs.components"),
    *(
        ("components", f"export.script.parts.{name}")
        for name in ("chat_model", "choosing", "judging", "answering", "draft_answers")
    ),
    *(("components", f"export.script.parts.{name}") for name in ("pages", "by_words", "by_meaning")),
    *(
        ("nodes", f"graphs.nodes.{name}")
        for name in ("node", "deciding", "searching", "chaining", "grading", "refining", "drafting", "writing")
    ),
    *(("nodes", f"graphs.{name}") for name in ("updates", "retrieval_actions", "critique_scores", "near_duplicates")),
    ("edges", "graphs.routes"),
    ("graph", "graphs.strategies"),
    ("graph", "graphs.outline"),
    ("running", "export.script.parts.running"),
)
"""The modules of each section. A value that a module needs when it is loaded stands above it."""

_FIXED = {
    "generate_directly": "answering.write_from_memory",
    "draft": "draft_answers.draft_from_each",
    "route": "judging.choose_route",
    "route_direct": "judging.choose_of_three_routes",
    "decide_retrieval": "judging.decide_to_retrieve",
    "classify": "judging.classify_question",
    "grade_relevance": "judging.judge_relevance",
    "grade_answer": "judging.judge_answer",
    "evaluate": "judging.score_documents",
    "decompose": "judging.split_into_strips",
    "score_strips": "judging.score_strips",
    "reason": "answering.reason_on",
    "condense": "answering.make_standalone",
    "conclude": "answering.closing_text",
}
_REWRITES = {"library": "query_for_library", "web": "query_for_web", "keywords": "keywords_for_web"}
_WEB = {"off": "search_nothing", "sample": "search_tavily_or_samples"}

_PROMPTS = {
    "write_answer": ("generate",),
    "write_answer_after_reasoning": ("generate",),
    "write_answer_again": ("generate", "generate_again"),
    "write_from_memory": ("generate_directly",),
    "draft_from_each": ("draft",),
    "choose_route": ("route",),
    "choose_of_three_routes": ("route_three",),
    "decide_to_retrieve": ("decide_retrieval", "decide_retrieval_attempt"),
    "classify_question": ("route_complexity",),
    "judge_relevance": ("grade_relevance",),
    "judge_answer": ("grade_groundedness", "grade_usefulness"),
    "score_documents": ("evaluate_retrieval",),
    "score_strips": ("score_strips",),
    "reason_on": ("reason_step",),
    "make_standalone": ("condense_question",),
    "query_for_library": ("rewrite_library",),
    "query_for_web": ("rewrite_web",),
    "keywords_for_web": ("keywords_web",),
}
"""The prompts that a part asks."""

SHORT_ERROR = {("rag_graphs.errors", "SearchUnavailable"): (f"{PARTS}.pages", "SearchUnavailable")}
"""The app's error belongs to a family of errors that a script does not need."""

_SMALL_NODES = {"Node", "retrieve", "generate", "request_of", "written"}
_SMALL = (
    *(("rag_graphs.graphs.state", name) for name in ("RagState", "start", "stop_reason")),
    *(("rag_graphs.graphs.updates", name) for name in ("retrieved", "attempt")),
    *((f"{PARTS}.running", name) for name in ("used_documents", "tell")),
    ("rag_graphs.graphs.components", "GenerateRequest"),
    ("rag_graphs.graphs.nodes.writing", "request_of"),
    ("rag_graphs.graphs.nodes.writing", "written"),
)

_EVERY = (
    *("question", "history", "condensed", "query", "queries", "retrieved", "relevance", "documents", "seen", "chain"),
    *("answer", "answers", "grounded", "useful", "feedback", "regenerations", "search_error"),
)
"""Fields of the state that every script has."""
_MORE = {
    "route_question": ("route",),
    "decide_retrieval": ("decision",),
    "generate_directly": ("decision",),
    "classify_complexity": ("complexity",),
    "evaluate_retrieval": ("evaluation",),
    "refine": ("strips",),
    "refine_web": ("strips",),
    "draft_answers": ("drafts",),
    "rewrite_query": ("rewrites", "notes"),
    "condense_question": ("notes",),
    "search_web": ("searches",),
    "reason_step": ("steps",),
    "any_relevant": ("rewrites",),
    "answer_verdict": ("rewrites", "searches"),
}
"""Fields that a node or a conditional edge needs beside these."""


def small_forms(graph: Copied, settings: Settings) -> dict[Place, Place]:
    """Return short forms of what serves grades, attempts and conversations, for a graph that only searches and writes."""
    modules = {d.home.name for d in graph.definitions.values() if d.home.name.startswith("rag_graphs.graphs")}
    own = any(not d.home.name.startswith("rag_graphs") and reads_state(d) for d in graph.definitions.values())
    nodes = {name for name, d in graph.definitions.items() if d.home.name.startswith("rag_graphs.graphs.nodes")}
    if settings.conversing or own or "rag_graphs.graphs.routes" in modules or not nodes <= _SMALL_NODES:
        return {}
    return {place: (f"{PARTS}.small", place[1]) for place in _SMALL}


def fields_of_state(graph: Copied, sources: Sources) -> list[str]:
    """Return the fields of the state that a graph needs; all of them where a strategy has functions of its own that read
    it."""
    every = list(sources.definition(*STATE).fields)
    if STATE in sources.instead:
        return every
    if any(d.home.name.split(".")[0] != "rag_graphs" and reads_state(d) for d in graph.definitions.values()):
        return every
    needed = {*_EVERY, *(field for name in graph.definitions for field in _MORE.get(name, ()))}
    return [name for name in every if name in needed]


def reads_state(definition: Definition) -> bool:
    """Does a function take the state, or one inside it?"""
    return any(
        isinstance(n, ast.arg) and n.annotation and ast.unparse(n.annotation) == "RagState" for n in definition.nodes()
    )


def parts_of(graph: Copied, sources: Sources, settings: Settings) -> dict[str, Place | None]:
    """Return the components that the functions of a graph read, in the order of the type, each with the (module, name) of
    the part that takes its place; None for a plain value."""
    read = {"condense"} if settings.conversing else set[str]()
    for definition in graph.definitions.values():
        nodes = list(definition.nodes())
        typed = [n for n in nodes if isinstance(n, ast.arg) and n.annotation]
        owners = {n.arg for n in typed if n.annotation and ast.unparse(n.annotation) == "Components"}
        read |= {n.attr for n in nodes if isinstance(n, ast.Attribute) and ast.unparse(n.value) in owners}
    components = [name for name in sources.definition(*COMPONENTS).fields if name in read]
    return {name: _part_of(name, graph, settings) for name in components}


def _part_of(component: str, graph: Copied, settings: Settings) -> Place | None:
    if component in ("thresholds", "description"):
        return None
    if component in ("retrieve", "retrieve_many"):
        part = "by_meaning.find_by_meaning" if finds_by_meaning(settings) else "by_words.find_by_words"
    elif component == "search_web":
        part = f"pages.{_WEB.get(settings.web, 'search_tavily')}"
    elif component == "rewrite":
        part = f"answering.{_REWRITES[_aim(graph)]}"
    elif component == "generate":
        reasons, grades = ("reason_step" in graph.definitions), ("grade_answer" in graph.definitions)
        part = f"answering.write_answer{'_again' if grades else '_after_reasoning' if reasons else ''}"
    else:
        part = _FIXED[component]
    module, _, name = part.partition(".")
    return f"{PARTS}.{module}", name


def _aim(graph: Copied) -> str:
    """Say what the graph's rewritten queries are for."""
    keywords = (
        n for d in graph.definitions.values() for n in d.nodes() if isinstance(n, ast.keyword) and n.arg == "aim"
    )
    aims = {n.value.value for n in keywords if isinstance(n.value, ast.Constant) and n.value.value in _REWRITES} or {
        "library"
    }
    if len(aims) > 1:
        raise ScriptError("A graph that rewrites queries for several aims cannot be written as a script.")
    return str(*aims)


def finds_by_meaning(settings: Settings) -> bool:
    """Are documents found by an embeddings server? The app's own embeddings cannot be taken along."""
    return ":" in settings.embeddings


def portable(settings: Settings) -> Settings:
    """Return the settings without thresholds that were set for the built-in engine's scores: a model has another scale."""
    if settings.model_for("grade") != "builtin":
        return settings
    return settings.change(**dict.fromkeys(THRESHOLDS))


def attributes_of(owner: str, definitions: Collection[Definition]) -> set[str]:
    """Return the attributes that definitions read of a name, in small or capital letters (settings, SETTINGS)."""
    nodes = (n for d in definitions for n in d.nodes() if isinstance(n, ast.Attribute))
    return {n.attr for n in nodes if isinstance(n.value, ast.Name) and n.value.id.casefold() == owner}


def prompts_of(part: str) -> tuple[str, ...]:
    """Return the roles of the prompts that a part asks."""
    return _PROMPTS.get(part, ())


def section_of(module: str) -> tuple[str, int]:
    """Return the section of a module, and its place. A strategy from elsewhere stands with the graph."""
    name = module.removeprefix("rag_graphs.")
    for place, (section, begin) in enumerate(_PLACES):
        if name == begin or name.startswith(f"{begin}."):
            return section, place
    return section_of("rag_graphs.graphs.strategies")
