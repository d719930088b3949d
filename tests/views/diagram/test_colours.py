"""The colours: one table for the pages, the files and Streamlit's theme, each text legible on its ground."""

import tomllib
from pathlib import Path

import pytest

from rag_graphs.views.diagram import WIDTHS, diagram_css, tokens
from rag_graphs.views.diagram.colours import COLOURS, fixed

THEME = tomllib.loads((Path(__file__).resolve().parents[3] / ".streamlit/config.toml").read_text())["theme"]


def luminance(colour: str) -> float:
    parts = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    red, green, blue = (p / 12.92 if p <= 0.04045 else ((p + 0.055) / 1.055) ** 2.4 for p in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: str, other: str) -> float:
    light, dark = sorted((luminance(one), luminance(other)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


@pytest.mark.parametrize("dark", [False, True])
class TestContrast:
    @pytest.mark.parametrize(
        ("text", "ground"),
        [
            ("ink", "paper"),
            ("mute", "paper"),
            ("mute", "panel"),
            ("on", "paper"),
            ("on", "done"),
            ("on-ink", "on"),
            ("yes", "yes-bg"),
            ("no", "no-bg"),
            ("unsure", "unsure-bg"),
            ("web", "web-bg"),
        ],
    )
    def test_texts_stand_out(self, text: str, ground: str, dark: bool) -> None:
        assert contrast(COLOURS[text][dark], COLOURS[ground][dark]) >= 4.5

    def test_lines_stand_out(self, dark: bool) -> None:
        assert contrast(COLOURS["line"][dark], COLOURS["paper"][dark]) >= 3

    def test_streamlit_s_theme_has_the_same(self, dark: bool) -> None:
        theme = THEME["dark" if dark else "light"]
        names = {
            "primaryColor": "on",
            "backgroundColor": "paper",
            "secondaryBackgroundColor": "panel",
            "textColor": "ink",
            "borderColor": "hair",
            "linkColor": "on",
            "greenTextColor": "yes",
            "redTextColor": "no",
            "yellowTextColor": "unsure",
            "violetTextColor": "web",
        }
        assert {k: theme[k] for k in names} == {k: COLOURS[name][dark] for k, name in names.items()}

    def test_a_file_has_plain_colours(self, dark: bool) -> None:
        css = fixed(diagram_css(), dark=dark)
        assert "var(" not in css
        assert COLOURS["on"][dark] in css


def test_every_colour_that_the_diagram_uses_is_declared() -> None:
    for part in diagram_css().split("var(")[1:]:
        assert f"{part.split(')')[0]}:light-dark(" in tokens()


def test_the_stylesheet_has_a_rule_for_each_width() -> None:
    for width in WIDTHS:
        assert f"@container (max-width: {width}px) {{ .from{width} > .wide" in diagram_css()


def test_a_screen_of_1280_pixels_shows_every_graph_across() -> None:
    padding, scrollbar = 40, 17
    assert WIDTHS[-1] < 1280 - 2 * padding - scrollbar
