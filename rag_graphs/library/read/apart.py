"""Reading PDF and Word files in a separate process.

A hostile file can harm that process only: the system limits its computing time and memory, it cannot reach this process, and
it gets no key of the environment.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict
from pathlib import Path
from threading import BoundedSemaphore
from typing import Any

from rag_graphs.errors import SourceError
from rag_graphs.library.bounds import Bounds, Extracted

MODULE = "rag_graphs.library.read.reader"
_AT_ONCE = 2
_WAIT = 120.0  # seconds for one's turn
_ROOT = Path(__file__).resolve().parents[3]
_turns = BoundedSemaphore(_AT_ONCE)


def read_apart(kind: str, body: bytes, bounds: Bounds | None = None) -> Extracted:
    """Read a PDF or a Word document. Raises SourceError, whose kind says what is wrong with it ("encrypted", "scanned PDF",
    "damaged" …)."""
    bounds = bounds or Bounds()
    with _turn():
        answer = run(kind, body, bounds)
    if "error" in answer:
        raise SourceError(answer["error"], answer["message"])
    return Extracted(title=answer["title"], text=answer["text"], warnings=tuple(answer["warnings"]))


def run(kind: str, body: bytes, bounds: Bounds) -> dict[str, Any]:
    """Run `reader.answer` in a separate process and return its answer. Raises SourceError if the process ends without one."""
    paths = [str(_ROOT), *(p for p in sys.path if p)]
    # one thread for arithmetic, because each reserves memory, which is limited
    environment = {"PYTHONPATH": os.pathsep.join(paths), "PYTHONUTF8": "1", "OPENBLAS_NUM_THREADS": "1"}
    command = [sys.executable, "-B", "-m", MODULE, json.dumps({"kind": kind, "bounds": asdict(bounds)})]
    try:
        # on a busy machine the process gets a fraction of a processor, so it may take longer than its computing time
        done = subprocess.run(
            command,
            input=body,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env=environment,
            timeout=4 * (bounds.start + bounds.seconds),
            check=False,
        )
    except subprocess.TimeoutExpired:
        raise _too_long(kind) from None
    try:
        answer: dict[str, Any] = json.loads(done.stdout)
    except ValueError:
        raise _too_long(kind) from None  # the system killed the process
    return answer


def _too_long(kind: str) -> SourceError:
    return SourceError(
        "unreadable page",
        f"The {kind} takes too much time or memory to read. Save it anew with another program, or paste the text.",
    )


@contextmanager
def _turn() -> Iterator[None]:
    if not _turns.acquire(timeout=_WAIT):
        raise SourceError("busy", "The server is reading many documents. Try again in a minute.")
    try:
        yield
    finally:
        _turns.release()
