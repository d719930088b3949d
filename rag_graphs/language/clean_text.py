"""Texts on their way to a service: queries cleaned of what models wrap around them and cut to what searches take, and how
many tokens a text may have."""

from __future__ import annotations

import json
import re

MAX_QUERY = 400
"""Characters that Tavily accepts in a query; other services are less strict."""

_QUOTES = "\"'`“”„‟‘’‚‛«»‹›「」『』《》〈〉"
_CONTROL = re.compile(r"[\x00-\x1f\x7f\u2028\u2029\ud800-\udfff]+")
"""What no query holds; no encoder takes half of a surrogate pair, which JSON can write."""

_WIDE = re.compile(r"[\u0e00-\u0eff\u1100-\u11ff\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af\uf900-\ufaff]")
_LATIN = re.compile(r"[\x00-\u024f]")


def clean_query(text: str, limit: int = MAX_QUERY) -> str:
    """The query alone: one line, without quotes or JSON around it, cut to `limit` characters."""
    line = " ".join(_CONTROL.sub(" ", _out_of_json(text.strip())).split())
    while len(line) > 1 and line[0] in _QUOTES and line[-1] in _QUOTES and not _quoted_inside(line):
        line = line[1:-1].strip()
    return shorten(line, limit)


def shorten(text: str, limit: int = MAX_QUERY) -> str:
    """`text` cut to at most `limit` characters, at a word where there is one in the last quarter."""
    text = text.strip()
    if len(text) <= limit:
        return text
    end = text.rfind(" ", limit - limit // 4, limit + 1)
    return text[: end if end > 0 else limit].rstrip()


def cut(text: str, limit: int) -> str:
    """`text` as it is, or shortened with an ellipsis at its end; at most `limit` characters in any case."""
    return text if len(text) <= limit else f"{shorten(text, limit - 1)}…"


def estimate_tokens(text: str) -> int:
    """About 4 characters a token for Latin scripts, 2.5 for other alphabets, 1 for ideographs, kana, Hangul and Thai."""
    wide = len(_WIDE.findall(text))
    latin = len(_LATIN.findall(text))
    return round(wide + latin / 4 + (len(text) - wide - latin) / 2.5)


def _quoted_inside(line: str) -> bool:
    """Whether the outer quotes belong to two phrases, as in "this" and "that"."""
    return line[0] in line[1:-1] and line[-1] in line[1:-1]


def _out_of_json(text: str) -> str:
    """The query of {"query": "…"}, ["…"] or a JSON string; any other text as it is."""
    if text[:1] not in ("{", "[", '"'):
        return text
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        return text
    if isinstance(value, dict):
        value = value.get("query", next(iter(value.values()), ""))
    if isinstance(value, list):
        value = next((v for v in value if isinstance(v, str)), "")
    return value if isinstance(value, str) and value.strip() else text
