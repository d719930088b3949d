"""The built-in rewriter: key phrases of the question, widened with terms of what was found. It knows no synonyms and does not
claim to: each rewrite says what it did."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterator

from rag_graphs.engines.builtin.evidence import language_of
from rag_graphs.engines.builtin.keywords import keywords, other_keywords
from rag_graphs.graphs.components import RewriteRequest
from rag_graphs.graphs.state import Document, Rewrite
from rag_graphs.language.clean_text import shorten
from rag_graphs.language.lexical import Idf, terms, vocabulary
from rag_graphs.language.text import Word, content, detect_language, words
from rag_graphs.library.index.vector_cache import Vectors

_CANDIDATES = 24
_ADDED = 2
_KOREAN_VERB = re.compile(r"[가-힣](?:다|요|고|며|면|게|서|지|하는|되는|있는|없는|할|될|한|된|해|돼)$")


def rewrite(request: RewriteRequest, *, embedder: str, vectors: Vectors, idf: Idf) -> Rewrite:
    """A query that differs from all before it."""
    tried = {_same(q) for q in request.queries}
    for query, note in _ideas(request, embedder, vectors, idf):
        cut = _cut(query)
        if cut and _same(cut) not in tried:
            return Rewrite(query=cut, note=note)
    last = request.question.replace(",", " ") if request.aim == "keywords" else request.question
    return Rewrite(query=_cut(f"{last} {len(request.queries)}"), note="No other words were left to try.")


def _ideas(request: RewriteRequest, embedder: str, vectors: Vectors, idf: Idf) -> Iterator[tuple[str, str]]:
    if request.aim == "keywords":
        yield from _keyword_ideas(request, embedder, vectors, idf)
        return
    keys = key_phrase(request.question)
    yield keys, f"Kept the key words of the question: {keys}."
    if request.aim == "web":
        yield (
            f"{keys} {_ask_for(request.question)}".strip(),
            "Kept the key words and said what kind of answer is wanted.",
        )
    near = _terms_near(request, embedder, vectors, idf)
    for start in range(0, len(near), _ADDED):
        added = " ".join(near[start : start + _ADDED])
        yield f"{keys} {added}", f"Widened the key words with terms of what was found: {added}."
    words = keys.split()
    for word in sorted(words, key=lambda w: -max((idf(t) for t in vocabulary(w)), default=0.0)):
        yield word, f"Searched for the rarest key words alone: {word}."
    yield " ".join(reversed(words)), "Turned the order of the key words around."
    yield request.question, "Went back to the question as it was asked."


def _keyword_ideas(request: RewriteRequest, embedder: str, vectors: Vectors, idf: Idf) -> Iterator[tuple[str, str]]:
    first = keywords(request.question, idf)
    yield ", ".join(first), f"Kept the keywords of the question: {', '.join(first)}."
    for chosen, note in other_keywords(first, _terms_near(request, embedder, vectors, idf)):
        yield ", ".join(chosen), note


def key_phrase(question: str) -> str:
    """The words of a question that carry its subject, as written and in order; the question itself if there are none."""
    kept = {w.surface for w in content(question)}
    if any(len(w) == 1 and not w.isascii() for w in kept):  # Chinese and Japanese are not written in words
        return " ".join(t.surface for t in terms(question)) or question
    return " ".join(dict.fromkeys(w.surface for w in content(question))) or question


def _ask_for(question: str) -> str:
    return "explained" if question.isascii() else ""


def _terms_near(request: RewriteRequest, embedder: str, vectors: Vectors, idf: Idf) -> list[str]:
    """Words that the found documents in the question's language use more than once or in their titles: rare elsewhere first,
    and of these the nearest in meaning."""
    known = vocabulary(request.question)
    weight: defaultdict[str, float] = defaultdict(float)
    for rank, document in enumerate(d for d in request.found if _same_language(request.question, d)):
        named = vocabulary(f"{document.title} {document.heading}")
        counted = Counter(token for word in words(document.text) for token in word.tokens[:1])
        for word in content(f"{document.title}\n{document.heading}\n{document.text[:1500]}"):
            often = counted[word.tokens[0]] > 1 or word.tokens[0] in named
            if often and _is_term(word) and not set(word.tokens) & known:
                weight[word.surface.casefold()] += idf(word.tokens[0]) / (1 + rank)
    candidates = sorted(weight, key=lambda w: -weight[w])[:_CANDIDATES]
    if not candidates:
        return []
    asked = vectors.query(embedder, request.question)
    near = zip(candidates, vectors.sentences(embedder, candidates), strict=True)
    return [word for word, vector in sorted(near, key=lambda pair: -float(pair[1] @ asked))]


def _same_language(question: str, document: Document) -> bool:
    """A word or two do not tell their language; then documents in the same script are taken."""
    asked, written = detect_language(question), language_of(document)
    if asked and written:
        return asked == written
    return _in_latin(question) == _in_latin(document.text)


def _in_latin(text: str) -> bool:
    letters = [c for c in text[:1000] if c.isalpha()]
    return 2 * sum(c < "\u0250" for c in letters) >= len(letters)


def _is_term(word: Word) -> bool:
    """Long enough, no number, and no Korean verb."""
    hangul = "\uac00" <= word.surface[0] <= "\ud7a3"
    return (
        len(word.surface) >= (2 if hangul else 3)
        and not word.surface.isdigit()
        and not _KOREAN_VERB.search(word.surface)
    )


def _same(query: str) -> str:
    return " ".join(query.casefold().split())


def _cut(query: str) -> str:
    return shorten(" ".join(query.split()))
