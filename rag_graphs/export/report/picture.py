"""The graph with the path that a run took, as a picture of its own."""

from __future__ import annotations

from functools import cache

from rag_graphs.errors import SettingsError, SetupError, TraceError
from rag_graphs.graphs.strategies import get_strategy
from rag_graphs.graphs.strategy import Strategy
from rag_graphs.runs.trace import Trace
from rag_graphs.settings import Settings, load_settings
from rag_graphs.views.diagram import COLOURS, diagram_css, draw, marks, standalone
from rag_graphs.views.diagram.colours import fixed

FONTS = "'Source Sans 3','Source Sans Pro','Noto Sans','Noto Sans CJK KR',Calibri,Arial,'DejaVu Sans',sans-serif"
SIZES = ".rg .nm{font-size:15px}.rg .sub,.rg .ol{font-size:12.5px}"
"""The machine's font may be wider than the app's."""
SCALE = 2.0
"""Pixels of a PNG to a unit of the drawing: sharp on a slide."""


def graph_of(trace: Trace) -> tuple[Strategy, Settings]:
    """The strategy of a run and the settings by which its graph was built. Raises TraceError for one not known here."""
    try:
        return get_strategy(trace.head.strategy), load_settings().as_recorded(trace.head.settings)
    except SettingsError:
        raise TraceError(
            f"The strategy of this run, {trace.head.strategy!r}, is not known here, so there is no picture of its graph."
        ) from None


def as_svg(trace: Trace) -> str:
    """The graph with the path as an SVG document with its own colours, light or dark as its reader prefers."""
    strategy, settings = graph_of(trace)
    return standalone(strategy, settings, trace)


def as_png(trace: Trace) -> bytes:
    """The graph with the path on white, for slides and documents. Raises SetupError on a machine without any font."""
    strategy, settings = graph_of(trace)
    drawing = draw(strategy, settings, marks(trace), prefix="diagram")
    head, body = drawing.split(">", 1)
    style = f".rg{{font-family:{FONTS}}}{fixed(diagram_css(), dark=False).split('@keyframes')[0]}{SIZES}"
    if not _has_fonts():
        raise SetupError(
            "No font was found on this machine, and a picture in PNG needs one. Install one (Debian, Ubuntu: apt-get install "
            "fonts-dejavu-core), or export the diagram as SVG."
        )
    return _rendered(f'{head} xml:space="preserve"><style>{style}</style>{body}')


@cache
def _has_fonts() -> bool:
    """Whether letters leave a mark: without any font they are left out silently."""
    blank = '<svg xmlns="http://www.w3.org/2000/svg" width="20" height="20">{}</svg>'
    return _rendered(blank.format('<text y="15">M</text>')) != _rendered(blank.format(""))


def _rendered(svg: str) -> bytes:
    from resvg_py import svg_to_bytes

    return bytes(svg_to_bytes(svg, background=COLOURS["paper"][0], zoom=SCALE))
