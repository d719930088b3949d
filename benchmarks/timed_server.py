"""The app's server, with one addition: the moment at which each node starts is written to a file."""

from __future__ import annotations

import sys
import time
from pathlib import Path

from rag_graphs.runs.events import RunEvent
from rag_graphs.runs.registry import Run
from rag_graphs.server import serve


def main() -> None:
    """Serve on any free port. The file named by the first argument gets a line for each node: wall clock, name."""
    log = Path(sys.argv[1])
    original = Run._append

    def timed(self: Run, event: RunEvent) -> bool:
        if event.kind == "node_started":
            with log.open("a", encoding="utf-8") as file:
                file.write(f"{time.time():.6f} {event.node}\n")
        return original(self, event)

    Run._append = timed  # type: ignore[method-assign]
    serve(port=0, announce=lambda address: print(address, flush=True))


if __name__ == "__main__":
    main()
