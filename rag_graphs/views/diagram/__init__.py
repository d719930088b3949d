"""Draw a strategy's graph as SVG: positions from Graphviz, marks from a run's trace.

`draw` gives one drawing, `both_ways` the drawing for a page of any width, `standalone` a file of its own. All three are
quick enough to be called for every change of a run: positions are computed once for each graph.
"""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path

from rag_graphs.graphs.strategy import Strategy
from rag_graphs.runs.trace import Trace
from rag_graphs.settings import Settings
from rag_graphs.views.diagram.choice import layout
from rag_graphs.views.diagram.colours import COLOURS, fixed, tokens
from rag_graphs.views.diagram.marking import IDLE, Marks, marks
from rag_graphs.views.diagram.plan import Shape, shape_of
from rag_graphs.views.diagram.svg import render
from rag_graphs.views.diagram.ways import Way
from rag_graphs.views.diagram.words import describe, subline

__all__ = [
    "COLOURS",
    "FONT",
    "FONT_FILE",
    "IDLE",
    "Marks",
    "Way",
    "both_ways",
    "describe",
    "diagram_css",
    "draw",
    "font_face",
    "marks",
    "standalone",
    "subline",
    "tokens",
    "warm",
]

FONT = "RAG Graphs Sans"
FONT_FILE = Path(__file__).parent / "fonts" / "rag-graphs-sans.ttf"
"""The app's font, Source Sans 3, with the characters of European languages in Latin letters, in the weights 400 to 700."""
NARROWEST = 368.0
"""The width of a drawing on a phone of 400 pixels."""
LEGIBLE = 11.0
WIDTHS = (900, 1000, 1080, 1180)
"""Widths from which on a drawing is shown across; each has its rule in the stylesheet. The last one is left to a page on a
screen of 1280 pixels, beside a scrollbar."""


def draw(
    strategy: Strategy,
    settings: Settings,
    marks: Marks = IDLE,
    *,
    way: Way = "wide",
    prefix: str = "rg",
    sub: Mapping[str, str] | None = None,
) -> str:
    """Draw the graph as an `<svg>` element on one line, for a page that has `diagram_css`.

    `prefix` keeps its ids apart from those of other drawings on the page. `sub` gives the second line of nodes by their
    name: by default what each is for, or what came of its last run.
    """
    shape = _shape(strategy, settings)
    nodes = shape.outline.nodes
    return render(
        layout(shape, way),
        way,
        marks,
        settings,
        prefix=prefix,
        sublines={node: subline(node, marks, strategy, settings) for node in nodes} if sub is None else sub,
        description=describe(strategy, marks),
    )


def both_ways(strategy: Strategy, settings: Settings, marks: Marks = IDLE, *, prefix: str = "rg") -> str:
    """Draw the graph across and down, in one element on one line; the stylesheet shows the one that fits the width. A third,
    compact drawing takes over on phones where the second would be too small to read."""
    shape = _shape(strategy, settings)
    wide, tall = layout(shape, "wide"), layout(shape, "tall")
    small = tall.style.label * NARROWEST / tall.width < LEGIBLE
    needed = next((w for w in WIDTHS if wide.style.label * w / wide.width > LEGIBLE - 0.25), WIDTHS[-1])
    ways: tuple[Way, ...] = ("wide", "tall", "compact") if small else ("wide", "tall")
    drawings = [draw(strategy, settings, marks, way=way, prefix=prefix) for way in ways]
    return f'<div class="rg-ways from{needed}{" small" if small else ""}">{"".join(drawings)}</div>'


def standalone(strategy: Strategy, settings: Settings, trace: Trace | None = None) -> str:
    """Draw the graph as an SVG document with its own colours, light or dark as its reader prefers."""
    picture = draw(strategy, settings, marks(trace), prefix="diagram")
    light, dark = (fixed(diagram_css(), dark=dark) for dark in (False, True))
    family = f".rg{{font-family:'{FONT}',sans-serif}}"
    style = f"{font_face()}{family}{light}@media (prefers-color-scheme:dark){{{dark}}}"
    head, body = picture.split(">", 1)
    ground = '<rect class="ground" width="100%" height="100%"/>'
    return f'<?xml version="1.0" encoding="UTF-8"?>\n{head}><style>{style}</style>{ground}{body}\n'


@lru_cache(maxsize=1)
def font_face() -> str:
    """Return the CSS rule that carries the font inside a file, so that texts are as wide at every reader as they were
    measured."""
    data = b64encode(FONT_FILE.with_suffix(".woff2").read_bytes()).decode()
    source = f"url(data:font/woff2;base64,{data}) format('woff2')"
    return f"@font-face{{font-family:'{FONT}';font-weight:400 700;src:{source}}}"


@lru_cache(maxsize=1)
def diagram_css() -> str:
    """Return the stylesheet of a drawing. It uses the colours of `tokens`."""
    return (Path(__file__).parent / "diagram.css").read_text(encoding="utf-8")


def warm(strategies: Mapping[str, Strategy], settings: Settings) -> None:
    """Compute the positions of these strategies' graphs, so that their first drawing is quick as well."""
    for strategy in strategies.values():
        both_ways(strategy, settings)


_SHAPES: dict[tuple[Strategy, str], Shape] = {}


def _shape(strategy: Strategy, settings: Settings) -> Shape:
    """Return the shape of a strategy's graph, kept because building a graph takes milliseconds. The settings' JSON holds no
    secrets."""
    key = (strategy, settings.model_dump_json())
    shape = _SHAPES.get(key)
    if shape is None:
        if len(_SHAPES) >= 256:
            _SHAPES.clear()
        _SHAPES[key] = shape = shape_of(strategy, settings)
    return shape
