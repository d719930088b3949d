"""Print for people and for programs. What pages and models wrote cannot steer the terminal."""

from __future__ import annotations

import json
import shutil
import sys
from collections.abc import Iterator
from contextlib import contextmanager, redirect_stdout
from textwrap import wrap
from typing import Any, TextIO

from rag_graphs import no_color
from rag_graphs.language.control_characters import unsteered

STYLES = {"bold": "1", "dim": "2", "red": "31", "green": "32", "yellow": "33", "blue": "34", "violet": "35"}
Piece = str | tuple[str, ...]
"""Text, or (text, style, style …) with names of STYLES."""


class Console:
    """Write to standard output and standard error, with colours only on a terminal and not where NO_COLOR is set."""

    def __init__(self, out: TextIO | None = None, err: TextIO | None = None) -> None:
        self.out, self.err = out or sys.stdout, err or sys.stderr
        for stream in (self.out, self.err):
            reconfigure = getattr(stream, "reconfigure", None)
            if reconfigure:
                reconfigure(errors="replace")
        self._colours = self.out.isatty() and not no_color()
        self.width = min(shutil.get_terminal_size((100, 24)).columns, 120)
        self._open = False

    def line(self, *pieces: Piece) -> None:
        """Print one line, at once."""
        self.end()
        print("".join(self._styled(p) for p in pieces), file=self.out, flush=True)

    def write(self, text: str) -> None:
        """Print a piece of a line, at once; `end` or the next `line` ends it."""
        self._open = True
        print(safe(text), end="", file=self.out, flush=True)

    def end(self) -> None:
        """End the line that `write` began."""
        if self._open:
            self._open = False
            print(file=self.out, flush=True)

    def paragraph(self, text: str, *styles: str, margin: int = 0) -> None:
        """Print text broken to the terminal's width."""
        for part in safe(text).splitlines():
            for row in wrap(part, self.width - margin) or [""]:
                self.line(" " * margin, (row, *styles))

    def problem(self, text: str) -> None:
        """Print a sentence on standard error."""
        self.end()
        print(safe(text), file=self.err, flush=True)

    def document(self, data: Any) -> None:
        """Print one JSON document on standard output."""
        utf8 = (self.out.encoding or "").lower().replace("-", "") == "utf8"
        print(json.dumps(data, ensure_ascii=not utf8, indent=2, allow_nan=False), file=self.out, flush=True)

    def file(self, data: bytes) -> None:
        """Write the bytes of a file to standard output, as they are."""
        self.out.flush()
        self.out.buffer.write(data)
        self.out.buffer.flush()

    @property
    def is_terminal(self) -> bool:
        return self.out.isatty()

    @contextmanager
    def quiet_output(self, quiet: bool) -> Iterator[None]:
        """Send everything that is printed to standard error while a JSON document is being made, also what a library
        prints."""
        if not quiet:
            yield
            return
        with redirect_stdout(self.err):
            yield

    def _styled(self, piece: Piece) -> str:
        text, *styles = (piece,) if isinstance(piece, str) else piece
        text = safe(text)
        if not (self._colours and styles and text):
            return text
        return f"\x1b[{';'.join(STYLES[s] for s in styles)}m{text}\x1b[0m"


def safe(text: str) -> str:
    """Return `text` without anything that a terminal obeys."""
    return unsteered(text).replace("\r", "")
