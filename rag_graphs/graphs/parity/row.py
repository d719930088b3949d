"""What a table of parity is made of."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, kw_only=True)
class Here:
    """What is done here, and by which strategies; no keys: by all of the family."""

    says: str
    keys: tuple[str, ...] = ()


@dataclass(frozen=True, kw_only=True)
class ParityRow:
    """One aspect: what the paper does and `where` it says so ("" where no section is named), what common LangGraph versions
    do, and what is done here."""

    aspect: str
    paper: str
    where: str = ""
    common: str
    here: tuple[Here, ...]


@dataclass(frozen=True, kw_only=True)
class Parity:
    """A family's table. `arxiv`: the number of the paper."""

    family: str
    paper: str
    arxiv: str
    rows: tuple[ParityRow, ...]
