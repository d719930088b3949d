"""Describe a layout: boxes and curves in pixels, y growing downwards."""

from __future__ import annotations

from dataclasses import dataclass

from rag_graphs.views.diagram.geometry import Box, Curve, Point
from rag_graphs.views.diagram.plan import Link
from rag_graphs.views.diagram.ways import Style

PAD = 9.5
"""Free space around a drawing: the halo of a running node reaches into it."""


@dataclass(frozen=True, kw_only=True)
class Variant:
    """Describe one variant of a layout: which pairs stand beside one another, which of them in reverse, and in which order
    dot meets the nodes."""

    beside: tuple[tuple[str, str], ...]
    flipped: frozenset[tuple[str, str]]
    reverse: bool


@dataclass(frozen=True, kw_only=True)
class Node:
    """Describe a node. START and END have no `lines`. The badge sits on the corner at (`right`, `bottom`): each is 1 or
    -1."""

    name: str
    lines: tuple[str, ...]
    box: Box
    corner: tuple[int, int] = (1, -1)


@dataclass(frozen=True, kw_only=True)
class Drawn:
    """Describe an edge with its course in the direction of flow: one curve, or two with the label between them. `tip` is the
    arrow's point; the last curve ends where the arrow begins."""

    link: Link
    curves: tuple[Curve, ...]
    tip: Point
    label: Box | None


@dataclass(frozen=True, kw_only=True)
class Layout:
    """Describe a graph with positions, everything within `width` times `height`."""

    style: Style
    variant: Variant
    width: float
    height: float
    nodes: tuple[Node, ...]
    edges: tuple[Drawn, ...]


def badge(box: Box, corner: tuple[int, int]) -> Point:
    """Return the middle of a badge on a corner of a box."""
    return box.x + corner[0] * (box.width / 2 - 3), box.y + corner[1] * (box.height / 2 - 3)
