"""The sections of a script, in the order in which it is read; what a section needs when it is loaded stands above it."""

from __future__ import annotations

SECTIONS: tuple[tuple[str, tuple[str, ...]], ...] = (
    ("The state of a run", ("rag_graphs.graphs.state",)),
    ("The outside world, as types of functions", ("rag_graphs.errors", "rag_graphs.graphs.components")),
    (
        "Rules: what follows from verdicts and scores",
        (
            "rag_graphs.graphs.critique_scores",
            "rag_graphs.graphs.retrieval_actions",
            "rag_graphs.graphs.near_duplicates",
            "rag_graphs.graphs.updates",
        ),
    ),
    ("The nodes", ("rag_graphs.graphs.nodes.node", "rag_graphs.graphs.nodes.grading", "rag_graphs.graphs.nodes.")),
    ("The conditional edges", ("rag_graphs.graphs.routes",)),
    ("The graph", ("rag_graphs.graphs.strategies.", "rag_graphs.graphs.outline")),
    ("The prompts: what never changes, then what changes", ("rag_graphs.export.script.parts.given",)),
    (
        "The model: asked, and its replies read",
        (
            *(
                "rag_graphs.engines.prompts",
                "rag_graphs.language.clean_text",
                "rag_graphs.language.phrases",
                "rag_graphs.engines.llm.",
            ),
            *(
                "rag_graphs.export.script.parts.asking",
                "rag_graphs.export.script.parts.reading",
                "rag_graphs.export.script.parts.judging",
            ),
            *("rag_graphs.export.script.parts.drafting", "rag_graphs.export.script.parts.writing"),
        ),
    ),
    (
        "Documents: the library and the web",
        (
            *("rag_graphs.export.script.parts.by_words", "rag_graphs.export.script.parts.by_meaning"),
            *("rag_graphs.export.script.parts.strips", "rag_graphs.export.script.parts.searching_web"),
        ),
    ),
    ("Running", ("rag_graphs.export.script.parts.running", "rag_graphs.export.script.parts.conversing")),
)


def place_of(module: str) -> tuple[int, int]:
    """The section of a module, and its place in there. A name with a dot at its end stands for all modules below it. The module
    of a strategy from outside stands where the project's strategies do. Raises KeyError for a module that no section knows."""
    if not module.startswith("rag_graphs."):
        return place_of("rag_graphs.graphs.strategies.")
    for number, (_, names) in enumerate(SECTIONS):
        for place, name in enumerate(names):
            if module == name or (name.endswith(".") and module.startswith(name)):
                return number, place
    raise KeyError(module)
