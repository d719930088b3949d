"""Choose the calmest of a few layouts: on which side one node of a pair stands, and with or without the strategy's hints."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from itertools import product
from operator import itemgetter

from rag_graphs.views.diagram.drawing import PAD, Layout, Variant
from rag_graphs.views.diagram.geometry import crossings, flatten, length
from rag_graphs.views.diagram.plan import Shape
from rag_graphs.views.diagram.positions import lay
from rag_graphs.views.diagram.ways import STYLES, Way

CROSSING, TOO_WIDE, TIGHTER, HINT = 400, 6, 100, 12
"""What counts against a layout, in pixels or so: a crossing, a pixel too much, a tighter style, a hint not taken."""

Rank = tuple[bool, float]
"""Whether a layout is too wide for its style, then what counts against it."""


@lru_cache(maxsize=256)
def layout(shape: Shape, way: Way) -> Layout:
    """Return the calmest layout of a graph. The search ends at the roomiest style that fits without a crossing. The result
    is the same in every process. The first layout of a graph takes about 0.1 s, a repeated one a few microseconds."""
    candidates: list[tuple[Rank, Layout]] = []
    for tighter, style in enumerate(STYLES[way]):
        layouts = [lay(shape, style, variant) for variant in _variants(shape)]
        rank, best = min(((_rank(one, shape, tighter), one) for one in layouts), key=itemgetter(0))
        candidates.append((rank, best))
        if rank < (False, CROSSING):
            break
    return min(candidates, key=itemgetter(0))[1]


def _variants(shape: Shape) -> Iterator[Variant]:
    """Yield each choice of sides for the pairs that an edge joins, then the layouts without hints in both orders of the
    nodes."""
    ends = {(e.source, e.target) for e in shape.outline.edges}
    joined = [pair for pair in shape.beside if pair in ends or pair[::-1] in ends]
    for flips in product((False, True), repeat=len(joined)):
        flipped = frozenset(pair for pair, flip in zip(joined, flips, strict=True) if flip)
        yield Variant(beside=shape.beside, flipped=flipped, reverse=False)
    for reverse in (False, True):
        yield Variant(beside=(), flipped=frozenset(), reverse=reverse)


def _rank(one: Layout, shape: Shape, tighter: int) -> Rank:
    chains = [flatten(curve) for edge in one.edges for curve in edge.curves]
    chains += [[edge.curves[-1][-1], edge.tip] for edge in one.edges]
    across, down = one.width - 2 * PAD, one.height - 2 * PAD
    cost = (
        CROSSING * crossings(chains)
        + TOO_WIDE * max(0.0, across - one.style.limit)
        + TIGHTER * tighter
        + (0.4 if one.style.across else 0.2) * down
        + 0.05 * across
        + 0.02 * sum(length(chain) for chain in chains)
        + HINT * (len(shape.beside) - len(one.variant.beside))
    )
    return across > one.style.limit, cost
