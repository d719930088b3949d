"""`make live`: the strategies against a real small model. Whatever it says, every run ends, and says how.

SmolLM2 with 135 million parameters grades no better than chance, so the paths are often wrong ones. What is looked at is that
each reply is read, or marked unclear; that budgets hold; and that the stop reason tells the truth.

    python -m benchmarks.live [--packages FOLDER]     the folder that holds the packages of requirements-live.txt
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

from benchmarks.live_server import MODEL
from rag_graphs import (
    Settings,
    Trace,
    Workspace,
    build_components,
    get_strategy,
    load_samples,
    load_settings,
    open_workspace,
    run,
)
from tests.conftest import ROOT, clean_environment

STRATEGIES = (
    *("naive", "self-rag", "self-rag-web", "self-rag-critique", "crag", "crag-local", "crag-refined"),
    *("adaptive", "adaptive-direct", "adaptive-complexity"),
)
QUESTIONS = ("What is a small bid?", "Who won the Tour de France in 1998?")
"""One that the sample library answers, one that it does not."""
HONEST = {
    *("useful", "answered", "not verified", "no relevant documents", "retry budget spent", "search unavailable"),
    *("from the model, without sources", "spending cap reached", "failed"),
}


@contextmanager
def served(packages: str) -> Iterator[str]:
    """The model server's base URL."""
    path = os.pathsep.join([str(ROOT), packages])
    process = subprocess.Popen(
        [sys.executable, "-m", "benchmarks.live_server"],
        cwd=ROOT,
        env=clean_environment(PYTHONPATH=path),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    )
    assert process.stdout
    assert process.stdin
    try:
        url = next((line.strip() for line in process.stdout if line.startswith("http")), "")
        if not url:
            sys.exit("The model server did not start. Run: make live")
        yield url
    finally:
        process.stdin.close()
        process.wait(timeout=30)


def asked(key: str, question: str, settings: Settings, workspace: Workspace, sources: list[str]) -> Trace:
    """The trace of a run."""
    components = build_components(settings, workspace.library, sources)
    return Trace(list(run(get_strategy(key), question, components, settings, sources=sources)))


def row(key: str, trace: Trace, seconds: float) -> str:
    """A line of the table."""
    unclear = sum(grade.passed is None for _, grade in trace.grades)
    answer = " ".join(trace.state.answer.split()).replace("|", "/")
    short = answer if len(answer) <= 60 else answer[:59] + "…"
    path = " → ".join(trace.path)
    figures = f"{trace.llm_calls} | {unclear} of {len(trace.grades)} | {seconds:.1f}"
    return f"| {key} | {path} | {trace.stop_reason} | {figures} | {short} |"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--packages", default=str(Path(sys.prefix) / "live"))
    options = parser.parse_args()
    dishonest = []
    with TemporaryDirectory(ignore_cleanup_errors=True) as folder, served(options.packages) as url:
        settings = load_settings(
            data_dir=folder, model=f"openai:{MODEL}", openai_base_url=url, openai_api_key=None, timeout=120
        )
        workspace = open_workspace(settings)
        reports = list(load_samples(workspace.library, ["relationships"], settings))
        sources = [r.source.id for r in reports if r.source]
        print(f"{MODEL}, {os.cpu_count()} cores, load {os.getloadavg()[0]:.1f}, {len(sources)} pages\n")
        for question in QUESTIONS:
            print(f"“{question}”\n")
            print("| strategy | path | stop reason | calls | unclear grades | seconds | answer |")
            print("|---|---|---|---|---|---|---|")
            for key in STRATEGIES:
                begun = time.perf_counter()
                trace = asked(key, question, settings, workspace, sources)
                print(row(key, trace, time.perf_counter() - begun), flush=True)
                if not trace.ended or trace.stop_reason not in HONEST or "bug" in trace.error:
                    dishonest.append(f"{key}: {trace.stop_reason} {trace.error}")
            print()
    if dishonest:
        sys.exit("These runs did not end as they should:\n" + "\n".join(dishonest))
    print("Every run ended by itself and says how.")


if __name__ == "__main__":
    main()
