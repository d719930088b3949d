"""Small pictures drawn by ourselves, as inline SVG in the colour of the text: nothing is fetched for them."""

_SHAPES = {
    "yes": "M3.5 8.5l3 3 6-7",
    "no": "M4 4l8 8M12 4l-8 8",
    "part": "M3.5 8h9",
    "unclear": "M5.6 6a2.4 2.4 0 1 1 3.3 2.2c-.6.3-.9.7-.9 1.5M8 12.2v.1",
    "busy": "M4.5 2.5h7M4.5 13.5h7M5.5 2.5v2.2L8 8l2.5-3.3V2.5M5.5 13.5v-2.2L8 8l2.5 3.3v2.2",
    "waiting": "M8 2.2a5.8 5.8 0 1 1 0 11.6a5.8 5.8 0 0 1 0-11.6M8 4.8V8l2.2 1.4",
    "web": "M8 2.2a5.8 5.8 0 1 1 0 11.6a5.8 5.8 0 0 1 0-11.6M2.4 8h11.2M8 2.2c-3.4 3.4-3.4 8.2 0 11.6c3.4-3.4 3.4-8.2 0-11.6",
    "plain": "M4.5 2.5h4.2l2.8 2.8v8.2h-7zM8.5 2.5v3h3",
    "new": "M8 3v10M3 8h10",
    "more": "M4 6.2l4 4 4-4",
    "stop": "M8 2.2a5.8 5.8 0 1 1 0 11.6a5.8 5.8 0 0 1 0-11.6M6 6h4v4H6z",
}


def icon(name: str) -> str:
    """The icon's markup. It is decoration: a word always stands beside it."""
    return f'<svg class="ic" viewBox="0 0 16 16" width="16" height="16" aria-hidden="true"><path d="{_SHAPES[name]}"/></svg>'
