"""Merging several rankings into one, and leaving out near duplicates."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

_RANK_CONSTANT = 60  # of reciprocal rank fusion, as in the paper that introduced it (Cormack and others, 2009)
_NEAR = 0.9  # share of common tokens from which two chunks of different pages count as near duplicates


def fuse(rankings: Iterable[Sequence[str]]) -> dict[str, float]:
    """Return for each id the sum of its reciprocal ranks over the rankings."""
    fused: dict[str, float] = {}
    for ranking in rankings:
        for rank, name in enumerate(ranking, start=1):
            fused[name] = fused.get(name, 0.0) + 1.0 / (_RANK_CONSTANT + rank)
    return fused


def without_copies(
    ranked: Sequence[str], words: Mapping[str, frozenset[str]], page: Mapping[str, str], most: int
) -> list[str]:
    """Return the first `most` ids, without near duplicates of a better one from another page."""
    best: list[str] = []
    for name in ranked:
        if len(best) == most:
            break
        if not any(page[name] != page[other] and _alike(words[name], words[other]) for other in best):
            best.append(name)
    return best


def _alike(one: frozenset[str], other: frozenset[str]) -> bool:
    return len(one & other) >= _NEAR * max(len(one | other), 1)
