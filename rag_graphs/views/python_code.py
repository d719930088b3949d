"""Write Python code as HTML: escaped, with keywords, names of definitions, texts and comments marked. Python's own
`tokenize` reads it."""

from __future__ import annotations

import html
import io
import keyword
import tokenize
from functools import lru_cache

TEXTS = {tokenize.STRING, *(getattr(tokenize, n, -1) for n in ("FSTRING_START", "FSTRING_MIDDLE", "FSTRING_END"))}


@lru_cache(maxsize=256)
def python_html(code: str) -> str:
    """Return the code in one line of HTML; its line ends are `<br>`. Code that Python cannot read is only escaped."""
    try:
        tokens = list(tokenize.generate_tokens(io.StringIO(code).readline))
    except (tokenize.TokenError, SyntaxError):
        return _plain(code)
    lines = code.splitlines(keepends=True)
    starts = [0]
    for line in lines:
        starts.append(starts[-1] + len(line))
    parts, at, before = [], 0, ""
    for token in tokens:
        if token.type in (tokenize.ENDMARKER, tokenize.NEWLINE, tokenize.NL, tokenize.INDENT, tokenize.DEDENT):
            continue
        begin, end = (starts[min(row - 1, len(lines))] + column for row, column in (token.start, token.end))
        parts += [_plain(code[at:begin]), _marked(code[begin:end], _kind(token, before))]
        at, before = max(at, end), token.string
    return "".join([*parts, _plain(code[at:].rstrip())])


def _kind(token: tokenize.TokenInfo, before: str) -> str:
    if token.type == tokenize.COMMENT or (token.type == tokenize.STRING and token.string.startswith('"""')):
        return "c"
    if token.type in TEXTS:
        return "s"
    if token.type == tokenize.NAME:
        return "k" if keyword.iskeyword(token.string) else "d" if before in ("def", "class") else ""
    return ""


def _marked(code: str, kind: str) -> str:
    return f'<span class="{kind}">{_plain(code)}</span>' if kind else _plain(code)


def _plain(code: str) -> str:
    """Escape a piece of code, with line ends and colons written otherwise: a blank line would end the HTML block, and
    Streamlit looks for icon codes between colons."""
    return html.escape(code).replace(":", "&#58;").replace("\n", "<br>")
