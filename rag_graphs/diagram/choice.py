"""The calmest of a few layouts: which side a node beside another one stands on, with the strategy's hints or without."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from itertools import product

from rag_graphs.diagram.drawing import PAD, Layout, Variant
from rag_graphs.diagram.geometry import crossings, flatten, length
from rag_graphs.diagram.plan import Shape
from rag_graphs.diagram.positions import lay
from rag_graphs.diagram.ways import STYLES, Way

CROSSING, TOO_WIDE, TIGHTER, HINT = 400, 6, 100, 12
"""What counts against a layout, in pixels or so: a crossing, a pixel too much, a tighter style, a hint not taken."""


@lru_cache(maxsize=256)
def layout(shape: Shape, way: Way) -> Layout:
    """The calmest layout of a graph; the roomiest style that keeps within its limit without a crossing ends the search.
    It is the same in every process. The first one of a graph takes up to 0.1 s, and a few microseconds after that."""
    found: list[tuple[float, Layout]] = []
    for i, style in enumerate(STYLES[way]):
        tried = [lay(shape, style, variant) for variant in _variants(shape)]
        cost, best = min(((_cost(one, shape), one) for one in tried), key=_first)
        found.append((cost + TIGHTER * i, best))
        if cost < CROSSING and best.width - 2 * PAD <= style.limit:
            break
    return min(found, key=_first)[1]


def _first(pair: tuple[float, Layout]) -> float:
    return pair[0]


def _variants(shape: Shape) -> Iterator[Variant]:
    """Each side for each pair that an edge joins, then without the hints in either order of the nodes."""
    ends = {(e.source, e.target) for e in shape.outline.edges}
    joined = [pair for pair in shape.beside if pair in ends or pair[::-1] in ends]
    for flips in product((False, True), repeat=len(joined)):
        flipped = frozenset(pair for pair, flip in zip(joined, flips, strict=True) if flip)
        yield Variant(beside=shape.beside, flipped=flipped, reverse=False)
    for reverse in (False, True):
        yield Variant(beside=(), flipped=frozenset(), reverse=reverse)


def _cost(one: Layout, shape: Shape) -> float:
    chains = [flatten(curve) for edge in one.edges for curve in edge.curves]
    across, down = one.width - 2 * PAD, one.height - 2 * PAD
    return (
        CROSSING * crossings(chains)
        + TOO_WIDE * max(0.0, across - one.style.limit)
        + (0.4 if one.style.across else 0.2) * down
        + 0.05 * across
        + 0.02 * sum(length(chain) for chain in chains)
        + HINT * (len(shape.beside) - len(one.variant.beside))
    )
