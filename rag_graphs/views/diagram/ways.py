"""List the ways to draw a graph: its direction and its sizes, in pixels at 100 %."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Way = Literal["wide", "tall", "compact"]


@dataclass(frozen=True, kw_only=True)
class Style:
    """Hold the sizes of one drawing. A layout tries the styles of its way in turn until one keeps within `limit`, the
    greatest width at which the smallest text still shows at 11 pixels (on a laptop, on a phone of 400 pixels). A name wider
    than `most` takes two lines; a size of 0 leaves those texts out."""

    across: bool
    name: float
    sub: float
    label: float
    box: float
    most: float
    height: float
    apart: float
    ranks: float
    limit: float

    @property
    def pitch(self) -> float:
        """Return the distance from one line of a label to the next."""
        return self.label + 3


def _wide(ranks: float) -> Style:
    return Style(
        across=True, name=16, sub=13, label=13, box=126, most=170, height=52, apart=15, ranks=ranks, limit=1290
    )


def _tall(box: float, most: float, ranks: float, sub: float = 12) -> Style:
    return Style(
        across=False,
        name=14,
        sub=sub,
        label=12,
        box=box,
        most=most,
        height=44 if sub else 32,
        apart=11,
        ranks=ranks,
        limit=382,
    )


def _compact(box: float, most: float, ranks: float) -> Style:
    return Style(across=False, name=14, sub=0, label=0, box=box, most=most, height=32, apart=14, ranks=ranks, limit=340)


STYLES: dict[Way, tuple[Style, ...]] = {
    "wide": (_wide(42), _wide(28), _wide(16)),
    "tall": (_tall(116, 150, 17), _tall(104, 108, 15), _tall(84, 90, 16, sub=0)),
    "compact": (_compact(116, 150, 22), _compact(84, 90, 20)),
}
