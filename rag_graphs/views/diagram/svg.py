"""Write a layout and the marks of a run as SVG. During a run only classes and texts change, never the elements or a
position, so that a page keeps what it shows and moves from state to state."""

from __future__ import annotations

import html
import re
from collections.abc import Mapping
from functools import lru_cache

from rag_graphs.graphs.strategy import END, START
from rag_graphs.settings import Settings
from rag_graphs.views.diagram.drawing import Drawn, Layout, Node, badge
from rag_graphs.views.diagram.geometry import Curve, Point
from rag_graphs.views.diagram.marking import Marks
from rag_graphs.views.diagram.measure import shorten
from rag_graphs.views.diagram.ways import Way
from rag_graphs.views.translation import _

BASELINE = 0.34
"""From the middle of a line of text down to its baseline, in the size of the font."""


def render(
    layout: Layout,
    way: Way,
    marks: Marks,
    settings: Settings,
    *,
    prefix: str,
    sublines: Mapping[str, str],
    description: str,
) -> str:
    """Return the `<svg>` element, on one line."""
    ident = f"{re.sub(r'[^A-Za-z0-9_]', '_', prefix)}_{way}"
    edges = [_edge(e, i, marks, settings, ident, layout.style.pitch) for i, e in enumerate(layout.edges)]
    nodes = [_node(n, i, marks, ident, layout, sublines) for i, n in enumerate(layout.nodes)]
    size = f"0 0 {layout.width:.0f} {layout.height:.0f}"
    return (
        f'<svg id="{ident}" class="rg {way}" viewBox="{size}" style="max-width:{layout.width * 1.15:.0f}px" role="img"'
        f' aria-label="{_text(description)}" xmlns="http://www.w3.org/2000/svg">{"".join(edges)}{"".join(nodes)}</svg>'
    )


def _text(value: str) -> str:
    """Escape a text, on one line; colons too, because Streamlit looks for icon codes in the raw text."""
    return html.escape(" ".join(value.split())).replace(":", "&#58;")


def _edge(edge: Drawn, number: int, marks: Marks, settings: Settings, ident: str, pitch: float) -> str:
    mark = marks.edge(edge.link) + (" latest" if marks.latest(edge.link) else "")
    lines, arrow = _paths(edge)
    label = _label(edge, marks, settings, pitch) if edge.label else ""
    ends = f'data-from="{_text(edge.link.source)}" data-to="{_text(edge.link.target)}"'
    return f'<g id="{ident}_e{number}" class="edge {mark}" {ends}>{lines}{arrow}{label}</g>'


@lru_cache(maxsize=4096)
def _paths(edge: Drawn) -> tuple[str, str]:
    """Draw the lines and the arrow, which no run changes."""
    lines = "".join(f'<path class="l" d="{_path(curve)}"/>' for curve in edge.curves)
    return lines, f'<path class="a" d="{_arrow(edge.curves[-1][-1], edge.tip)}"/>'


def _path(curve: Curve) -> str:
    pieces = (" ".join(_at(p) for p in curve[i : i + 3]) for i in range(1, len(curve), 3))
    return f"M{_at(curve[0])}C" + "C".join(pieces)


def _at(point: Point) -> str:
    return f"{point[0]:.1f} {point[1]:.1f}"


def _arrow(base: Point, tip: Point) -> str:
    """Draw a triangle from the end of the line to the tip."""
    x, y = tip[0] - base[0], tip[1] - base[1]
    size = (x * x + y * y) ** 0.5 or 1.0
    side = (-y / size * 4.6, x / size * 4.6)
    return f"M{_at(tip)}L{_at((base[0] + side[0], base[1] + side[1]))}L{_at((base[0] - side[0], base[1] - side[1]))}Z"


def _label(edge: Drawn, marks: Marks, settings: Settings, pitch: float) -> str:
    """Draw a line for each outcome; those taken stand out. A loop's count follows its last outcome."""
    link, box = edge.link, edge.label
    assert box is not None
    lines = [(o, "ol hit" if marks.hit(link.source, o) else "ol") for o in link.outcomes] or [("", "ol bud")]
    out = []
    for i, (outcome, kind) in enumerate(lines):
        y = box.y + (i - (len(lines) - 1) / 2) * pitch + (pitch - 3) * BASELINE
        text = _text(_(outcome)) if outcome else ""
        if link.loop and i == len(lines) - 1:
            count = _text(marks.budget(link.loop, settings))  # the record of a run may come from anyone
            text = f'{text}<tspan class="bud"> {count}</tspan>' if text else f"{count} {_text(_(link.loop.counter))}"
        out.append(f'<text class="{kind}" x="{box.x:.1f}" y="{y:.1f}">{text}</text>')
    return "".join(out)


def _node(node: Node, number: int, marks: Marks, ident: str, layout: Layout, sublines: Mapping[str, str]) -> str:
    mark, box = marks.node(node.name), node.box
    x, y = f"{box.x:.1f}", f"{box.y:.1f}"
    if node.name == START:
        return (
            f'<g id="{ident}_n{number}" class="stop {mark}"><title>START</title><circle cx="{x}" cy="{y}" r="9"/></g>'
        )
    if node.name == END:
        rings = f'<circle cx="{x}" cy="{y}" r="9.5"/><circle class="in" cx="{x}" cy="{y}" r="5"/>'
        return f'<g id="{ident}_n{number}" class="stop end {mark}"><title>END</title>{rings}</g>'
    again = " again" if marks.visits.get(node.name, 0) > 1 else ""
    texts = _texts(node, layout, sublines.get(node.name, ""))
    return (
        f'<g id="{ident}_n{number}" class="node {mark}{again}"><title>{_text(node.name)}</title>'
        f"{_boxes(node)}{texts}{_badge(node, marks)}</g>"
    )


@lru_cache(maxsize=1024)
def _boxes(node: Node) -> str:
    """Draw the halo and the box, which no run changes."""
    box = node.box
    halo = (
        f'<rect class="halo" x="{box.left - 5:.1f}" y="{box.top - 5:.1f}" width="{box.width + 10:.1f}"'
        f' height="{box.height + 10:.1f}" rx="15"/>'
    )
    body = f'x="{box.left:.1f}" y="{box.top:.1f}" width="{box.width:.1f}" height="{box.height:.1f}" rx="11"'
    return f'{halo}<rect class="b" {body}/>'


def _texts(node: Node, layout: Layout, sub: str) -> str:
    """Draw the name, on one line or two, and the sub-line, centred together in the box."""
    style, box = layout.style, node.box
    sizes = [style.name] * len(node.lines) + ([style.sub] if style.sub else [])
    pitches = [size + 4 for size in sizes]
    top = box.y - sum(pitches) / 2
    out = []
    for i, (size, pitch) in enumerate(zip(sizes, pitches, strict=True)):
        y = top + sum(pitches[:i]) + pitch / 2 + size * BASELINE
        last = i == len(node.lines)
        text = shorten(sub, size, box.width - 10) if last else node.lines[i]
        out.append(f'<text class="{"sub" if last else "nm"}" x="{box.x:.1f}" y="{y:.1f}">{_text(text)}</text>')
    return "".join(out)


def _badge(node: Node, marks: Marks) -> str:
    """Draw the badge: a tick, how often the node ran, that the run broke off or that it waits here. The class of the node
    decides which of them is visible."""
    count = {"halted": "!", "next": "II"}.get(marks.node(node.name), f"{marks.visits.get(node.name, 0)}×")
    place = f"translate({_at(badge(node.box, node.corner))})"
    return (
        f'<g class="mk" transform="{place}"><circle r="10"/><path d="M-4 .3L-1.2 3.2L4.2 -3"/>'
        f'<text class="cnt" y="4">{count}</text></g>'
    )
