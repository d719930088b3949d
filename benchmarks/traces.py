"""`python -m benchmarks.traces`: how long the list of runs takes with 10 runs and with 1,000, and what a kept event costs."""

from __future__ import annotations

import os
import statistics
import sys
import time
from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory

from rag_graphs.runs.trace import Trace
from rag_graphs.samples import recorded_runs
from rag_graphs.store import Store

FEW, MANY = 10, 1000
TIMES = 50


def main() -> None:
    """Measure and print a table."""
    print(
        f"{os.cpu_count()} cores, load {os.getloadavg()[0]:.1f}, Python {sys.version.split()[0]}, median of {TIMES}\n"
    )
    with TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        store = Store(Path(folder))
        few, many = filled(store, FEW), filled(store, MANY)
        print(f"{'milliseconds with':32}{FEW:>10,}{MANY:>10,}{'ratio':>8}")
        for title, ask in QUESTIONS.items():
            times = [median(lambda owner=owner, ask=ask: ask(store, owner)) for owner in (few, many)]
            print(f"{title:32}{times[0]:10.2f}{times[1]:10.2f}{times[1] / times[0]:8.1f}")
        print(f"\nkeeping one event: {per_event(store):.2f} ms")
        store.close()


QUESTIONS: dict[str, Callable[[Store, str], object]] = {
    "first page of the list": lambda store, owner: (store.history(owner), store.count(owner)),
    "last page of the list": lambda store, owner: store.history(owner, offset=store.count(owner) - 10),
    "only starred": lambda store, owner: store.history(owner, starred=True),
    "a search that finds few": lambda store, owner: store.history(owner, text="meeting"),
    "a search that finds none": lambda store, owner: store.history(owner, text="nothing has this word"),
}


def filled(store: Store, count: int) -> str:
    """A visitor with that many runs; their name."""
    owner = f"visitor-with-{count}-runs-of-their-own"
    traces = [r.trace for r in recorded_runs()]
    for number in range(count):
        run_id = store.import_trace(traces[number % len(traces)], owner)
        if number % 50 == 0:
            store.star(owner, run_id, True)
    return owner


def median(ask: Callable[[], object]) -> float:
    """Milliseconds."""
    taken = []
    for _ in range(TIMES):
        begun = time.perf_counter()
        ask()
        taken.append(1000 * (time.perf_counter() - begun))
    return statistics.median(taken)


def per_event(store: Store) -> float:
    """Milliseconds for each event of a run that is kept as a server does: one at a time."""
    trace: Trace = recorded_runs()[0].trace
    head = trace.head.model_copy(update={"run_id": "kept-event-by-event"})
    store.begin(head, "somebody-else-with-a-long-name")
    begun = time.perf_counter()
    for number, event in enumerate(trace.events):
        store.append(head.run_id, number, [event])
    return 1000 * (time.perf_counter() - begun) / len(trace)


if __name__ == "__main__":
    main()
