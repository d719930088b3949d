"""Protection against hostile pages: cutting markup that would keep a parser busy for minutes, and a time limit."""

from __future__ import annotations

import re
import threading
from collections.abc import Callable
from typing import TypeVar

from rag_graphs.errors import SourceError

MAX_ATTRIBUTES = 400  # libxml2 compares each attribute of a tag with all others: 100,000 take minutes

_OPEN = re.compile(r"<(?=[a-zA-Z/!])")
_NAME = re.compile(r"</?([a-zA-Z][^\s/>]*)")
_STEP = re.compile(r"""[^\s"'>/=]*=\s*(?P<quote>["'])|[\s/]+|[=>]""")
_COMMENT_END = re.compile(r"--!?>")
_RAW = frozenset(["script", "style", "xmp", "iframe", "noembed", "noframes", "title", "textarea"])

T = TypeVar("T")


def bound_tags(html: str) -> str:
    """Close each tag of the markup after its 400th attribute; the rest of the tag becomes text."""
    out: list[str] = []
    copied = position = 0
    while opening := _OPEN.search(html, position):
        position, overflow = _skip(html, opening.start())
        if overflow:
            out += [html[copied:position], ">"]
            copied = position
    return "".join([*out, html[copied:]])


def _skip(html: str, start: int) -> tuple[int, bool]:
    """Return where the markup that begins at `start` ends, and whether it is a tag with too many attributes."""
    if html.startswith("<!--", start):
        end = _COMMENT_END.search(html, start + 2)
        return (end.end() if end else len(html)), False
    if not (name := _NAME.match(html, start)):
        return start + 1, False
    position, overflow = _skip_attributes(html, name.end())
    raw = name[1].lower()
    if raw in _RAW and html[start + 1] != "/":
        close = re.compile(f"</{raw}", re.IGNORECASE).search(html, position)
        return (close.start() if close else len(html)), overflow
    return position, overflow


def _skip_attributes(html: str, position: int) -> tuple[int, bool]:
    for _ in range(3 * MAX_ATTRIBUTES):
        step = _STEP.search(html, position)
        if step is None:
            return len(html), False
        position = step.end()
        if step.group() == ">":
            return position, False
        if quote := step["quote"]:
            close = html.find(quote, position)
            position = close + 1 if close >= 0 else len(html)
    return position, True


def within(seconds: float, work: Callable[[], T]) -> T:
    """Run `work` in a thread of its own and return its result. Raises SourceError ("unreadable page") if it takes longer. The
    thread then goes on, because threads cannot be ended, but nobody waits for it."""
    result: list[T] = []
    failure: list[BaseException] = []

    def run() -> None:
        try:
            result.append(work())
        except BaseException as error:  # noqa: BLE001 - raised again in the caller's thread
            failure.append(error)

    thread = threading.Thread(target=run, daemon=True, name="read")
    thread.start()
    thread.join(seconds)
    if failure:
        raise failure[0]
    if result:
        return result[0]
    raise SourceError(
        "unreadable page",
        f"The page could not be read within {seconds:g} seconds. Use another page, or paste its text.",
    )
