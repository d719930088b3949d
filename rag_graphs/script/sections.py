"""The sections of a script, in the order in which it is read; what a section needs when it is loaded stands above it."""

from __future__ import annotations

SECTIONS: tuple[tuple[str, tuple[str, ...]], ...] = (
    ("The state of a run", ("rag_graphs.state",)),
    ("The outside world, as types of functions", ("rag_graphs.errors", "rag_graphs.component_types")),
    (
        "Rules: what follows from verdicts and scores",
        ("rag_graphs.critique", "rag_graphs.refinement", "rag_graphs.chaining", "rag_graphs.updates"),
    ),
    ("The nodes", ("rag_graphs.nodes.node", "rag_graphs.nodes.grading", "rag_graphs.nodes.")),
    ("The conditional edges", ("rag_graphs.routes",)),
    ("The graph", ("rag_graphs.strategies.", "rag_graphs.graphs")),
    ("The prompts: what never changes, then what changes", ("rag_graphs.script.parts.given",)),
    (
        "The model: asked, and its replies read",
        (
            *("rag_graphs.prompts", "rag_graphs.queries", "rag_graphs.phrases", "rag_graphs.llm."),
            *("rag_graphs.script.parts.asking", "rag_graphs.script.parts.reading", "rag_graphs.script.parts.judging"),
            *("rag_graphs.script.parts.drafting", "rag_graphs.script.parts.writing"),
        ),
    ),
    (
        "Documents: the library and the web",
        (
            *("rag_graphs.script.parts.by_words", "rag_graphs.script.parts.by_meaning"),
            *("rag_graphs.script.parts.strips", "rag_graphs.script.parts.searching_web"),
        ),
    ),
    ("Running", ("rag_graphs.script.parts.running", "rag_graphs.script.parts.conversing")),
)


def place_of(module: str) -> tuple[int, int]:
    """The section of a module, and its place in there. A name with a dot at its end stands for all modules below it. Raises
    KeyError for a module that no section knows."""
    for number, (_, names) in enumerate(SECTIONS):
        for place, name in enumerate(names):
            if module == name or (name.endswith(".") and module.startswith(name)):
                return number, place
    raise KeyError(module)
