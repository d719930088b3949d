"""The lexical half of a search: BM25 and word statistics over the chunks of a set of sources."""

from __future__ import annotations

import threading
from collections import Counter, OrderedDict
from collections.abc import Callable, Hashable, Sequence
from functools import cached_property

from rag_graphs.graphs.state import Document
from rag_graphs.language.bm25 import Bm25
from rag_graphs.language.lexical import vocabulary
from rag_graphs.language.text import tokens
from rag_graphs.library.types import Statistics

_KEPT = 24  # sets of sources


class Corpus:
    """The chunks of a set of sources, prepared for lexical search. It never changes, so threads may share it."""

    def __init__(self, documents: Sequence[Document], embedders: Sequence[str]) -> None:
        self.documents = {d.id: d for d in documents}
        self.embedder = dict(zip((d.id for d in documents), embedders, strict=True))
        self._ids = [d.id for d in documents]
        self._tokens = [tokens(f"{d.title}\n{d.heading}\n{d.text}") for d in documents]
        self.words = {d.id: frozenset(t) for d, t in zip(documents, self._tokens, strict=True)}

    def lexical(self, query: str) -> dict[str, float]:
        """Return the BM25 score of each chunk that shares a token with the query, best first, equal ones by id."""
        scores = {self._ids[position]: score for position, score in self._bm25.scores(tokens(query)).items()}
        return dict(sorted(scores.items(), key=lambda pair: (-round(pair[1], 9), pair[0])))

    @cached_property
    def statistics(self) -> Statistics:
        """Count in how many chunks each token occurs, and each pair of Chinese or Japanese characters."""
        vocabularies = (vocabulary(f"{d.title}\n{d.heading}\n{d.text}") for d in self.documents.values())
        return Statistics(documents=len(self._ids), frequency=Counter(t for tokens in vocabularies for t in tokens))

    @cached_property
    def _bm25(self) -> Bm25:
        return Bm25(self._tokens)


class Corpora:
    """A cache of the corpora used last. Each is made once, even if several threads ask for it at the same time."""

    def __init__(self) -> None:
        self._kept: OrderedDict[Hashable, Corpus] = OrderedDict()
        self._lock = threading.Lock()

    def get(self, key: Hashable, make: Callable[[], Corpus]) -> Corpus:
        """Return the corpus of this key; `make` makes it if it is not in the cache."""
        with self._lock:
            if key not in self._kept:
                self._kept[key] = make()
            self._kept.move_to_end(key)
            while len(self._kept) > _KEPT:
                self._kept.popitem(last=False)
            return self._kept[key]
