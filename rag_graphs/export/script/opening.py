"""Write the head of a script: what it is, how it is run, and what it was made with."""

from __future__ import annotations

from importlib.metadata import version
from textwrap import fill, wrap

from rag_graphs.export.script.literals import text_literal
from rag_graphs.export.script.passages import Carried
from rag_graphs.export.script.wiring import finds_by_meaning, portable
from rag_graphs.graphs.outline import outline_of
from rag_graphs.graphs.strategy import Outline, Strategy
from rag_graphs.settings import Settings

DEFAULT_MODEL = "gpt-4o-mini"
NEEDS = ("langgraph", "langchain-openai")
WIDTH = 100


def file_name(strategy: Strategy) -> str:
    """Return the script's file name: self_rag.py."""
    return f"{strategy.key.replace('-', '_')}.py"


def model_name(chosen: str) -> str:
    """Return the name of a model for a server of OpenAI's protocol. The app's built-in engine is no model."""
    return DEFAULT_MODEL if chosen == "builtin" else chosen.partition(":")[2]


def head(strategy: Strategy, settings: Settings, library: Carried) -> str:
    """Return the docstring of the script."""
    outline = outline_of(strategy, settings)
    edges = [
        fill(f"{source} -> {', '.join(ends)}", WIDTH, initial_indent=" " * 4, subsequent_indent=" " * 8)
        for source, ends in _ends(outline).items()
    ]
    web = _web(settings) if "search_web" in outline.nodes else []
    more = ' "And then?"' if settings.conversing else ""
    paragraphs = [
        _wrapped(f"{strategy.title}: {strategy.summary}"),
        "A LangGraph script made by RAG Graphs. It stands alone:",
        f"    pip install {' '.join(f'{name}=={version(name)}' for name in NEEDS)}\n"
        "    export OPENAI_API_KEY=...\n"
        f'    python {file_name(strategy)} "{_question(strategy)}"{more}',
        _wrapped(" ".join([*_models(strategy, settings), *_library(settings, library), *web])),
        "\n".join(["The graph:", *edges]),
        f"After: {strategy.source.title}\n{strategy.source.url}",
    ]
    if settings.conversing:
        paragraphs.insert(3, "Several questions are a conversation: each is understood in the light of those before.")
    return text_literal("\n\n".join(paragraphs) + "\n")


def _ends(outline: Outline) -> dict[str, list[str]]:
    """Return where the edges of each node lead."""
    ends: dict[str, list[str]] = {}
    for edge in outline.edges:
        ends.setdefault(edge.source, []).append(f"{edge.target} ({edge.outcome})" if edge.outcome else edge.target)
    return ends


def _question(strategy: Strategy) -> str:
    """Return a question to try. One with quotes or other signs that a shell reads is left out."""
    question = strategy.examples[0].question if strategy.examples else ""
    return question if question and not set(question) & set('"\\$`!\n') else "your question"


def _models(strategy: Strategy, settings: Settings) -> list[str]:
    models = {settings.model_for(role) for role in ("grade", "generate", "rewrite")}
    lines = ["MODEL=name uses another model, OPENAI_BASE_URL=address another server of OpenAI's protocol."]
    if "builtin" in models:
        lines.insert(0, f"The app's built-in engine cannot be taken along: the model is {DEFAULT_MODEL} in its place.")
    if "evaluate_retrieval" in outline_of(strategy, settings).nodes and portable(settings) != settings:
        lines.append("Thresholds that were set for the built-in engine's scores are left out: a model has its own.")
    if any(m.startswith("ollama:") for m in models):
        lines.append("For Ollama: OPENAI_BASE_URL=http://127.0.0.1:11434/v1 and OPENAI_API_KEY=none.")
    return lines


def _library(settings: Settings, library: Carried) -> list[str]:
    kept = library.count
    of = f"the first {kept} of {library.of}" if kept < library.of else f"{kept}"
    whose = "passages of the sample library" if library.sample else "passages of the pages that were loaded"
    how = (
        "by meaning, with embeddings"
        if finds_by_meaning(settings)
        else "by the words that they share with a query (BM25)"
    )
    lines = [f"It carries {of} {whose}, at the end of this file, and finds them {how}."]
    if library.missing:
        lines.append(f"Pages that were not indexed under these settings are missing: {library.missing}.")
    return lines


def _web(settings: Settings) -> list[str]:
    if settings.web == "off":
        return ["Web search is off."]
    otherwise = "sample pages in this file" if settings.web == "sample" else "none"
    return [f"Web search: Tavily, with a key in TAVILY_API_KEY; without one {otherwise}."]


def _wrapped(text: str) -> str:
    return "\n".join(wrap(text, WIDTH))
