"""How long a run takes on a chat model, against the least that its calls can take and against making them in a row.

A stand-in for OpenAI answers each call after a fixed time. For each strategy, without retries: wall time over the critical
path (the calls that have to wait for one another), and the time of a plain loop over the same requests over the wall time.

    python benchmarks/critical_path.py [--delay 0.3] [--repeats 5] [--documents 4 10]
"""

from __future__ import annotations

import argparse
import json
import multiprocessing
import sys
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from multiprocessing.connection import Connection
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from rag_graphs.engines.llm import model_components
from rag_graphs.graphs.state import Document
from rag_graphs.graphs.strategies import get_strategy
from rag_graphs.runs.runner import run
from rag_graphs.runs.trace import Trace
from rag_graphs.settings import Settings
from tests.fakes import fake
from tests.servers.openai import OpenAIServer

CRITICAL = {
    "naive": 1,
    "crag": 2,
    "crag-local": 2,
    "crag-refined": 3,
    "self-rag": 3,
    "self-rag-web": 3,
    "self-rag-critique": 2,
    "adaptive": 4,
    "adaptive-direct": 4,
    "adaptive-complexity": 2,
}
"""Calls on the critical path of a run without retries: whatever is asked of each document goes side by side, and so do both
grades of the answer."""
AIMS = {
    "naive": 1.0,
    "crag": 2.3,
    "crag-local": 2.3,
    "crag-refined": 2.7,
    "self-rag": 2.2,
    "self-rag-web": 2.2,
    "self-rag-critique": 2.3,
    "adaptive": 1.9,
    "adaptive-direct": 1.9,
    "adaptive-complexity": 1.0,
}
"""Times faster than a plain loop, with 4 documents."""


class Library:
    def describe(self, source_ids: object) -> str:
        return "Pages for a measurement."


@dataclass(frozen=True)
class Measured:
    """The least of several times in seconds, since whatever else the machine does only adds; and the number of calls."""

    calls: int
    wall: float
    loop: float


@contextmanager
def server_elsewhere(delay: float) -> Iterator[str]:
    """A stand-in in a process of its own, as a real server would be; its base URL."""
    ours, theirs = multiprocessing.Pipe()
    process = multiprocessing.get_context("spawn").Process(target=serve, args=(theirs, delay), daemon=True)
    process.start()
    try:
        yield str(ours.recv())
    finally:
        ours.send("end")
        process.join()


def serve(pipe: Connection, delay: float) -> None:
    with OpenAIServer(delay=delay) as server:
        pipe.send(server.base_url)
        pipe.recv()


def requests_of(key: str, found: list[Document]) -> list[dict[str, object]]:
    """What a run asks, in order. Also imports whatever a run needs, so that this is not measured."""
    with OpenAIServer() as server:
        run_once(key, Settings().change(model="openai:small", openai_base_url=server.base_url), found)
        return [request.body for request in server.requests]


def measure(key: str, documents: int, base_url: str, repeats: int) -> Measured:
    found = [Document(id=f"d{i}", text=f"Text {i}.", source="s", title=f"Page {i}") for i in range(documents)]
    bodies = requests_of(key, found)
    settings = Settings().change(model="openai:small", openai_base_url=base_url)
    walls, loops = [], []
    for _ in range(repeats):
        begun = time.perf_counter()
        run_once(key, settings, found)
        walls.append(time.perf_counter() - begun)
        begun = time.perf_counter()
        for body in bodies:
            post(f"{base_url}/chat/completions", body)
        loops.append(time.perf_counter() - begun)
    return Measured(len(bodies), min(walls), min(loops))


def run_once(key: str, settings: Settings, found: list[Document]) -> None:
    fakes = fake(retrieve=lambda _: found, retrieve_many=lambda _, k: found)
    components = model_components(settings, Library(), [], fakes)
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
    with server_elsewhere(options.delay) as base_url:
        for documents in options.documents:
            for key, critical in CRITICAL.items():
                m = measure(key, documents, base_url, options.repeats)
                least = critical * options.delay
                print(
                    f"| {documents} | {key} | {m.calls} | {least:.2f} | {m.wall:.3f} | {m.wall / least:.3f} "
                    f"| {m.loop / m.wall:.2f} | ≤ 1.05, ≥ {AIMS[key]} |"
                )


if __name__ == "__main__":
    main()
