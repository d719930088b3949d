"""What steers instead of being shown gets out nowhere: not on the page, not in a report, not on a terminal, not from the web."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from rag_graphs.cli import console
from rag_graphs.engines import web
from rag_graphs.views import reading, render

STEERS = "\x00\x07\x1b\x7f\x85\x9b\u061c\u200e\u200f\u202a\u202e\u2066\u2069\ufeff\ud800\udfff"
WAYS: dict[str, Callable[[str], str]] = {
    "page": render.text,
    "label": render.markdown,
    "chunk": reading.readable,
    "terminal": console.safe,
    "web": lambda value: web._text(value, 200),
}


@pytest.mark.parametrize("way", WAYS)
def test_what_steers_is_taken_out(way: str) -> None:
    kept = "Gleis\u200cspur é 야구 👩\u200d🔧"
    steered = "".join(f"{STEERS[i % len(STEERS)]}{c}" for i, c in enumerate(kept * 2))
    assert WAYS[way](steered) == kept * 2


@pytest.mark.parametrize("steers", STEERS, ids=ascii)
def test_each_of_them_is_taken_out(steers: str) -> None:
    assert {way: show(f"a{steers}b") for way, show in WAYS.items()} == dict.fromkeys(WAYS, "ab")


def test_a_terminal_obeys_no_carriage_return() -> None:
    assert console.safe("loaded\rfailed\n\tit") == "loadedfailed\n\tit"
