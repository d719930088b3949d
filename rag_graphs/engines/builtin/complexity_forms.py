"""Forms of questions that one search rarely answers, by what they ask for. English in detail, the others by their commonest
forms."""

from __future__ import annotations

import re
from typing import Literal

Form = Literal["compares", "asks about both", "goes through another", "describes another", "asks twice"]

WHY: dict[Form, str] = {
    "compares": "It compares two things, and each has to be found",
    "asks about both": "It asks the same of two things, and each has to be found",
    "goes through another": "What it asks about is only named by its relation to something else, which has to be "
    "found first",
    "describes another": "It describes something instead of naming it, which has to be found first",
    "asks twice": "It asks more than one thing",
}

_RELATION = (
    r"(?:director|author|writer|founder|inventor|composer|singer|performer|creator|producer|publisher|owner|"
    r"manufacturer|maker|"
    r"employer|mother|father|parents?|wife|husband|spouse|son|daughter|child|children|brother|sister|birthplace|"
    r"place of birth|"
    r"place of death|home ?town|capital|leader|president|editor|designer|architect|discoverer|(?:founding |band "
    r")?member|star|"
    r"screenwriter|lyricist|predecessor|successor|teacher|student|coach)s?"
)
_KIN = (
    r"(?:(?:mother|father|brother|sister|son|daughter)-in-law|grand(?:father|mother|son|daughter|child|parents?)|"
    r"uncle|aunt|"
    r"cousin|nephew|niece)"
)
_THING = (
    r"(?:city|town|village|country|state|province|county|region|island|continent|place|person|man|woman|actor|"
    r"actress|author|"
    r"writer|singer|director|player|scientist|king|queen|company|organi[sz]ation|studio|band|team|club|university|"
    r"school|college|"
    r"film|movie|book|novel|song|album|series|show|game|language|river|party)"
)
_MORE = (
    r"(?:older|younger|bigger|larger|smaller|longer|shorter|taller|higher|lower|earlier|later|sooner|faster|slower|"
    r"heavier|better|"
    r"closer|nearer|first|last|more|less|fewer|most|least)"
)

_PATTERNS: tuple[tuple[Form, str], ...] = (
    ("compares", rf"\b(?:who|which|what)\b.*\b{_MORE}\b.*\bor\b"),
    ("compares", r"\bwhich (?:one )?(?:of (?:the|these)\b|\w+\b).*[,:].*\w\s+or\s+\w"),
    ("compares", r"^(?:is|was|are|were|did|does|do|has|have)\b.*\b(?:\w{2,}er|(?:more|less) \w+) than\b"),
    (
        "asks about both",
        r"^(?:are|were|do|did|have|has|can|is) both\b.+\b(?:and|same)\b|\bin common\b|^(?:are|were|do|did|"
        r"have) .+ and .+ the same\b",
    ),
    ("asks about both", r"\bwhat (?:are|were) the \w+s of .+ and (?-i:[A-Z])"),
    ("goes through another", rf"\b{_KIN}\b"),
    ("goes through another", rf"['’]s? {_RELATION}(?:['’]s?)? \w"),
    ("goes through another", rf"\b(?:of|in|at|by|from|for|with|to|on) [^?]+['’]s? {_RELATION}\b"),
    (
        "goes through another",
        rf"(?<!who is )(?<!who was )(?<!what is )(?<!who are )(?<!what's )(?<!who's )\b(?:the|"
        rf"an?) {_RELATION} of\b",
    ),
    ("goes through another", rf"\b{_RELATION} of (?:the )?{_RELATION}\b"),
    (
        "describes another",
        rf"\b(?:the|a|an|that) (?:same )?{_THING} (?:where|which|that|who|whose|in which|to "
        rf"which|from which)\b",
    ),
    ("describes another", r"\bthe same \w+ (?:as|that|which|where)\b"),
    ("describes another", rf"\bthe (?:same )?{_THING} (?:the\b|(?-i:[A-Z]))"),
    ("describes another", r"\b(?:who|which|that|has|stars?)\b.*\balso\b"),
    ("asks twice", r"\b(?:who|what|when|where|why|how|which)\b.+\band (?:who|what|when|where|why|how|which)\b"),
    (
        "compares",
        r"\b(?:wer|welche[rs]?|was)\b.*\b(?:älter|jünger|größer|kleiner|länger|kürzer|höher|früher|später|"
        r"eher|zuerst|mehr|besser)\b.*\boder\b",
    ),
    (
        "goes through another",
        r"\b(?:wann|wo|wie|woran)\b.*\b(?:regisseur|autor|gründer|erfinder|komponist|mutter|"
        r"vater|frau|mann)(?:s|in)?\b (?:des|der|von)\b",
    ),
    (
        "describes another",
        r"\b(?:stadt|land(?:es)?|person|firma|film(?:s|es)?|buch(?:es)?|band), (?:in (?:der|dem)|"
        r"der|die|das|deren|dessen|wo)\b",
    ),
    ("asks twice", r"\b(?:wer|was|wann|wo|warum|wie)\b.+\bund (?:wer|was|wann|wo|warum|wie)\b"),
    ("compares", r"(?:qu[eé]|qui[eé]n|cu[aá]l)\b.*\b(?:mayor|menor|antes|primero|más|menos|mejor)\b.*\bo\b"),
    (
        "goes through another",
        r"(?:cu[aá]ndo|d[oó]nde|c[oó]mo)\b.*\b(?:directora?|autora?|fundadora?|inventora?|"
        r"compositora?|madre|padre|esposa|marido) (?:de|del)\b",
    ),
    (
        "describes another",
        r"\b(?:ciudad|país|persona|empresa|película|libro|grupo) (?:donde|en (?:la|el) que|"
        r"cuy[oa]s?)\b",
    ),
    (
        "asks twice",
        r"(?:qui[eé]n|qu[eé]|cu[aá]ndo|d[oó]nde|c[oó]mo)\b.+\by (?:a |de )?(?:qui[eé]n|qué|cu[aá]ndo|"
        r"d[oó]nde|cómo)\b",
    ),
    (
        "compares",
        r"(?:quel(?:le)?|qui|lequel|laquelle)\b.*\b(?:plus|moins|premier|première|avant|après|"
        r"meilleur)\b.*\bou\b",
    ),
    (
        "goes through another",
        r"(?:quand|où|comment)\b.*\b(?:réalisat\w+|aut(?:eur|rice)|fondat\w+|invent(?:eur|"
        r"rice)|composit\w+|mère|père|femme|mari) (?:de|du|d['’])",
    ),
    (
        "describes another",
        r"\b(?:ville|pays|personne|entreprise|film|livre|groupe) (?:où|dont|dans (?:laquelle|"
        r"lequel))\b",
    ),
    ("asks twice", r"(?:qui|quand|où|comment|pourquoi)\b.+\bet (?:qui|quand|où|comment|pourquoi)\b"),
    ("compares", r"(?:중에서?|[와과]\s.*(?:어느|누가|누구|무엇|뭐)).*(?:더\s|먼저|가장\s)|보다\s.*(?:더\s|먼저)"),
    (
        "goes through another",
        r"의 (?:감독|저자|작가|작곡가|어머니|아버지|아내|남편|창립자|설립자|발명가|발명자|"
        r"수도)(?:[가은는이의]|님)",
    ),
    ("asks twice", r"(?:누가|언제|어디서?|왜|무엇을?).+(?:고|며|그리고)\s(?:누가|언제|어디서?|왜|무엇을?|어떻게)"),
    (
        "compares",
        r"(?:哪(?:个|個|一|部|座|位)?|谁|誰)\w{0,3}(?:更|先|早|晚)|[和与跟]\w+(?:哪|谁|誰)\w{0,4}(?:大|"
        r"小|高|长)|还是.*(?:更|先|早)|"
        r"(?:更|先|早).*(?:还是|還是)",
    ),
    (
        "goes through another",
        r"的(?:导演|導演|作者|创始人|發明者|发明者|发明人|作曲者|母亲|父亲|妻子|丈夫|"
        r"首都)(?:的|是?在|是?什么时候|何时|出生|去世|死)",
    ),
    ("compares", r"(?:どちら|どっち)"),
    (
        "goes through another",
        r"の(?:監督|著者|作者|作曲者|母|父|妻|夫|創設者|創業者|発明者|首都)(?:の|は(?:いつ|"
        r"どこ|どう|何))",
    ),
)

FORMS = tuple((form, re.compile(pattern, re.IGNORECASE)) for form, pattern in _PATTERNS)
