"""Draw the graph with the path that a run took, as a picture of its own."""

from __future__ import annotations

import html
import unicodedata
from functools import lru_cache
from xml.etree import ElementTree

from rag_graphs.errors import SettingsError, SetupError, TraceError
from rag_graphs.graphs.strategies import get_strategy
from rag_graphs.graphs.strategy import Strategy
from rag_graphs.runs.trace import Trace
from rag_graphs.settings import Settings, load_settings
from rag_graphs.views.diagram import COLOURS, FONT, FONT_FILE, diagram_css, draw, marks, standalone
from rag_graphs.views.diagram.colours import fixed

SCALE = 2.0
"""Pixels of a PNG to a unit of the drawing: sharp on a slide."""


def graph_of(trace: Trace) -> tuple[Strategy, Settings]:
    """Return the strategy of a run and the settings by which its graph was built. Raises TraceError for one not known
    here."""
    try:
        return get_strategy(trace.head.strategy), load_settings().as_recorded(trace.head.settings)
    except SettingsError:
        raise TraceError(
            f"The strategy of this run, {trace.head.strategy!r}, is not known here, so there is no picture of its graph."
        ) from None


def as_svg(trace: Trace) -> str:
    """Return the graph with the path as an SVG document with its own colours, light or dark as its reader prefers."""
    strategy, settings = graph_of(trace)
    return standalone(strategy, settings, trace)


def as_png(trace: Trace, *, machine_fonts: bool = True) -> bytes:
    """Return the graph with the path on white, for slides and documents, in the font that the package carries.

    Letters outside it are looked for in the machine's fonts, unless `machine_fonts` is false. Raises SetupError for letters
    that no font has.
    """
    strategy, settings = graph_of(trace)
    drawing = draw(strategy, settings, marks(trace), prefix="diagram")
    others = {c for c in _letters(drawing) if not _is_drawn(c, machine_fonts=False)}
    missing = sorted(c for c in others if not (machine_fonts and _is_drawn(c, machine_fonts=True)))
    if missing:
        raise SetupError(
            f"No font on this machine has these letters of the diagram: {_by_script(missing)}. Install one (Debian, Ubuntu: "
            "apt-get install fonts-noto-cjk for Chinese, Japanese and Korean, fonts-noto-core for other scripts), or export "
            "the diagram as SVG."
        )
    head, body = drawing.split(">", 1)
    style = f".rg{{font-family:'{FONT}'}}{fixed(diagram_css(), dark=False).split('@keyframes')[0]}"
    return rendered(f'{head} xml:space="preserve"><style>{style}</style>{body}', machine_fonts=bool(others))


def rendered(svg: str, *, machine_fonts: bool) -> bytes:
    """Render an SVG document as a PNG. A letter that no font has is left out silently."""
    from resvg_py import svg_to_bytes

    ground, fonts = COLOURS["paper"][0], [str(FONT_FILE)]
    return bytes(
        svg_to_bytes(svg, background=ground, zoom=SCALE, font_files=fonts, skip_system_fonts=not machine_fonts)
    )


def _letters(drawing: str) -> set[str]:
    """Return the characters of the drawing's texts that must leave a mark: no spaces, control characters or accents of their
    own."""
    texts = ElementTree.fromstring(drawing).iter("{http://www.w3.org/2000/svg}text")
    return {c for text in texts for c in "".join(text.itertext()) if unicodedata.category(c)[0] not in "CMZ"}


@lru_cache(maxsize=4096)
def _is_drawn(character: str, *, machine_fonts: bool) -> bool:
    """Does a character leave a mark?"""
    page = '<svg xmlns="http://www.w3.org/2000/svg" width="40" height="40">{}</svg>'
    text = f'<text y="30" font-family="{FONT}">{html.escape(character)}</text>'
    blank = rendered(page.format(""), machine_fonts=False)
    return rendered(page.format(text), machine_fonts=machine_fonts) != blank


def _by_script(characters: list[str]) -> str:
    """Name the first character of each script, with the script: 문 (Hangul)."""
    firsts: dict[str, str] = {}
    for character in characters:
        firsts.setdefault(unicodedata.name(character, "unknown").split()[0], character)
    return ", ".join(f"{c} ({'Chinese' if s == 'CJK' else s.capitalize()})" for s, c in firsts.items())
