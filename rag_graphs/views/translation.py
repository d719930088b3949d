"""Translate the words on the screen: every string goes through these two functions, so that another language needs no change
of code."""

from __future__ import annotations

import gettext
from functools import cache
from pathlib import Path

LOCALES = Path(__file__).parent.parent / "locale"


@cache
def _translations() -> gettext.NullTranslations:
    return gettext.translation("rag_graphs", LOCALES, fallback=True)


def _(message: str) -> str:
    """Return the message in the language of the screen."""
    return _translations().gettext(message)


def plural(count: int, one: str, many: str, **names: object) -> str:
    """Return `count` with its noun: plural(2, "{n} page", "{n} pages") is "2 pages". `names` fill further places."""
    return _translations().ngettext(one, many, count).format(n=count, **names)
