"""PDF and Word files are read in a process of their own.

What a hostile file can do to its reader ends there: computing and memory are bounded by the system, nothing of this process
is reachable, and no key of the environment is handed on.
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
    """The text of a PDF or a Word document. Raises SourceError, whose kind says what is wrong with it ("encrypted", "scanned
    PDF", "damaged" …)."""
    bounds = bounds or Bounds()
    with _turn():
        answer = run(kind, body, bounds)
    if "error" in answer:
        raise SourceError(answer["error"], answer["message"])
    return Extracted(title=answer["title"], text=answer["text"], warnings=tuple(answer["warnings"]))


def run(kind: str, body: bytes, bounds: Bounds) -> dict[str, Any]:
    """The answer of `reader.answer`, given in a process of its own. Raises SourceError when that ends without one."""
    paths = [str(_ROOT), *(p for p in sys.path if p)]
    # one thread for arithmetic, because each reserves memory, which is bounded
    environment = {"PYTHONPATH": os.pathsep.join(paths), "PYTHONUTF8": "1", "OPENBLAS_NUM_THREADS": "1"}
    command = [sys.executable, "-B", "-m", MODULE, json.dumps({"kind": kind, "bounds": asdict(bounds)})]
    try:
        # a busy machine may give it a fraction of a processor, so the clock on the wall may run for longer
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
        raise _too_long(kind) from None  # the system ended it
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
