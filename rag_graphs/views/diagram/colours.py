"""Name the colours, each for light and for dark. Text on its ground has a contrast of 5.2:1 or more, lines 3.6:1."""

from __future__ import annotations

COLOURS: dict[str, tuple[str, str]] = {
    "ink": ("#1b2130", "#e9ecf3"),
    "mute": ("#505a6d", "#b1bac9"),
    "line": ("#7c879b", "#78849a"),
    "hair": ("#d9dee8", "#323a49"),
    "paper": ("#ffffff", "#10141c"),
    "panel": ("#f3f5f9", "#1a202b"),
    "on": ("#2a56d8", "#9cb8ff"),
    "on-ink": ("#ffffff", "#0d1220"),
    "done": ("#e8eefd", "#1d2b4f"),
    "yes": ("#086444", "#7be0b6"),
    "yes-bg": ("#e2f5ec", "#12352a"),
    "no": ("#a5261f", "#ffaaa3"),
    "no-bg": ("#fdeae8", "#431e1d"),
    "unsure": ("#7a5200", "#f5d17c"),
    "unsure-bg": ("#fdf3d8", "#3a2e10"),
    "web": ("#5f33ad", "#d0baff"),
    "web-bg": ("#f1eafc", "#2f2350"),
}
"""One blue means the run; green, red and yellow are for verdicts only, violet is for the web."""


def tokens() -> str:
    """Return the colours as custom properties (--rg-ink …) that follow the page's colour scheme."""
    return ":root{" + "".join(f"--rg-{name}:light-dark({a},{b});" for name, (a, b) in COLOURS.items()) + "}"


def fixed(css: str, *, dark: bool) -> str:
    """Return `css` with each var(--rg-…) replaced by its colour: programs other than browsers do not know variables."""
    for name, pair in COLOURS.items():
        css = css.replace(f"var(--rg-{name})", pair[dark])
    return css
