"""Name the settings on the screen: what they are called, where they stand, and what their values are called."""

from __future__ import annotations

from rag_graphs.settings import PACES, Settings
from rag_graphs.views.translation import _


def sections() -> dict[str, str]:
    """Return the sections of the page by key, in order."""
    return {
        "models": _("Models and keys"),
        "search": _("Search and library"),
        "grading": _("Budgets and grading"),
        "strategies": _("Strategies"),
        "spending": _("Spending"),
        "prompts": _("Prompts"),
    }


SELF_RAG = ("gate", "retrieval_threshold", "search_when")
CRITIQUE = ("drafts", "weight_relevance", "weight_support", "weight_use", "weight_likelihood")
CRAG = ("min_relevant_share",)
REFINED = ("evaluator_upper", "evaluator_lower", "strip_threshold", "keep_strips")
COMPLEXITY = ("max_steps", "max_documents")
"""Settings of one strategy or of some of a family."""

PLACED = {
    "models": ("temperature", "timeout"),
    "search": ("web", "web_results", "k", "chunk_size", "chunk_overlap"),
    "grading": (
        *("max_rewrites", "max_regenerations", "max_searches", "strictness", "keep_unclear"),
        *("max_sentences", "careless", "pace"),
    ),
    "strategies": (*SELF_RAG, *CRITIQUE, *CRAG, *REFINED, *COMPLEXITY),
    "spending": ("max_calls", "max_tokens", "max_cost", "price_prompt", "price_completion"),
}
"""Settings by section, in the order in which they are shown."""


def label(name: str) -> str:
    """Return what a setting is called."""
    labels = {
        "temperature": _("Temperature"),
        "timeout": _("Seconds until a service counts as too slow"),
        "web": _("Web search"),
        "web_results": _("Web results per search"),
        "k": _("Documents per search"),
        "chunk_size": _("Tokens per chunk"),
        "chunk_overlap": _("Tokens that neighbouring chunks share"),
        "max_rewrites": _("Rewrites at most"),
        "max_regenerations": _("Regenerations at most"),
        "max_searches": _("Web searches at most, where they can loop"),
        "strictness": _("A document is relevant when it"),
        "keep_unclear": _("Keep documents whose grade is unclear"),
        "min_relevant_share": _("More than this share must be relevant"),
        "gate": _("Decide first whether to search at all"),
        "search_when": _("With web search: search it when"),
        "drafts": _("Documents that get a draft"),
        "retrieval_threshold": _("Retrieve if that is likelier than"),
        "weight_relevance": _("Weight of relevance (ISREL)"),
        "weight_support": _("Weight of support (ISSUP)"),
        "weight_use": _("Weight of use (ISUSE)"),
        "weight_likelihood": _("Weight of the text’s own probability"),
        "evaluator_upper": _("A document above this is correct"),
        "evaluator_lower": _("A document below this is incorrect"),
        "strip_threshold": _("A strip below this is dropped"),
        "keep_strips": _("Strips kept at most, of library and web each"),
        "max_steps": _("Steps of reasoning at most"),
        "max_documents": _("Documents gathered at most"),
        "max_sentences": _("Sentences of an answer at most"),
        "careless": _("Careless first attempt"),
        "pace": _("Pace"),
        "max_calls": _("Model calls of a run at most (0: no bound)"),
        "max_tokens": _("Tokens of a run at most (0: no bound)"),
        "max_cost": _("Cost of a run at most (0: no bound)"),
        "price_prompt": _("Price of a million prompt tokens"),
        "price_completion": _("Price of a million completion tokens"),
        "model": _("Grades and routes"),
        "model_generate": _("Writes answers"),
        "model_rewrite": _("Rewrites queries"),
        "embeddings": _("Compares meanings (embeddings)"),
        "openai_base_url": _("Address of OpenAI or a compatible server"),
        "ollama_host": _("Address of Ollama"),
        "tavily_base_url": _("Address of Tavily"),
        "prompts": _("Prompts"),
    }
    return labels.get(name, name.replace("_", " ").capitalize())


def explanation(name: str) -> str:
    """Say what a setting does, from its description."""
    text = Settings.model_fields[name].description or ""
    return text[:1].upper() + text[1:] + "."


def own_threshold() -> str:
    """Say what an unset threshold means."""
    return _("the evaluator’s own")


def value_words(name: str, value: object) -> str:
    """Return a value as people say it."""
    if isinstance(value, bool):
        return _("on") if value else _("off")
    names = {
        "strictness": {"lenient": _("shares the meaning"), "strict": _("states the answer")},
        "web": {
            "sample": _("Sample web, works offline"),
            "tavily": _("Tavily, needs a key"),
            "duckduckgo": _("DuckDuckGo, needs a network"),
            "off": _("Off"),
        },
        "model_generate": {"": _("the same model")},
        "model_rewrite": {"": _("the same model")},
        "pace": {seconds: _(words) for words, seconds in PACES.items()},
        "gate": {
            "off": _("never"),
            "question": _("from the question"),
            "attempt": _("from a first attempt at an answer"),
        },
        "search_when": {"none relevant": _("nothing is relevant"), "any irrelevant": _("anything is irrelevant")},
        "evaluator_upper": {None: own_threshold()},
        "evaluator_lower": {None: own_threshold()},
        "strip_threshold": {None: own_threshold()},
        "model": {},
        "embeddings": {},
    }.get(name, {})
    builtin = {"builtin": _("built-in engine"), "auto": _("built-in, by language")}
    words = {**builtin, **names}.get(value)  # type: ignore[call-overload, dict-item]
    if words is not None:
        return str(words)
    return f"{value:g}" if isinstance(value, float) else str(value)
