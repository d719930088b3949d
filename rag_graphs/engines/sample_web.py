"""The search of the bundled sample web: BM25 over whole pages, and of each page the passage that fits best."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache

from rag_graphs.language.bm25 import Bm25
from rag_graphs.language.clean_text import estimate_tokens
from rag_graphs.language.text import content_words, sentences, tokens
from rag_graphs.samples import SamplePage, web_pages

PASSAGE_TOKENS = 250
FLOOR = 0.42
"""Share of the query, by weight, that a page must hold to be a hit; below it a query is unrelated."""


@dataclass(frozen=True, kw_only=True)
class PageHit:
    """A page that a query found, with its best passage. `score`: share of the query that the page holds, 0-1."""

    address: str
    title: str
    heading: str
    text: str
    score: float


@dataclass(frozen=True)
class Passage:
    """A piece of a page, with the heading that it stands under."""

    heading: str
    text: str


def search_pages(query: str, limit: int) -> list[PageHit]:
    """The best `limit` pages, best first; none where no page holds enough of the query."""
    return _web().search(query, limit)


class SampleWeb:
    """A small searchable web. Everything is counted once, when it is made."""

    def __init__(self, pages: Sequence[SamplePage]) -> None:
        self.pages = list(pages)
        self.index = Bm25([tokens(f"{p.title}\n{p.text}") for p in self.pages])

    def search(self, query: str, limit: int) -> list[PageHit]:
        """See `search_pages`."""
        wanted = content_words(query)
        scores = self.index.scores(wanted)
        shares = {i: share for i, share in self.index.shares(wanted).items() if share >= FLOOR}
        best = sorted(shares, key=lambda i: (-scores[i], i))[:limit]
        return [self.hit(i, set(wanted), shares[i]) for i in best]

    def hit(self, index: int, wanted: set[str], share: float) -> PageHit:
        page = self.pages[index]

        def held(passage: Passage) -> float:
            return sum(self.index.weight(t) for t in wanted & set(tokens(f"{passage.heading}\n{passage.text}")))

        best = max(passages(page.text), key=held, default=Passage("", page.text))
        heading = "" if best.heading == page.title else best.heading
        return PageHit(address=page.address, title=page.title, heading=heading, text=best.text, score=round(share, 3))


@cache
def _web() -> SampleWeb:
    return SampleWeb(web_pages())


def passages(markdown: str, limit: int = PASSAGE_TOKENS) -> Iterator[Passage]:
    """The page in pieces of at most `limit` tokens that keep to one heading, in order."""
    heading, kept = "", list[str]()
    for block in markdown.split("\n\n"):
        text = block.strip()
        if text.startswith("#"):
            title, _, text = text.partition("\n")
            yield from _joined(heading, kept)
            heading, kept = title.strip("# ").strip(), []
        for piece in _pieces(text, limit):
            if estimate_tokens("\n\n".join([*kept, piece])) > limit:
                yield from _joined(heading, kept)
                kept = []
            kept.append(piece)
    yield from _joined(heading, kept)


def _pieces(text: str, limit: int) -> list[str]:
    if not text.strip():
        return []
    return [text.strip()] if estimate_tokens(text) <= limit else sentences(text)


def _joined(heading: str, kept: list[str]) -> Iterator[Passage]:
    if kept:
        yield Passage(heading, "\n\n".join(kept))
