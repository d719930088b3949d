"""Questions whose "when" asks under which condition something holds, not for a date: "When is a block run?"."""

from __future__ import annotations

import re

from rag_graphs.language.text import detect_language

_PRESENT = (
    r"when\s+(?:is|are|isn['’]t|aren['’]t|do|does|don['’]t|doesn['’]t|can|can['’]t|cannot|should|must|may|to)\b",
    r"\bwann\s+(?:wird|werden|kann|können|soll|sollen|sollte|sollten|muss|müssen|darf|dürfen|ist|sind|(?!\w+te\b)\w+\s+man)\b",
    r"\bwanneer\s+(?:wordt|worden|kan|kunnen|moet|moeten|mag|mogen|is|zijn)\b",
    r"\bquand\s+(?:est|sont|peut|peuvent|doit|doivent|faut|utilise|convient)\b",
    r"\bcu[aá]ndo\s+(?:es|son|está|están|debe|deben|debo|puede|pueden|puedo|conviene|hay que|usar|"
    r"se\s+(?!\w+(?:aba|aban|ía|ían)\b)\w+(?:a|e|an|en))\b",
    r"\bquando\s+(?:è|sono|può|possono|deve|devono|bisogna|conviene|usare|si\s+(?!\w+(?:[aei]va|[aei]vano|[aei]rono)\b)"
    r"\w+(?:a|e|ano|ono))\b",
    r"\bquando\s+(?:é|são|pode|podem|posso|deve|devem|devo|convém|usar|"
    r"se\s+(?!\w+(?:ava|avam|ia|iam|[aei]ram)\b)\w+(?:a|e|am|em))\b",
    r"\bкогда\s+(?:нужно|надо|следует|можно|стоит|(?:\w+\s+){0,3}?\w+(?:ется|ются|ится|ятся))\b",
    r"متى\s+(?:ي\w{2,}|[تنأ]ستخدم\w*|تكون)",
    r"(?:什么时候|何时)(?:应|该|需要|可以|能|会|要|必须|适合|使用|用|调用|执行|运行)|(?:应该|需要|可以)在?(?:什么时候|何时)",
    r"いつ.*(?:べき|ます|[るうくすつぬむぐぶい])(?:です)?(?:の(?:です)?)?か?[\s?？。]*$",
    r"언제\s+\S.*[나가까니냐요지해돼아어써와워줘다][\s?？.!]*$",
)
"""A question word for time with a verb in the present. Where the question word itself is the predicate ("생일이 언제야?"), a date
is asked for."""

_ONE_EVENT = re.compile(
    r"\b(?:wann|wanneer)\s+(?:ist|sind|is|zijn)\b.*\b(?:\w{0,5}ge\w+(?:t|d|en)|(?:ver|be|ent|er|zer|ont|over)\w+(?:t|d|en))[\s?.!]*$"
    r"|\bquand\b.*\b(?:n[ée]e?s?|morte?s?|décédée?s?|devenue?s?|arrivée?s?|parti?e?s?|a|ont|avait|fut|furent)\b"
    r"|\bquando\b.*\b(?:stat|nat|mort|avvenut|success|iniziat|finit|scoppiat|diventat|arrivat|uscit|cadut)[oaie]\b"
    r"|\b(?:born|founded|invented|released|next|due|scheduled)[\s?.!]*$|\bwhen\s+(?:is|are)\s+\w+\s+next\b",
    re.IGNORECASE,
)
"""Forms that look like a present and ask for one event."""

_ASKS = re.compile("|".join(_PRESENT), re.IGNORECASE)

_CLAUSES = {
    "en": r"\b(?:when|whenever|before|after|until|once|if|unless|whether|while|during|as (?:soon|long) as|every time)\b",
    "de": r"\b(?:wenn|sobald|bevor|nachdem|falls|solange|während|sofern|ehe|bis)\b",
    "nl": r"\b(?:wanneer|als|zodra|voordat|nadat|zolang|tenzij|terwijl|totdat)\b",
    "fr": r"\b(?:quand|lorsqu\w*|si|s['’]ils?|avant|après|jusqu\w*|dès|tant qu\w*|pendant)\b",
    "es": r"\b(?:cuando|si|antes|después|hasta|mientras|siempre que|en cuanto)\b",
    "it": r"\b(?:quando|se|prima|dopo|finché|mentre|appena)\b",
    "pt": r"\b(?:quando|caso|antes|depois|até|enquanto|assim que)\b",
    "ru": r"\b(?:когда|если|перед|после|пока|как только)\b",
    "ar": r"\b(?:عندما|إذا|اذا|قبل|بعد|حين|حتى|كلما)\b",
    "zh": r"当|時|时|如果|若|之前|之后|以前|以后|直到",
    "ja": r"とき|時|場合|前に|後に|たら|れば|なら|まで",
    "ko": r"때|면\b|면[,\s]|전에|후에|뒤에|동안|경우",
}
"""What opens a clause of time or condition. By language: "si" is "if" in Spanish and "oneself" in Italian."""

_COMPILED = {language: re.compile(pattern, re.IGNORECASE) for language, pattern in _CLAUSES.items()}


def asks_condition(question: str) -> bool:
    """Whether a question with a word for "when" asks for a condition: its verb is in the present, and it is not about one
    event of the past or of the calendar."""
    plain = " ".join(question.split())
    return bool(_ASKS.search(plain)) and not _ONE_EVENT.search(plain) and not _korean_past(plain)


def names_condition(text: str, question: str) -> bool:
    """Whether a text holds a clause of time or condition, in the text's language or else in that of the question."""
    language = detect_language(text) or detect_language(question)
    return bool(_COMPILED.get(language, _COMPILED["en"]).search(text))


def _korean_past(question: str) -> bool:
    """The last word has a syllable that ends in a double s ("지어졌나요"), which marks the past, except in "있" and "겠"."""
    last = question.rsplit(maxsplit=1)[-1] if "언제" in question else ""
    return any("가" <= c <= "힣" and (ord(c) - 0xAC00) % 28 == 20 and c not in "있겠" for c in last)
