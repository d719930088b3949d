"""How long a run takes on a chat model, against the least that its calls can take and against making them in a row.

A stand-in for OpenAI answers each call after a fixed time. For each strategy, without retries: wall time over the critical
path (the calls that have to wait for one another), and the time of a plain loop over the same requests over the wall time.

    python benchmarks/critical_path.py [--delay 0.3] [--repeats 5] [--documents 4 10]
"""

from __future__ import annotations

import argparse
import json
import statistics
import sys
import time
import urllib.request
from dataclasses import dataclass
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from rag_graphs.llm import model_components
from rag_graphs.runner import run
from rag_graphs.settings import Settings
from rag_graphs.state import Document
from rag_graphs.strategies import get_strategy
from rag_graphs.trace import Trace
from tests.fakes import fake
from tests.servers.openai import OpenAIServer

CRITICAL = {"naive": 1, "crag": 2, "self-rag": 3, "adaptive": 4}
"""Calls on the critical path of a run without retries: grades of documents go side by side, so do both of the answer."""
AIMS = {"naive": 1.0, "crag": 2.3, "self-rag": 2.2, "adaptive": 1.9}
"""Times faster than a plain loop, with 4 documents."""


class Library:
    def describe(self, source_ids: object) -> str:
        return "Pages for a measurement."


@dataclass(frozen=True)
class Measured:
    """Medians in seconds, and the number of calls."""

    calls: int
    wall: float
    loop: float


def measure(key: str, documents: int, delay: float, repeats: int) -> Measured:
    found = [Document(id=f"d{i}", text=f"Text {i}.", source="s", title=f"Page {i}") for i in range(documents)]
    with OpenAIServer() as server:
        settings = Settings().change(model="openai:small", openai_base_url=server.base_url)
        run_once(key, settings, found)  # imports and first connections are not what is measured
        server.delay = delay
        walls, loops, calls = [], [], 0
        for _ in range(repeats):
            server.requests.clear()
            begun = time.perf_counter()
            run_once(key, settings, found)
            walls.append(time.perf_counter() - begun)
            bodies = [r.body for r in server.requests]
            calls = len(bodies)
            begun = time.perf_counter()
            for body in bodies:
                post(f"{server.base_url}/chat/completions", body)
            loops.append(time.perf_counter() - begun)
    return Measured(calls, statistics.median(walls), statistics.median(loops))


def run_once(key: str, settings: Settings, found: list[Document]) -> None:
    components = model_components(settings, Library(), [], fake(retrieve=lambda _: found))
    trace = Trace(list(run(get_strategy(key), "What is measured?", components, settings)))
    assert trace.stop_reason in ("answered", "useful"), trace.error


def post(url: str, body: dict[str, object]) -> None:
    request = urllib.request.Request(url, json.dumps(body).encode(), {"Content-Type": "application/json"})
    with urllib.request.urlopen(request) as reply:
        reply.read()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--delay", type=float, default=0.3, help="seconds that each call takes")
    parser.add_argument("--repeats", type=int, default=5)
    parser.add_argument("--documents", type=int, nargs="+", default=[4, 10])
    options = parser.parse_args()
    print("| documents | strategy | calls | critical path, s | wall, s | wall / critical | loop / wall | aim |")
    print("|---|---|---|---|---|---|---|---|")
    for documents in options.documents:
        for key, critical in CRITICAL.items():
            m = measure(key, documents, options.delay, options.repeats)
            least = critical * options.delay
            aim = f"≤ 1.05, ≥ {AIMS[key]}"
            print(
                f"| {documents} | {key} | {m.calls} | {least:.2f} | {m.wall:.3f} | {m.wall / least:.3f} "
                f"| {m.loop / m.wall:.2f} | {aim} |"
            )


if __name__ == "__main__":
    main()
