"""How follow-up questions look, and where a question names its subject, by language."""

from __future__ import annotations

import re

_FLAGS = re.IGNORECASE
LONGEST_SUBJECT = 80

_POINTS = {
    "en": r"\b(?:it|its|itself|they|them|their|theirs|he|him|his|she|her|hers)\b"
    r"|(?:^|\b(?:is|are|was|were|do|does|did|can|could|will|would|should|has|have|why|how|when|where|what|about|of|"
    r"for|with|like|"
    r"than|to|in|on|from|by|and|after|before|called)\s+)(?:this|that|these|those)(?=\s*(?:[?.!,;]|$|\b(?:is|are|"
    r"was|were|do|does|"
    r"did|has|have|can|could|will|would|work|works|mean|means|help|helps|take|takes|happen|happens|apply|used|made|"
    r"called|good|differ|differs|compare|relate|start|stop|need|cost|feel|look|come|go|"
    r"possible|important|useful|different|true|so)\b))"
    r"|(?<!\bis )(?<!\bare )(?<!\bwas )(?<!\bwere )\bthere(?=\s*[?.!]*$)",
    "de": r"\b(?:er|ihn|ihm|ihnen|ihre[rsmn]?|seine[rsmn]?|dies(?:e[rsmn]?)?|damit|dafür|davon|darüber|dabei|darin|"
    r"daraus|dazu|"
    r"daran|darauf|dadurch)\b|\b(?:sie|es|das)(?=\s*[?.!]*$)|\b(?:macht|dauert|kostet|hilft|funktioniert|heißt|"
    r"bedeutet|wirkt|"
    r"braucht|ist|sind|war|geht|kann|soll|wird)\s+(?:sie|es|das)\b",
    "nl": r"\b(?:hij|hem|haar|zijn(?=\s+\w+\s*\?)|ermee|ervoor|ervan|erover|daarmee|daarvoor|daarvan|daarover)\b|"
    r"\b(?:dat|dit|het|ze|zij)(?=\s*[?.!]*$)|\b(?:duurt|kost|werkt|helpt|betekent|is|doet|kan)\s+(?:dat|dit|het|ze)\b",
    "es": r"\b(?:ella|ellos|ellas|eso|esto|aquello|él|éste|ésta|ése|ésa|ahí|allí)\b",
    "fr": r"\b(?:il|ils|elle|elles|cela|ça|celui-ci|celle-ci|ceci)\b|\b(?:en|y)\s+\w+-t-on\b",
    "it": r"\b(?:esso|essa|essi|esse|ciò|lui|lei|loro|questo|quello)(?=\s*[?.!]*$|\s+(?:è|sono|ha|serve|dura|"
    r"funziona)\b)",
    "pt": r"\b(?:ele|ela|eles|elas|isso|isto|aquilo|dele|dela|deles|delas|disso|nisso)\b",
    "ru": r"\b(?:он|она|оно|они|его|её|ее|их|ему|ей|им|этого|этому|этим|этом)\b|\bэто(?=\s*[?.!]*$)",
    "ar": r"\b(?:هو|هي|هم|ذلك|هذا|هذه|تلك)(?=\s*[?؟.!]*$)",
    "ko": r"(?:^|\s)(?:그것|그거|그게|그건|그걸|그녀|그들|이것|이거|이게|이건|이걸|저것|"
    r"거기)(?:[은는이가을를의에도로]|으로|에서)?(?=\s|[?.!]|$)",
    "zh": r"它们?|他们?|她们?|(?:^|[，,。\s])(?:这|那)(?=[是有会能要可需怎为])|这个[?？]?$|那个[?？]?$",
    "ja": r"それ(?!ぞれ|で|じゃ|なら|から|とも)|これ(?!から)|あれ(?=[はがを])|彼女?(?=[はがのをに])|彼ら|"
    r"そこ(?=[はでにへ])",
}
"""Words that point at something named before."""

_OPENS = {
    "en": r"(?:and|but|so|or|then|also)\b|(?:what|how) about\b|why not\b",
    "de": r"(?:und|aber|oder|also|dann)\b|was ist mit\b|wie steht es mit\b",
    "nl": r"(?:en|maar|of|dan)\b|hoe zit het met\b",
    "es": r"¿?\s*(?:y|pero|o|entonces)\b|¿?\s*qué hay de\b",
    "fr": r"(?:et|mais|ou|alors)\b|qu['’]en est-il d",
    "it": r"(?:e|ma|o|allora)\b",
    "pt": r"(?:e|mas|ou|então)\b",
    "ru": r"(?:а|и|но|или|тогда)\b",
    "ar": r"و(?=ماذا|كيف|متى|لماذا|أين|من|ما\b)|وماذا عن\b",
    "ko": r"(?:그리고|그럼|그러면|그런데|그래서|하지만)(?=\s|$)",
    "zh": r"那么?|可是|但是?|然后|还有",
    "ja": r"(?:では|じゃあ?|それで|でも|そして|ちなみに|なら)",
}
"""How a question opens that goes on from the one before."""

_SUBJECTS = {
    "en": (
        r"(?:what|who)(?:['’]s| is| are| was| were) (?P<np>.+?)(?: (?:good|used?|useful|meant|made|known) (?:for|"
        r"of|as)| about| like| called)?",
        r"(?:tell me about|explain|define|describe) (?P<np>.+)",
        r"what (?:does|do|did) (?P<np>.+?) (?:mean|do|stand for|cost|contain)",
        r"(?:how|when|where|why) (?:does|do|did|is|are|was|were|can|has|have) (?P<np>(?:the|an?) .+?|"
        r"(?-i:[A-Z]).+?) \w+",
    ),
    "de": (
        r"(?:was|wer) (?:ist|sind|war|waren|bedeutet) (?P<np>.+)",
        r"wie funktionier(?:t|en) (?P<np>.+)",
        r"erklär\w* (?:mir )?(?P<np>.+)",
    ),
    "nl": (r"(?:wat|wie) (?:is|zijn|was|waren|betekent) (?P<np>.+)", r"hoe werk(?:t|en) (?P<np>.+)"),
    "es": (
        r"¿?\s*(?:qué|que|quién|quien|cuál) (?:es|son|fue|era|significa) (?P<np>.+)",
        r"¿?\s*cómo funcionan? "
        r"(?P<np>.+)",
    ),
    "fr": (
        r"qu['’]est[- ]ce qu(?:e |['’])(?P<np>.+)",
        r"qui (?:est|sont|était|fut) (?P<np>.+)",
        r"comment "
        r"fonctionne(?:nt)? (?P<np>.+)",
    ),
    "it": (r"(?:che )?(?:cosa|cos['’]|chi) ?(?:è|sono|era) (?P<np>.+)", r"come funziona(?:no)? (?P<np>.+)"),
    "pt": (r"(?:o )?qu(?:e|em) (?:é|são|foi|era) (?P<np>.+)", r"como funcionam? (?P<np>.+)"),
    "ru": (r"(?:что|кто) так(?:ое|ой|ая|ие) (?P<np>.+)", r"как работа(?:ет|ют) (?P<np>.+)"),
    "ar": (r"(?:ما|من) (?:هو|هي|هم) (?P<np>.+)",),
    "ko": (r"(?P<np>.+?)(?:이란|란|[이가은는])? ?(?:뭐|무엇|뭔|누구)\S*", r"(?P<np>.+?)에 (?:대해|관해)\S* .+"),
    "zh": (r"(?:什么|谁)是(?P<np>.+)", r"(?P<np>.+?)是(?:什么|谁)(?:意思|东西)?"),
    "ja": (r"(?P<np>.+?)(?:とは|って|は)(?:何|なん|なに|誰|だれ)\S*", r"(?P<np>.+?)について\S*"),
}
"""Questions that consist of a question word and the name of their subject."""

POINTS = {language: re.compile(pattern, _FLAGS) for language, pattern in _POINTS.items()}
OPENS = {language: re.compile(rf"\s*(?:{pattern})[\s,，、]*", _FLAGS) for language, pattern in _OPENS.items()}
SUBJECTS = {language: [re.compile(p, _FLAGS) for p in patterns] for language, patterns in _SUBJECTS.items()}

ABOUT = re.compile(
    r"\s*(?:(?:and|but|so|then|und|y|et|e|en|а|그럼|그러면|그리고|那么?|では|じゃあ?)[\s,，、]+)?"
    r"(?:(?:what|how) about|was ist mit|wie steht es mit|hoe zit het met|¿?\s*qué hay de|qu['’]en est-il (?:de|du|"
    r"des|d['’])|"
    r"а как насчёт|что насчёт)\s*(?P<np>.+?)\s*[?？.!]*\s*",
    _FLAGS,
)
"""A question that puts another subject into the question before it."""

NO_THING = re.compile(
    r"\b(?:what (?:time|day|date) is|is|was|does|will|did)\s+it\s+(?:rain|snow|freez|be (?:sunny|warm|cold)|sunny|"
    r"cold|hot|warm|late|early|"
    r"dark)\w*|\bwhat (?:time|day|date) is it\b|\b(?:is|was) it (?:\w+ )?(?:possible|true|likely|necessary|normal|"
    r"safe|hard|easy|"
    r"better|worth|wrong|right|ok|okay|bad|good) (?:to|that|if)\b|\bhow(?: is|['’]s) it going\b",
    _FLAGS,
)
"""An "it" that stands for no thing."""

REPLACED: dict[str, dict[str, tuple[str, ...]]] = {
    "en": {
        "it": ("it",),
        "them": ("they", "them", "these", "those"),
        "of it": ("its",),
        "of them": ("their",),
        "this": ("this", "that"),
        "person": ("he", "she", "him"),
        "of person": ("his",),
    },
    "zh": {"it": ("它",), "them": ("它们",)},
    "ja": {"it": ("それ", "これ")},
}
"""Words that the name of the subject can take the place of, by what the subject has to be."""
