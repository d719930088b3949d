"""Which language a text is in. Scripts decide first, then function words (the better witness in a short question), and
only then a statistical model."""

from __future__ import annotations

import re
import threading
from collections import Counter
from functools import cache, lru_cache
from typing import Any

from rag_graphs.language.function_words import fold, function_words

SAMPLE = 2000
"""Characters that are looked at."""

_SCRIPTS = (
    ("hangul", re.compile(r"[\u1100-\u11ff\u3131-\u318e\uac00-\ud7a3]")),
    ("kana", re.compile(r"[\u3041-\u30fa\u30fc-\u30ff\uff66-\uff9d]")),
    ("han", re.compile(r"[\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff]")),
    ("cyrillic", re.compile(r"[\u0400-\u052f]")),
    ("arabic", re.compile(r"[\u0620-\u064a\u066e-\u06d3\u0750-\u077f]")),
    ("hebrew", re.compile(r"[\u05d0-\u05ea]")),
    ("greek", re.compile(r"[\u0370-\u03ff]")),
    ("thai", re.compile(r"[\u0e01-\u0e5b]")),
    ("devanagari", re.compile(r"[\u0900-\u097f]")),
    ("latin", re.compile(r"[A-Za-z\u00c0-\u024f]")),
)
_ONE_LANGUAGE = {"hebrew": "he", "greek": "el", "thai": "th"}
_CANDIDATES = {
    "cyrillic": ("ru", "uk", "bg", "sr", "be"),
    "arabic": ("ar", "fa", "ur"),
    "devanagari": ("hi", "mr", "ne"),
    "latin": (
        *("en", "es", "nl", "de", "fr", "it", "pt", "sv", "da", "no", "fi", "pl", "cs", "sk", "sl", "hr", "hu", "ro"),
        *("tr", "vi", "id", "ca", "et", "lt", "lv"),
    ),
}
_USUAL = {"cyrillic": "ru", "arabic": "ar", "devanagari": "hi", "latin": ""}
_LATIN_LISTS = ("en", "es", "nl", "de", "fr", "it", "pt")
_WORD = re.compile(r"[^\W\d_]+")
_lock = threading.Lock()


@lru_cache(maxsize=4096)
def detect_language(text: str) -> str:
    """The ISO 639-1 code of the language that most of a text is in; "" where the text does not tell."""
    sample = text[:SAMPLE]
    counts = {name: len(pattern.findall(sample)) for name, pattern in _SCRIPTS}
    letters = sum(counts.values())
    if not letters:
        return ""
    if _cjk := _east_asian(counts, letters):
        return _cjk
    script = max(counts, key=counts.__getitem__)
    if script in _ONE_LANGUAGE:
        return _ONE_LANGUAGE[script]
    if script == "latin" and (by_words := _by_function_words(sample)):
        return by_words
    return _by_model(sample, script)


def _east_asian(counts: dict[str, int], letters: int) -> str:
    """A few Latin names do not make a Korean question English, and one Han character no English text Chinese. A syllable
    or a Han character weighs about as much as two and a half letters."""
    hangul, kana, han = counts["hangul"], counts["kana"], counts["han"]
    rest = (letters - hangul - kana - han) / 2.5
    if hangul and hangul >= max(kana + han, rest * 0.7):
        return "ko"
    if kana + han and kana + han >= max(hangul, rest * 0.7):
        return "ja" if kana >= 0.1 * (kana + han) else "zh"
    return ""


def _by_function_words(text: str) -> str:
    """The language whose function words are the most, if it leads clearly."""
    words = Counter(fold(w) for w in _WORD.findall(text))
    hits = {code: sum(n for w, n in words.items() if w in function_words(code)) for code in _LATIN_LISTS}
    first, second = sorted(hits.values(), reverse=True)[:2]
    clear = first >= 2 * second if first < 8 else first >= 1.3 * second
    enough = first >= max(1, 0.12 * sum(words.values()))
    return max(hits, key=hits.__getitem__) if first and clear and enough else ""


def _by_model(text: str, script: str) -> str:
    candidates, needed = _CANDIDATES.get(script, ()), _needed_share(text)
    if not candidates or needed > 1:
        return _USUAL.get(script, "")
    with _lock:
        ranked = dict(_identifier().rank(text))
    code = max(candidates, key=lambda c: ranked.get(c, 0.0))
    share = ranked.get(code, 0.0) / (sum(ranked.get(c, 0.0) for c in candidates) or 1.0)
    return code if share >= needed else _USUAL[script]


def _needed_share(text: str) -> float:
    """A word or two could be of any language: a name, a term."""
    count = len(_WORD.findall(text))
    return 2.0 if count < 3 else 0.8 if count < 6 else 0.5


@cache
def _identifier() -> Any:
    from py3langid.langid import MODEL_FILE, LanguageIdentifier

    return LanguageIdentifier.from_model_file(MODEL_FILE, norm_probs=True)
