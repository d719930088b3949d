"""Questions for a purpose: "What is it good for?". The words of such a form say what is wanted, not what it is about."""

from __future__ import annotations

import re

_FORMS = (
    (
        r"\bwhat\b.*\b(?:good|used?|useful|meant|intended)\s+for\b|\bwhat\b.*\buse\b.*\bfor\W*$",
        r"good|used?|useful|meant|intended",
    ),
    (
        r"\b(?:wofür|wozu)\b",
        r"wofür|wozu|gut|dien(?:t|en)|verwendet|verwendung|benutzt|benötigt|genutzt|gebraucht|braucht|nützlich",
    ),
    (r"\bwaarvoor\b|\bwaar\b.*\bvoor\b", r"waarvoor|goed|dient|dienen|gebruikt|gebruik|bedoeld|nuttig"),
    (r"\bpara\s+qu[eé]\b", r"sirven?|servem?|usan?|utilizan?|usad[oa]s?|útil(?:es)?"),
    (r"(?:\bà\s+quoi\b|\bpour\s+quoi\b)", r"sert|servent|servir|utile?s?|utilisée?s?|bon(?:ne)?s?"),
    (r"\b(?:a\s+(?:che\s+)?cosa|a\s+che)\b", r"serve|servono|utile|utili|usat[oaie]"),
    (r"\b(?:для\s+чего|зачем)\b", r"нуж[ен]\w*|служ[иа]\w*|использу\w+|применя\w+|полез\w+"),
    (r"(?:어디에|무엇에|뭐에|무슨\s+용도|어떤\s+용도)", r"쓰\w*|쓸\w*|써\w*|사용\w*|용도\w*|좋\w*|유용\w*"),
)
"""How a question for a purpose looks, and the words in it that are part of the form."""

_COMPILED = [(re.compile(form, re.IGNORECASE), re.compile(words, re.IGNORECASE)) for form, words in _FORMS]


def purpose_words(text: str) -> list[re.Pattern[str]]:
    """Patterns of the words that belong to the form of a question for a purpose; none where the text is no such question."""
    return [words for form, words in _COMPILED if form.search(text)]
