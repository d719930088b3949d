"""What kind of answer a question asks for, and whether a text holds one. Twelve languages, by their question words."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Literal

from rag_graphs.engines.builtin.conditions import asks_condition, names_condition
from rag_graphs.language.function_words import all_function_words, fold

Kind = Literal["when", "condition", "who", "number", "where", "what is", "how to", "why", "other"]

_W = r"(?:^|[\s¿¡\"'“«(,])"
_E = r"(?=$|[\s?!.,'’\"”»)؟])"
_ASKS: dict[Kind, tuple[str, str]] = {
    "number": (
        "how (?:many|much|old|tall|long|far|high|deep|fast|often|big|large)|what (?:percentage|percent|number|proportion)|"
        "cu[aá]nt[oa]s?|hoeveel|wie ?viele?|combien|quant[oiae]|quantos|quantas|сколько|كم",
        "몇|얼마나? |얼마[나인]|多少|几[个人年次天]|幾|いくつ|いくら|何[人個回円本]",
    ),
    "when": (
        "when|(?:in |since )?(?:what|which) (?:year|date|day|month|century|decade)|cu[aá]ndo|wanneer|wann|quand|"
        "en quelle ann[ée]e|quando|когда|в каком году|متى",
        "언제|몇 ?년|何年|いつ|什么时候|何时|哪一?年|哪天",
    ),
    "who": (
        "who|whose|whom|qui[eé]n(?:es)?|wie (?:is|was|heeft)|door wie|wer|wessen|wem|wen|(?:^|[àa] |de |par )qui|chi|quem|"
        "кто|кого|кем|кому|من (?:هو|هي|الذي)",
        "누구|누가|谁|誰|だれ",
    ),
    "where": (
        "where|(?:in )?(?:what|which) (?:country|city|town|state|place|region)|d[oó]nde|waar|wo|woher|wohin|où|dove|onde|"
        "где|куда|откуда|أين|اين",
        "어디|哪里|哪儿|在哪|どこ",
    ),
    "why": (
        "why|por qu[eé]|waarom|warum|wieso|weshalb|pourquoi|perch[eé]|почему|зачем|لماذا",
        "왜|为什么|なぜ|どうして",
    ),
    "what is": (
        "what(?:'s|’s| is| are| was| were| does .+ mean)|define|explain|qu[eé] (?:es|son|significa)|wat (?:is|zijn|betekent)|"
        "was (?:ist|sind|bedeutet|hei[sß]+t)|qu['’ ]?est[- ]ce que?|que signifie|c(?:he )?os['’ ]?[eè]|o que (?:é|e|são)|"
        "что (?:такое|значит|означает)|ما (?:هو|هي|معنى)",
        r"뭐야|뭐지|뭔가|무엇|이란|란\?|의미|뜻|정의|什么是|是什么|什么意思|とは|って何|何ですか",
    ),
    "how to": ("how|c[oó]mo|hoe|wie|comment|come|как|كيف", "어떻게|방법|如何|怎么|怎样|どう(?:やって|すれば)"),
    "other": (
        "what|which|qu[eé]|wat|welke?|was|welche[rsmn]?|quoi|quel(?:le)?s?|cosa|quale|que|qual|что|как(?:ой|ая|ие)|ما",
        "",
    ),
}
"""Question words by kind: those that stand between spaces, and those of scripts without spaces."""

_COMPILED = {
    kind: re.compile(rf"{_W}(?:{spaced}){_E}" + (f"|{other}" if other else ""), re.IGNORECASE)
    for kind, (spaced, other) in _ASKS.items()
}

_MONTH = (
    "january|february|march|april|june|july|august|september|october|november|december|januar|februar|märz|mai|juni|juli|"
    "oktober|dezember|enero|febrero|marzo|abril|mayo|junio|julio|agosto|septiembre|octubre|noviembre|diciembre|janvier|février|"
    "mars|avril|juin|juillet|août|septembre|octobre|novembre|décembre|gennaio|febbraio|aprile|maggio|giugno|luglio|settembre|"
    "ottobre|dicembre|janeiro|fevereiro|março|maio|junho|julho|setembro|outubro|dezembro|januari|februari|maart|mei|augustus|"
    "января|февраля|марта|апреля|мая|июня|июля|августа|сентября|октября|ноября|декабря|"
    "يناير|فبراير|مارس|أبريل|مايو|يونيو|يوليو|أغسطس|سبتمبر|أكتوبر|نوفمبر|ديسمبر"
)
_DATE = re.compile(
    rf"(?<!\d)(?:1[0-9]|20|21)\d\d(?!\d)|\b(?:{_MONTH})\b|\d+\s*(?:年|月|日|년|월|일|世纪|世紀|세기|시)|世纪|世紀|세기|"
    r"\b\d{1,4}\s?(?:BC|AD|BCE|CE|a\.m\.|p\.m\.|am|pm)\b|\d{1,2}:\d\d|\b\d{1,2}[./-]\d{1,2}[./-]\d{2,4}\b|"
    r"\b(?:monday|tuesday|wednesday|thursday|friday|saturday|sunday|century|centuries|siglo|siècle|secolo|século|eeuw|"
    r"jahrhundert|century|decade|yesterday|today|tomorrow|ago)\b|век[аеу]?\b|قرن|القرن",
    re.IGNORECASE,
)
_NUMBER = re.compile(
    r"\d|\b(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|twenty|thirty|forty|fifty|hundred|thousand|million|"
    r"billion|half|dozen|twice|once|none|dos|tres|cuatro|cinco|seis|siete|ocho|nueve|diez|cien|mil|zwei|drei|vier|fünf|sechs|"
    r"sieben|acht|neun|zehn|hundert|tausend|deux|trois|quatre|cinq|sept|huit|neuf|dix|cent|mille|due|tre|quattro|cinque|sei|"
    r"sette|otto|nove|dieci|cento|dois|duas|três|quatro|sete|oito|dez|twee|drie|vijf|zes|zeven|negen|tien|honderd|duizend|"
    r"два|две|три|четыре|пять|шесть|семь|восемь|девять|десять|сто|тысяч\w*|миллион\w*)\b|"
    r"[一二三四五六七八九十百千万亿两]|[하한두세네]\s?(?:나|개|명|번|루|점)|다섯|여섯|일곱|여덟|아홉|열|백|천|만|"
    r"واحد|اثنان|ثلاث|أربع|خمس|ست|سبع|ثمان|تسع|عشر|مئة|مائة|ألف|مليون",
    re.IGNORECASE,
)
_NAME = re.compile(
    r"(?<=[\w,;:)] )[\"“«]?[A-ZÀ-ÖØ-ÞА-ЯЁ][\w'’-]+|^[A-ZÀ-ÖØ-ÞА-ЯЁ][\w'’-]+\s+(?:[a-z]{1,3}\s+)?[A-ZÀ-ÖØ-ÞА-ЯЁ]\w+"
)
_WORD = re.compile(r"\w+")
_CITATION = re.compile(r"\[\d+\]")

WANTED: dict[Kind, str] = {
    "when": "a date or a year",
    "condition": "a time or a condition",
    "who": "a name",
    "number": "a number",
    "where": "a place",
}
"""What a question of this kind wants, in words."""


@lru_cache(maxsize=1024)
def kind_of(question: str) -> Kind:
    """The kind of a question by its question words; "other" where they do not tell."""
    plain = " ".join(question.split())
    starts = [(match.start(), kind) for kind, pattern in _COMPILED.items() if (match := pattern.search(plain))]
    kind = min(starts, key=lambda pair: pair[0])[1] if starts else "other"  # the first question word asks
    return "condition" if kind == "when" and asks_condition(plain) else kind


def holds(kind: Kind, text: str, question: str = "") -> bool | None:
    """Whether a text holds the kind of thing that is asked for; None where that cannot be told from its form. What the
    question says itself does not count: the name of a town is no answer to who founded it."""
    plain = _without(_CITATION.sub("", text).strip(), question)
    if kind == "when":
        return bool(_DATE.search(plain))
    if kind == "condition":
        return bool(_DATE.search(plain)) or names_condition(text, question) or None  # other words may say it too
    if kind == "number":
        return bool(_NUMBER.search(plain))
    if kind in ("who", "where"):
        if _NAME.search(plain):
            return True
        opening = (plain.split() or [""])[0]
        return False if kind == "who" and (opening.islower() or fold(opening) in all_function_words()) else None
    return None


def _without(text: str, question: str) -> str:
    """The text with the question's own words in small letters and its numbers left out."""
    asked = {fold(w) for w in _WORD.findall(question)}

    def plainly(match: re.Match[str]) -> str:
        word = match.group()
        return word if fold(word) not in asked else " " if word.isdigit() else word.lower()

    return _WORD.sub(plainly, text) if asked else text
