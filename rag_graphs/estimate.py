"""How many tokens a text may have, without any model's vocabulary: enough to fill a context window with a margin."""

from __future__ import annotations

import re

_WIDE = re.compile(r"[\u0e00-\u0eff\u1100-\u11ff\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af\uf900-\ufaff]")
_LATIN = re.compile(r"[\x00-\u024f]")


def estimate_tokens(text: str) -> int:
    """About 4 characters a token for Latin scripts, 2.5 for other alphabets, 1 for ideographs, kana, Hangul and Thai."""
    wide = len(_WIDE.findall(text))
    latin = len(_LATIN.findall(text))
    return round(wide + latin / 4 + (len(text) - wide - latin) / 2.5)
