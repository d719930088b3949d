"""Text helpers that every lexical part shares: tokens, content words, sentences. Never raises on any string."""

from __future__ import annotations

import re
import threading
import unicodedata
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import Any

from rag_graphs.language.function_words import (
    all_function_words,
    asking_words,
    fold,
    function_words,
    purpose_words,
)
from rag_graphs.language.language import detect_language
from rag_graphs.language.word_lists import word_lists

__all__ = [
    "Word",
    "block_spans",
    "blocks",
    "content_words",
    "detect_language",
    "sentence_spans",
    "sentences",
    "tokens",
    "trimmed",
    "unspaced",
    "words",
]

_UNSPACED = r"\u3041-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\u0e00-\u0e7f\u0e80-\u0eff\u1000-\u109f\u1780-\u17ff"
_LETTER = rf"[^\W\d_\uac00-\ud7a3{_UNSPACED}]"
_PIECE = re.compile(
    rf"(?P<hangul>[\uac00-\ud7a3]+)|(?P<single>[{_UNSPACED}])"
    rf"|(?P<number>\d+)(?!\d|{_LETTER})|(?P<letters>(?:{_LETTER}|\d)+)"
)
_ALONE = re.compile(f"[{_UNSPACED}]")
_ARABIC_PREFIX = re.compile("^(?:وال|بال|كال|فال|ال|لل|و(?=...))(?=..)")
_ARABIC_SUFFIX = re.compile("(?<=...)(?:ها|ان|ات|ون|ين|يه|ية|ه|ة|ي)$")
_MARKS = ("?", "？", "؟")
_QUESTION = 1000  # characters; a longer text is no question, and patterns on it would be slow
_stem_lock = threading.Lock()


@dataclass(frozen=True)
class Word:
    """A word as it is written (a Korean one without its particle) and the lexical tokens that stand for it."""

    surface: str
    tokens: tuple[str, ...]


@cache
def _particles() -> tuple[str, ...]:
    return word_lists(__file__, "particles").words("ko", "words")


@cache
def _particle() -> re.Pattern[str]:
    return re.compile(f"(?<=..)(?:{'|'.join(_particles())})$")


@lru_cache(maxsize=8192)
def _words(text: str) -> tuple[Word, ...]:
    found = []
    plain = unicodedata.normalize("NFC", _join_marks(text))
    for match in _PIECE.finditer(plain):
        surface = match.group()
        if match.lastgroup == "hangul":
            surface = _particle().sub("", surface)
        folded = fold(surface)
        if folded:
            found.append(Word(surface, _tokens_of(folded, match.lastgroup or "")))
    return tuple(found)


def words(text: str) -> list[Word]:
    """The words of a text in order. A Chinese, Japanese or Thai character is a word of its own."""
    return list(_words(text))


def unspaced(word: Word) -> bool:
    """Whether the word is a character of a script that puts no spaces between words."""
    return bool(_ALONE.fullmatch(word.surface))


def tokens(text: str) -> list[str]:
    """Lexical tokens in order: case and accents folded, lightly stemmed; Hangul as bigrams without particles; one token
    per Chinese, Japanese or Thai character."""
    return [token for word in _words(text) for token in word.tokens]


def content_words(text: str) -> list[str]:
    """The tokens of the words that carry the subject, each once, in order. Function words of every known language and
    words that only ask ("meaning", "called", "good for") are left out; if nothing else is there, they are
    returned."""
    return [token for word in content(text) for token in word.tokens]


def content(text: str) -> list[Word]:
    """As `content_words`, with the words as they are written."""
    grammar = function_words(detect_language(text)) or all_function_words()
    plain = _distinct(w for w in _words(text) if fold(w.surface) not in grammar and _weighty(w))
    purpose = purpose_words(text) if len(text) <= _QUESTION and text.rstrip().endswith(_MARKS) else []
    asking = [w for w in plain if fold(w.surface) in asking_words() or any(p.fullmatch(w.surface) for p in purpose)]
    return [w for w in plain if w not in asking] or plain


def _weighty(word: Word) -> bool:
    folded = fold(word.surface)
    if "\u3041" <= folded[0] <= "\u309f":
        return False  # hiragana is mostly endings and particles
    if folded in _particles():
        return False  # as after a Latin word: "fan out의"
    return len(folded) > 1 or not folded.isascii() or folded.isdigit()


def _distinct(found: Iterable[Word]) -> list[Word]:
    first: dict[tuple[str, ...], Word] = {}
    for word in found:
        first.setdefault(word.tokens, word)
    return list(first.values())


def _join_marks(text: str) -> str:
    """Vowel signs of Indic scripts are no word characters to `re`: without this they would cut words in two."""
    if text.isascii():
        return text
    return "".join(c for c in text if unicodedata.category(c) not in ("Mn", "Mc", "Cf") or "\u0300" <= c <= "\u036f")


@lru_cache(maxsize=65536)
def _tokens_of(folded: str, kind: str) -> tuple[str, ...]:
    if kind == "hangul":
        return tuple(folded[i : i + 2] for i in range(len(folded) - 1)) or (folded,)
    if kind != "letters":
        return (folded,)
    if "\u0600" <= folded[0] <= "\u06ff":
        return (_ARABIC_SUFFIX.sub("", _ARABIC_PREFIX.sub("", folded)),)
    script = "russian" if "\u0400" <= folded[0] <= "\u04ff" else "english"
    with _stem_lock:  # a snowball stemmer keeps the word that it works on
        return (str(_stemmer(script).stemWord(folded)) or folded,)


@cache
def _stemmer(language: str) -> Any:
    import snowballstemmer

    return snowballstemmer.stemmer(language)


_BLOCK = re.compile(r"\n\s*\n|\n(?=\s*(?:[-*+•|>#]|\d{1,3}[.)]\s|```|~~~))")
_END = re.compile(r"(?<![.!?…])[.!?…]++[\"'”’»)\]]*+(?=\s)|[。！？｡]+[」』”’）)]*|[؟۔।]+")
_OPENS_LOWER = re.compile(r"\s+[a-zà-öø-ÿа-я]")


def sentences(text: str) -> list[str]:
    """The sentences of a text in order, trimmed, nothing lost but white space. Paragraphs, list items, headings and table
    rows end a sentence; an abbreviation, an initial or a decimal point does not."""
    return [" ".join(text[start:end].split()) for start, end in sentence_spans(text)]


def sentence_spans(text: str) -> list[tuple[int, int]]:
    """Where the sentences of a text stand, as (start, end), in order; between them is white space alone."""
    return [span for start, end in block_spans(text) for span in _in_block(text[start:end], start)]


def blocks(text: str) -> list[str]:
    """The paragraphs, list items, headings and table rows of a text, in order."""
    return [text[start:end] for start, end in block_spans(text)]


def block_spans(text: str) -> list[tuple[int, int]]:
    """Where the blocks of a text stand, as (start, end), in order."""
    gaps = [match.span() for match in _BLOCK.finditer(text)]
    starts, ends = [0, *(end for _, end in gaps)], [*(start for start, _ in gaps), len(text)]
    return [(start, end) for start, end in zip(starts, ends, strict=True) if text[start:end].strip()]


def _in_block(block: str, offset: int) -> list[tuple[int, int]]:
    found, start = [], 0
    for match in _END.finditer(block):
        if match.group().startswith(".") and _goes_on(block, start, match):
            continue
        found.append((start, match.end()))
        start = match.end()
    spans = [trimmed(block, a, b) for a, b in [*found, (start, len(block))]]
    return [(offset + a, offset + b) for a, b in spans if a < b]


def trimmed(text: str, start: int, end: int) -> tuple[int, int]:
    """The same span without white space at its ends; an empty one where there is nothing else."""
    part = text[start:end]
    return start + len(part) - len(part.lstrip()), start + len(part.rstrip())


@cache
def _abbreviation() -> re.Pattern[str]:
    known = word_lists(__file__, "abbreviations").all_forms("forms")
    return re.compile(rf"(?:^|[\s(])(?:{known})\.$")


def _goes_on(block: str, start: int, stop: re.Match[str]) -> bool:
    """A full stop after an abbreviation, or before a small letter, ends nothing; after a Korean verb it always does."""
    if "\uac00" <= block[stop.start() - 1 : stop.start()] <= "\ud7a3":
        return False
    before = block[max(start, stop.end() - 12) : stop.end()]
    return bool(_abbreviation().search(before) or _OPENS_LOWER.match(block, stop.end()))
