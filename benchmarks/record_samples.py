"""Records the three runs that ship: `python -m benchmarks.record_samples`. Run it after a change of the built-in engine, of
the sample pages or of the trace's format; nothing else writes these files."""

from __future__ import annotations

import json
from pathlib import Path

import rag_graphs.samples
from rag_graphs.components import build_components
from rag_graphs.library import Library
from rag_graphs.runner import run
from rag_graphs.settings import Settings
from rag_graphs.strategies import get_strategy
from rag_graphs.trace import Trace

FOLDER = Path(rag_graphs.samples.__file__).parent / "runs"
RUNS = {
    "clean-hit": ("self-rag", "How to improve relationships"),
    "gives-up": ("self-rag", "How to cook a bagel?"),
    "asks-the-web": ("crag", "What is prompt engineering?"),
}


def record(key: str) -> Trace:
    """The run, on the defaults and the one collection that its example names."""
    strategy = get_strategy(RUNS[key][0])
    example = next(e for e in strategy.examples if e.question == RUNS[key][1])
    settings = Settings.model_validate({}).change(**dict(example.settings))  # the constructor reads the environment
    library = Library(None)
    sources = [r.source.id for r in library.load_samples(example.collections, settings) if r.source]
    components = build_components(settings, library, sources)
    return Trace(list(run(strategy, example.question, components, settings, run_id=f"sample-{key}", sources=sources)))


def main() -> None:
    for key in RUNS:
        trace = record(key)
        text = json.dumps(trace.to_json(), ensure_ascii=False, indent=1)
        (FOLDER / f"{key}.json").write_text(text + "\n", encoding="utf-8")
        print(f"{key}: {' → '.join(trace.path)}; {trace.stop_reason}; {len(text) // 1000} kB")


if __name__ == "__main__":
    main()
