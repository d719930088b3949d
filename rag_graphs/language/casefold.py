"""Text made comparable, whatever its case, its accents and its forms of characters."""

from __future__ import annotations

import unicodedata


def fold(text: str) -> str:
    """Compatibility forms unified, case folded, accents and vowel marks dropped; letters of every script are kept."""
    # twice, as Unicode's own compatibility folding has it: a mathematical capital becomes a capital first
    decomposed = text
    for _ in range(2):
        decomposed = unicodedata.normalize("NFKD", decomposed.casefold())
    kept = "".join(
        c for c in decomposed if not ("\u0300" <= c <= "\u036f" or "\u064b" <= c <= "\u0655" or c == "\u0640")
    )
    return unicodedata.normalize("NFC", kept)
