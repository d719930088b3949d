"""The types of a table that compares a family's paper with what is done here."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, kw_only=True)
class Here:
    """What this project does, and the keys of the strategies that do it; without keys, all of the family do."""

    says: str
    keys: tuple[str, ...] = ()


@dataclass(frozen=True, kw_only=True)
class ParityRow:
    """One aspect: what the paper does and in which section (`where`, "" if none is named), what common LangGraph versions do,
    and what is done here."""

    aspect: str
    paper: str
    where: str = ""
    common: str
    here: tuple[Here, ...]


@dataclass(frozen=True, kw_only=True)
class Parity:
    """A family's table. `arxiv`: the paper's number there."""

    family: str
    paper: str
    arxiv: str
    rows: tuple[ParityRow, ...]
