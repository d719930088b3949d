"""What changed between two texts, word by word."""

from __future__ import annotations

import re
from difflib import SequenceMatcher
from typing import Literal

Kind = Literal["same", "gone", "came"]
Piece = tuple[Kind, str]

# a script without spaces is compared character by character: there are no words to be told apart
UNIT = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af\u0e00-\u0e7f]|\w+|\s+|[^\w\s]")


def word_difference(before: str, after: str) -> list[Piece]:
    """`after` in pieces, with what went where it stood. What is the same apart from capitals counts as the same."""
    old, new = UNIT.findall(before), UNIT.findall(after)
    matcher = SequenceMatcher(a=[u.casefold() for u in old], b=[u.casefold() for u in new], autojunk=False)
    pieces: list[Piece] = []
    gone = came = ""
    for tag, a, b, c, d in matcher.get_opcodes():
        went, arrived = "".join(old[a:b]), "".join(new[c:d])
        if tag == "equal" and arrived.strip():
            pieces += _change(gone, came)
            gone = came = ""
            pieces.append(("same", arrived))
        else:
            # a space alone between two changes is no word that stayed: the changes are one
            gone, came = gone + went, came + arrived
    return pieces + _change(gone, came)


def _change(gone: str, came: str) -> list[Piece]:
    pieces: tuple[Piece, Piece] = (("gone", gone), ("came", came))
    return [piece for piece in pieces if piece[1]]
