"""Named lists of public addresses, for a first library with real pages. They are offered, never loaded unasked."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from functools import cache
from importlib.resources import files


@dataclass(frozen=True, kw_only=True)
class Starter:
    """Web addresses on one theme."""

    key: str
    title: str
    summary: str
    addresses: tuple[str, ...]


@cache
def starters() -> tuple[Starter, ...]:
    """The lists in the order in which they are offered."""
    text = files(__package__).joinpath("starters.toml").read_text(encoding="utf-8")
    return tuple(Starter(**{**entry, "addresses": tuple(entry["addresses"])}) for entry in tomllib.loads(text)["list"])
