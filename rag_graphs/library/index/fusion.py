"""Several rankings made one, and near copies left out."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

_RANK_CONSTANT = 60  # of reciprocal rank fusion, as in the paper that introduced it (Cormack and others, 2009)
_NEAR = 0.9  # share of common tokens above which two chunks of different pages are one


def fuse(rankings: Iterable[Sequence[str]]) -> dict[str, float]:
    """The sum of reciprocal ranks of each id over the rankings."""
    fused: dict[str, float] = {}
    for ranking in rankings:
        for rank, name in enumerate(ranking, start=1):
            fused[name] = fused.get(name, 0.0) + 1.0 / (_RANK_CONSTANT + rank)
    return fused


def without_copies(
    ranked: Sequence[str], words: Mapping[str, frozenset[str]], page: Mapping[str, str], most: int
) -> list[str]:
    """The first `most` ids, without those that nearly repeat a better one of another page."""
    kept: list[str] = []
    for name in ranked:
        if len(kept) == most:
            break
        if not any(page[name] != page[other] and _alike(words[name], words[other]) for other in kept):
            kept.append(name)
    return kept


def _alike(one: frozenset[str], other: frozenset[str]) -> bool:
    return len(one & other) >= _NEAR * max(len(one | other), 1)
