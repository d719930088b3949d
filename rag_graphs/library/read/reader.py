"""The process that reads one PDF or Word document: bytes on standard input, a JSON document on standard output.

`python -m rag_graphs.library.read.reader '{"kind": …, "bounds": {…}}'`, started by apart.py.
"""

from __future__ import annotations

import contextlib
import json
import math
import sys
from typing import Any

from rag_graphs.errors import SourceError
from rag_graphs.library.bounds import Bounds, Extracted
from rag_graphs.library.read.kinds import PDF


def main() -> None:
    """Read the document on standard input, and write its text or what is wrong with it."""
    request = json.loads(sys.argv[1])
    bounds = Bounds(**request["bounds"])
    _limit(bounds)
    body = sys.stdin.buffer.read()
    with contextlib.redirect_stdout(sys.stderr):  # a library that prints must not spoil the answer
        result = answer(request["kind"], body, bounds)
    sys.stdout.buffer.write(json.dumps(result).encode())


def answer(kind: str, body: bytes, bounds: Bounds) -> dict[str, Any]:
    """Return `title`, `text` and `warnings`, or `error` (the kind) and `message`. Never raises."""
    try:
        document = _read(kind, body, bounds)
    except SourceError as error:
        return {"error": error.kind, "message": str(error)}
    except MemoryError:
        return {"error": "too large", "message": f"The {kind} unfolds into far too much. Load a smaller part of it."}
    except Exception:  # noqa: BLE001 - a damaged file makes a parser raise anything
        return {
            "error": "damaged",
            "message": f"The {kind} is damaged: it could not be read. Open it, save it anew, and load that.",
        }
    return {"title": document.title, "text": document.text, "warnings": list(document.warnings)}


def _read(kind: str, body: bytes, bounds: Bounds) -> Extracted:
    if kind == PDF:
        from rag_graphs.library.read.pdf import read_pdf

        return read_pdf(body, bounds)
    from rag_graphs.library.read.word import read_word

    return read_word(body, bounds)


def _limit(bounds: Bounds) -> None:
    """Have the system enforce the bounds. Windows supports none of them and macOS not that of memory; there only the
    caller's time-out remains."""
    try:
        import resource
    except ImportError:
        return
    seconds = math.ceil(
        bounds.start + 1.5 * bounds.seconds
    )  # more than it takes a long PDF to stop after a page by itself
    for what, most in (
        (resource.RLIMIT_CPU, seconds),
        (resource.RLIMIT_AS, bounds.memory),
        (resource.RLIMIT_FSIZE, 0),
        (resource.RLIMIT_CORE, 0),
    ):
        with contextlib.suppress(ValueError, OSError):
            resource.setrlimit(what, (most, most))


if __name__ == "__main__":
    main()
