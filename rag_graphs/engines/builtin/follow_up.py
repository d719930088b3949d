"""A follow-up question made to stand alone: "And how long does it take?" after "What is the bagel method?".

Only what points back is touched. Its subject is what the question before it names; a wrong subject is worse than none, so a word
is replaced only where the subject fits it, and else the subject is added in brackets. How such questions look in each language
is in `data/follow_up.toml`."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache

from rag_graphs.engines.builtin.direct import sourceless
from rag_graphs.engines.builtin.rewriter import key_phrase
from rag_graphs.graphs.state import Rewrite, Turn
from rag_graphs.language.lexical import terms
from rag_graphs.language.text import detect_language
from rag_graphs.language.word_lists import WordLists, word_lists

LONGEST_SUBJECT = 80
BACK = 3
"""Turns that are looked at, from the last one back."""
READ = 400
"""Characters of a question that are read."""
FEW = 1
"""Content words up to which a question that opens with "And" or the like goes on from the one before."""

_END = re.compile(r"\s*[?？؟.!。！]+\s*$")
_ARTICLE = re.compile(r"(?:the|an?|my|our|your|der|die|das|el|la|los|las|le|les|het|de|il|lo|o|os|as)\s", re.IGNORECASE)
_CLAUSE = re.compile(
    r"[,;，、؛]\s*|\s(?:and|but|or|if|when|because|that|which|who|und|wenn|weil|y|si|et|quand)\s", re.IGNORECASE
)


class _Forms:
    """How follow-up questions look, compiled."""

    def __init__(self, lists: WordLists) -> None:
        self.points = {language: lists.either(language, "points") for language in lists.having("points")}
        self.opens = {
            language: lists.compile(rf"\s*(?:{'|'.join(lists.forms(language, 'opens'))})[\s,，、]*", language, "opens")
            for language in lists.having("opens")
        }
        self.subjects = {
            language: [lists.compile(form, language, "subjects") for form in lists.forms(language, "subjects")]
            for language in lists.having("subjects")
        }
        self.replaced = {
            language: {use: lists.words(language, "replaced", use) for use in lists.table(language, "replaced")}
            for language in lists.having("replaced")
        }
        about = lists.all_forms("about")
        leads = "|".join(lists.forms("any", "leads_about"))
        self.about = lists.compile(rf"\s*(?:(?:{leads})[\s,，、]+)?(?:{about})\s*(?P<np>.+?)\s*[?？.!]*\s*", "about")
        self.no_thing = lists.either("any", "no_thing")
        leads, bare = ("|".join(lists.forms("any", key)) for key in ("leads_bare", "bare"))
        self.bare = lists.compile(rf"(?:(?:{leads})[\s,]*)?(?:{bare})", "any", "bare")


@cache
def _forms() -> _Forms:
    return _Forms(word_lists(__file__, "follow_up"))


@dataclass(frozen=True)
class _Subject:
    """What an earlier question is about: a name as it stands in that `question`, or else its key words."""

    words: str
    named: bool
    question: str


def condense(question: str, history: list[Turn]) -> Rewrite:
    """The question with what it leaves out; unchanged where it stands alone or nothing certain can be added."""
    plain = " ".join(question.split())
    if not history or len(plain) > READ or sourceless(question):
        return Rewrite(query=question)
    language = _language(plain, history)
    points = _points_back(plain, language)
    subject = _subject(history) if points or _goes_on(plain, language) else None
    if subject is None:
        return Rewrite(query=question)
    if (other := _forms().about.fullmatch(plain)) and not points:
        return _with_another(question, other["np"], subject)
    made = _replaced(plain, points, subject, language) if points else ""
    made = made or f"{plain} ({subject.words})"
    return Rewrite(query=made, note=f"Follows the question before it: added “{subject.words}”.")


def _language(question: str, history: list[Turn]) -> str:
    """A few words may be of any language; then the conversation's."""
    told = detect_language(question)
    return told or detect_language(history[-1].question) or "en"


def _points_back(question: str, language: str) -> re.Match[str] | None:
    """The first word that points at something named before; None where the question itself names it in an earlier clause."""
    match = _forms().points[language].search(question) if language in _forms().points else None
    if match is None or _forms().no_thing.search(question):
        return None
    opening = _forms().opens[language].match(question)
    before = question[opening.end() if opening else 0 : match.start()]
    *earlier, _ = _CLAUSE.split(before)
    return None if any(terms(clause) for clause in earlier) else match


def _goes_on(question: str, language: str) -> bool:
    """Whether it opens like one that goes on and names little, or consists of a question word ("Why?")."""
    bare = _END.sub("", question)
    if _forms().bare.fullmatch(bare):
        return True
    opening = _forms().opens[language].match(question) if language in _forms().opens else None
    if opening is None and not _forms().about.fullmatch(question):
        return False
    rest = bare[opening.end() :] if opening else bare
    if _forms().about.fullmatch(question):
        return True
    return len(terms(rest)) <= FEW and not _named(rest, detect_language(rest) or language)


def _subject(history: list[Turn]) -> _Subject | None:
    """Of the nearest earlier question that names one; questions that only go on are passed over."""
    for turn in reversed(history[-BACK:]):
        question = " ".join(turn.question.split())[:READ]
        language = detect_language(question) or "en"
        other = _forms().about.fullmatch(question)
        if other:
            return _Subject(other["np"], True, question)
        if sourceless(question) or _points_back(question, language) or _goes_on(question, language):
            continue
        if named := _named(_END.sub("", question), language):
            return _Subject(named, True, question)
        if terms(question):
            return _Subject(_cut(key_phrase(question)), False, question)
    return None


def _named(bare: str, language: str) -> str:
    """What a question of the form "What is X?" asks about, as it is written; empty for another form."""
    opening = _forms().opens[language].match(bare) if language in _forms().opens else None
    rest = bare[opening.end() :] if opening else bare
    for pattern in _forms().subjects.get(language, ()):
        match = pattern.fullmatch(rest)
        if match and len(match["np"]) <= LONGEST_SUBJECT and len(match["np"].split()) <= 6 and _is_name(match["np"]):
            return match["np"].strip()
    return ""


def _is_name(words: str) -> bool:
    return bool(terms(words)) and not any(p.search(words) for p in _forms().points.values())


def _replaced(question: str, points: re.Match[str], subject: _Subject, language: str) -> str:
    """The question with the name of the subject for the word that points to it; empty where the two do not fit."""
    pointing = points.group().split()[-1]
    fitting = [use for use, words in _forms().replaced.get(language, {}).items() if pointing.lower() in words]
    if not fitting or not subject.named or not _fits(fitting[0], subject.words):
        return ""
    name = _mid_sentence(subject.words)
    if fitting[0].startswith("of "):
        name += "’" if name.endswith("s") else "’s"
    at = points.end() - len(pointing)
    return question[:at] + name + question[points.end() :]


def _fits(use: str, words: str) -> bool:
    """By number and person, as far as the form of an English name tells."""
    many = words.rstrip().endswith("s") and not words.rstrip().endswith(("ss", "us", "is"))
    person = all(w[:1].isupper() for w in words.split() if len(w) > 3) and len(words.split()) > 1
    return {"it": not many, "of it": not many, "this": not many, "them": many, "of them": many}.get(
        use, person and not _ARTICLE.match(words)
    )


def _mid_sentence(words: str) -> str:
    article = _ARTICLE.match(words)
    return words[0].lower() + words[1:] if article else words


def _with_another(question: str, words: str, subject: _Subject) -> Rewrite:
    """The earlier question about something else: "What about cats?" after "What are dogs?" becomes "What are cats?"."""
    if not subject.named or subject.words not in subject.question or _forms().about.fullmatch(subject.question):
        made = f"{' '.join(question.split())} ({subject.words})"
        return Rewrite(query=made, note=f"Follows the question before it: added “{subject.words}”.")
    made = subject.question.replace(subject.words, words, 1)
    return Rewrite(query=made, note=f"Asked the question before it about “{words}” instead of “{subject.words}”.")


def _cut(words: str) -> str:
    return words if len(words) <= LONGEST_SUBJECT else words[:LONGEST_SUBJECT].rsplit(" ", 1)[0]
