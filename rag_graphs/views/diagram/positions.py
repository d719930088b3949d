"""Compute the positions of a graph, by Graphviz's dot through pygraphviz."""

from __future__ import annotations

import re
import threading
from dataclasses import replace
from math import dist

from rag_graphs.graphs.strategy import END, START
from rag_graphs.views.diagram.dot import write
from rag_graphs.views.diagram.drawing import PAD, Drawn, Layout, Node, Variant, badge
from rag_graphs.views.diagram.geometry import Box, Curve, Point
from rag_graphs.views.diagram.measure import width, wrap
from rag_graphs.views.diagram.plan import Link, Shape, links
from rag_graphs.views.diagram.ways import Style

GRAPHVIZ = threading.Lock()
"""The C library is not safe for threads."""
ROUND, INSIDE, ARROW = 20.0, 18.0, 9.0
CLEAR = 16.0
"""From the middle of a badge to the nearest arrow, if there is room."""
LONGEST_COUNT = "10/10"
NUMBER = re.compile(r"-?\d+(?:\.\d+)?(?:e[+-]?\d+)?")


def lay(shape: Shape, style: Style, variant: Variant) -> Layout:
    """Lay a graph out in one style and one variant."""
    import pygraphviz

    nodes = _nodes(shape, style)
    plan = [(link, _label(link, style)) for link in links(shape, variant.beside)]
    with GRAPHVIZ:
        graph = pygraphviz.AGraph(string=write(shape, style, variant, nodes, plan))
        graph.layout("dot")
        positions = {str(n): n.attr["pos"] for n in graph.nodes()}
        courses = {e.attr["comment"]: e.attr["pos"] for e in graph.edges()}
        bounds = graph.graph_attr["bb"]
        graph.close()
    return _Reader(bounds, positions, courses).read(style, variant, nodes, plan)


def _nodes(shape: Shape, style: Style) -> list[Node]:
    """Return every node with its size; its place comes later."""
    lines = [wrap(name, style.name, style.most - INSIDE) for name in shape.names]
    widest = max((width(line, style.name) for name in lines for line in name), default=0.0)
    higher = style.name + 2 if any(len(name) > 1 for name in lines) else 0.0
    box = Box(x=0, y=0, width=max(style.box, widest + INSIDE), height=style.height + higher)
    dot = Box(x=0, y=0, width=ROUND, height=ROUND)
    return [
        Node(name=START, lines=(), box=dot),
        *[Node(name=n, lines=two, box=box) for n, two in zip(shape.outline.nodes, lines, strict=True)],
        Node(name=END, lines=(), box=dot),
    ]


def _label(link: Link, style: Style) -> Box | None:
    """Return the room that an edge's label needs when its loop counts and its outcomes turn bold."""
    lines = link.lines(LONGEST_COUNT)
    if not lines or not style.label:
        return None
    widest = max(width(line, style.label, bold=True) for line in lines)
    return Box(x=0, y=0, width=widest + 8, height=style.pitch * len(lines) + 2)


class _Reader:
    """Read dot's answer: points with y growing upwards, splines with the arrows' points in front."""

    def __init__(self, bounds: str, positions: dict[str, str], courses: dict[str, str]) -> None:
        self.left, self.bottom, self.right, self.top = (float(n) for n in bounds.split(","))
        self.positions, self.courses = positions, courses

    def read(self, style: Style, variant: Variant, nodes: list[Node], plan: list[tuple[Link, Box | None]]) -> Layout:
        placed = [replace(node, box=self.place(f"n{i}", node.box)) for i, node in enumerate(nodes)]
        boxes = {node.name: node.box for node in placed}
        edges = [self.edge(str(i), link, label) for i, (link, label) in enumerate(plan)]
        drawn = tuple(_straight(edge, boxes, style.across) for edge in edges)
        return Layout(
            style=style,
            variant=variant,
            width=self.right - self.left + 2 * PAD,
            height=self.top - self.bottom + 2 * PAD,
            nodes=tuple(replace(node, corner=_corner(node.box, drawn)) for node in placed),
            edges=drawn,
        )

    def point(self, text: str) -> Point:
        x, y = (float(n) for n in NUMBER.findall(text)[:2])
        return x - self.left + PAD, self.top - y + PAD

    def place(self, name: str, box: Box) -> Box:
        x, y = self.point(self.positions[name])
        return replace(box, x=x, y=y)

    def edge(self, key: str, link: Link, label: Box | None) -> Drawn:
        *before, (curve, tip) = (self.course(key + half) for half in "ab" if key + half in self.courses)
        return Drawn(
            link=link,
            curves=(*(c for c, _ in before), curve),
            tip=tip,
            label=self.place(f"l{key}", label) if label else None,
        )

    def course(self, comment: str) -> tuple[Curve, Point]:
        """Return a spline in the direction of flow, and the point of its arrow (its end, if it has none)."""
        parts = self.courses[comment].split()
        start = [self.point(p) for p in parts if p.startswith("s,")]
        end = [self.point(p) for p in parts if p.startswith("e,")]
        curve = tuple(self.point(p) for p in parts if p[0] not in "se")
        if start:
            return curve[::-1], start[0]
        return curve, end[0] if end else curve[-1]


def _straight(edge: Drawn, boxes: dict[str, Box], across: bool) -> Drawn:
    """Draw an edge between nodes beside one another, with its label, as one straight line: dot lets such lines lean."""
    if not (edge.link.level and edge.label):
        return edge
    stops = [_along(box, across) for box in (boxes[edge.link.source], edge.label, boxes[edge.link.target])]
    if max(at for _, _, at in stops) - min(at for _, _, at in stops) > 1:
        return edge
    stops.sort()
    (_, leave, at), (enter, exit_, _), (arrive, _, _) = stops
    points = [leave, enter, exit_, arrive]
    if _along(boxes[edge.link.source], across) != stops[0]:
        points.reverse()
    back = ARROW if points[3] < points[2] else -ARROW
    line = [(at, p) if across else (p, at) for p in (*points, points[3] + back)]
    return replace(edge, curves=(_line(line[0], line[1]), _line(line[2], line[4])), tip=line[3])


def _along(box: Box, across: bool) -> tuple[float, float, float]:
    """Return where a box begins and ends along a rank, and where its middle line lies."""
    return (box.top, box.bottom, box.x) if across else (box.left, box.right, box.y)


def _line(a: Point, b: Point) -> Curve:
    return a, a, b, b


def _corner(box: Box, edges: tuple[Drawn, ...]) -> tuple[int, int]:
    """Return the corner for a node's badge: the upper right one, unless an arrow ends there."""

    def room(corner: tuple[int, int]) -> float:
        return min(CLEAR, *(dist(badge(box, corner), edge.tip) for edge in edges))

    return max(((1, -1), (-1, -1), (1, 1), (-1, 1)), key=room)
