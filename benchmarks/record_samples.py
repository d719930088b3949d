"""Records the runs that ship: `python -m benchmarks.record_samples`. Run it after a change of the built-in engine, of the
sample pages or of the trace's format; nothing else writes these files."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import rag_graphs.samples
from rag_graphs.engines.build import build_components
from rag_graphs.graphs.state import Turn
from rag_graphs.graphs.strategies import get_strategy
from rag_graphs.library import Library
from rag_graphs.runs.conversation import turn
from rag_graphs.runs.runner import ForkRequest, fork, run
from rag_graphs.runs.trace import Trace
from rag_graphs.runs.whatif import RelevanceChange, update_at, visit_named
from rag_graphs.settings import Settings, load_settings
from rag_graphs.workspace.sample_library import load_samples

FOLDER = Path(rag_graphs.samples.__file__).parent / "runs"


@dataclass(frozen=True, kw_only=True)
class Recipe:
    """How a run is made. `parent`: the key of the run that it is a fork of. `follows`: the question of the same conversation
    that went before it."""

    strategy: str
    question: str
    collection: str = "relationships"
    settings: Mapping[str, Any] = field(default_factory=dict)
    parent: str = ""
    follows: str = ""


RUNS = {
    "clean-hit": Recipe(strategy="self-rag", question="How to improve relationships"),
    "gives-up": Recipe(strategy="self-rag", question="How to cook a bagel?"),
    "asks-the-web": Recipe(strategy="crag", question="What is prompt engineering?"),
    "rewrite-rescues": Recipe(strategy="self-rag", question="Who does what after a meeting?", settings={"k": 1}),
    "rejected": Recipe(strategy="crag", question="What are few-shot prompts?", collection="language-models"),
    "careless": Recipe(
        strategy="self-rag", question="What goes into the inner ring of the bagel?", settings={"careless": True}
    ),
    "routed": Recipe(strategy="adaptive", question="How to cook a bagel?"),
    "no-web": Recipe(strategy="crag", question="What is prompt engineering?", settings={"web": "off"}),
    "korean": Recipe(strategy="adaptive", question="랭그래프에서 fan in, fan out의 의미", collection="langgraph-ko"),
    "flipped": Recipe(strategy="self-rag", question="How to improve relationships", parent="clean-hit"),
    "drafts": Recipe(
        strategy="self-rag-critique",
        question="What are the types of agent memory?",
        collection="language-models",
        settings={"careless": True},
    ),
    "refined": Recipe(strategy="crag-refined", question="How do couples cook bagels?"),
    "chain": Recipe(
        strategy="adaptive-complexity", question="Where does the inventor of the lantern walk live?", settings={"k": 2}
    ),
    "follow-up": Recipe(strategy="self-rag", question="And when should I do it?", follows="What is a weekly review?"),
}


def record(key: str, library: Library) -> Trace:
    """The run, on the defaults and the one collection of its recipe."""
    recipe = RUNS[key]
    strategy = get_strategy(recipe.strategy)
    settings = defaults().change(**recipe.settings, conversing=bool(recipe.follows))
    sources = [r.source.id for r in load_samples(library, [recipe.collection], settings) if r.source]
    components = build_components(settings, library, sources)
    run_id = f"sample-{key}"
    if not recipe.parent:
        told = turns(recipe, library)
        made = run(strategy, recipe.question, components, settings, history=told, run_id=run_id, sources=sources)
        return Trace(list(made))
    parent = record(recipe.parent, library)
    at = visit_named(parent, "grade_documents")
    update = update_at(parent, at, RelevanceChange(document=1, passed=False))
    request = ForkRequest(
        parent=parent,
        at=at,
        change=update,
        strategy=strategy,
        components=components,
        settings=settings,
        run_id=run_id,
    )
    return Trace(list(fork(request)))


def turns(recipe: Recipe, library: Library) -> list[Turn]:
    """What a follow-up is told: the question before it, asked of the same collection."""
    if not recipe.follows:
        return []
    settings = defaults()
    sources = [r.source.id for r in load_samples(library, [recipe.collection], settings) if r.source]
    components = build_components(settings, library, sources)
    first = Trace(list(run(get_strategy(recipe.strategy), recipe.follows, components, settings, sources=sources)))
    return [turn(recipe.follows, first.state.answer)]


def defaults() -> Settings:
    """The settings of a program that nobody has set up: not those of this shell."""
    fields = Settings.model_fields.items()
    return load_settings().change(**{name: f.get_default(call_default_factory=True) for name, f in fields})


def main() -> None:
    library = Library(None)
    for key in RUNS:
        record(key, library)  # the first time a model is loaded: that is no time of the run
        trace = record(key, library)
        text = json.dumps(trace.to_json(), ensure_ascii=False, indent=1)
        (FOLDER / f"{key}.json").write_text(text + "\n", encoding="utf-8")
        print(f"{key}: {' → '.join(trace.path)}; {trace.stop_reason}; {trace.seconds:.1f} s; {len(text) // 1000} kB")


if __name__ == "__main__":
    main()
