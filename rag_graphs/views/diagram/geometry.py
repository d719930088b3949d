"""Compute with points, curves and boxes: only what a layout needs to compare drawings."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import combinations, pairwise
from math import dist

Point = tuple[float, float]
Curve = tuple[Point, ...]
"""A cubic Bézier spline: a start, then three points for each piece."""


@dataclass(frozen=True, kw_only=True)
class Box:
    """Describe a rectangle by its centre."""

    x: float
    y: float
    width: float
    height: float

    @property
    def left(self) -> float:
        return self.x - self.width / 2

    @property
    def right(self) -> float:
        return self.x + self.width / 2

    @property
    def top(self) -> float:
        return self.y - self.height / 2

    @property
    def bottom(self) -> float:
        return self.y + self.height / 2

    def overlaps(self, other: Box) -> bool:
        return (
            self.left < other.right and other.left < self.right and self.top < other.bottom and other.top < self.bottom
        )

    def holds(self, point: Point) -> bool:
        return self.left < point[0] < self.right and self.top < point[1] < self.bottom


def flatten(curve: Curve, pieces: int = 6) -> list[Point]:
    """Return a curve as a chain of points, with `pieces` straight lines for each of its cubic pieces."""
    points = [curve[0]]
    for i in range(1, len(curve) - 2, 3):
        a, b, c, d = curve[i - 1 : i + 3]
        for k in range(1, pieces + 1):
            t = k / pieces
            u = 1 - t
            w = (u**3, 3 * u * u * t, 3 * u * t * t, t**3)
            points.append(
                (
                    w[0] * a[0] + w[1] * b[0] + w[2] * c[0] + w[3] * d[0],
                    w[0] * a[1] + w[1] * b[1] + w[2] * c[1] + w[3] * d[1],
                )
            )
    return points


def length(chain: list[Point]) -> float:
    return sum(dist(p, q) for p, q in pairwise(chain))


def crossings(chains: Iterable[list[Point]]) -> int:
    """Count how often chains cross one another."""
    lines = [[(p, q) for p, q in pairwise(chain)] for chain in chains]
    spans = [_span(chain) for chain in lines]
    count = 0
    for (one, here), (two, there) in combinations(zip(lines, spans, strict=True), 2):
        if here.overlaps(there):
            count += sum(_cross(*p, *q) for p in one for q in two)
    return count


def _span(lines: list[tuple[Point, Point]]) -> Box:
    xs = [x for line in lines for x, _ in line]
    ys = [y for line in lines for _, y in line]
    left, right, top, bottom = min(xs), max(xs), min(ys), max(ys)
    return Box(x=(left + right) / 2, y=(top + bottom) / 2, width=right - left + 1, height=bottom - top + 1)


def _cross(a: Point, b: Point, c: Point, d: Point) -> bool:
    def side(p: Point, q: Point, r: Point) -> float:
        return (q[0] - p[0]) * (r[1] - p[1]) - (q[1] - p[1]) * (r[0] - p[0])

    return side(a, b, c) * side(a, b, d) < 0 and side(c, d, a) * side(c, d, b) < 0
