"""Reading a yes or a no out of whatever a model replied. What cannot be read for certain is None, never a guess."""

from __future__ import annotations

import ast
import json
import math
import re
import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from rag_graphs.engines.llm.replies import without_fence, without_thinking
from rag_graphs.engines.llm.yes_no_words import BAD, GOOD, HEDGES, NEGATIONS, NO, REASON_KEYS, VERDICT_KEYS, YES

MAX_READ = 20_000
MAX_REASON = 300
_SPLIT = re.compile(r"[\s.,;:!?…。、,;:!?।|/\\()\[\]{}<>\"“”„‘`*_#=→–—-]+")
_OBJECT = re.compile(r"\{[^{}]*(?:\{[^{}]*\}[^{}]*)*\}")
_TRUNCATED = re.compile(
    rf"[\"']({'|'.join(VERDICT_KEYS)})[\"']\s*:\s*(?:[\"']([^\"']{{1,40}})[\"']|([\w.]+))\s*[,}}]", re.IGNORECASE
)
_LABELLED = re.compile(
    r"(?:score|answer|verdict|grade|decision|result|judge?ment|relevan(?:t|ce)|conclusion|label|rating)\W{0,4}"
    r"(?:\s+is\s+|\s*[:=→]\s*)\W{0,4}(\S[^\n]*)",
    re.IGNORECASE,
)
_FRACTION = re.compile(r"^\W*(\d+(?:[.,]\d+)?)\s*(?:/|out of|of|von|de|из)\s*(\d+)(?!\d)", re.IGNORECASE)
_NUMBER = re.compile(r"^\W*(\d+(?:[.,]\d+)?)\s*(%?)(?![\w.,]*\d)")


@dataclass(frozen=True)
class Verdict:
    """`passed` None: unreadable. `score` is one that the model itself gave on a scale, as a share of 1."""

    passed: bool | None = None
    reason: str = ""
    score: float | None = None


def read_verdict(text: str) -> Verdict:
    """The verdict of a reply: JSON, fenced or cut short; words of many languages; a number that has a scale."""
    reply = without_fence(without_thinking(text[:MAX_READ]))
    for found in _objects(reply):
        return found
    truncated = _TRUNCATED.search(reply)
    if truncated:
        return _of_value(truncated.group(2) or truncated.group(3))
    return Verdict() if reply.startswith("{") else _of_words(reply)


def _objects(reply: str) -> Iterable[Verdict]:
    """The verdict of the JSON objects in a reply, if there are any that hold one. Several have to agree."""
    verdicts = [_of_object(value) for text in _OBJECT.findall(reply) if isinstance(value := _parsed(text), dict)]
    known = [v for v in verdicts if v is not None]
    if known:
        yield known[0] if len({v.passed for v in known}) == 1 else Verdict()


def _parsed(text: str) -> Any:
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        pass
    try:
        return ast.literal_eval(text)
    except (ValueError, SyntaxError, TypeError, MemoryError, RecursionError):
        return None


def _of_object(data: Mapping[str, Any]) -> Verdict | None:
    lower = {str(key).strip().casefold().replace(" ", "_"): value for key, value in data.items()}
    reason = next((str(lower[k]) for k in REASON_KEYS if isinstance(lower.get(k), str)), "")
    values = [lower[key] for key in VERDICT_KEYS if key in lower]
    if not values and len(lower) == 1 and not re.match(r"not|no_|ir|un|halluc", next(iter(lower))):
        values = [v for v in lower.values() if isinstance(v, (str, dict))]
    if not values:
        return None
    verdict = _of_value(values[0])
    return Verdict(verdict.passed, _reason(reason) or verdict.reason, verdict.score)


def _of_value(value: Any) -> Verdict:
    if isinstance(value, bool):
        return Verdict(value)
    if isinstance(value, (int, float)):
        return _of_share(float(value)) if 0 <= value <= 1 else Verdict()
    if isinstance(value, list) and len(value) == 1:
        return _of_value(value[0])
    if isinstance(value, dict):
        return _of_object(value) or Verdict()
    return _of_words(value) if isinstance(value, str) else Verdict()


def _of_words(text: str) -> Verdict:
    """A leading yes or no; else one behind a label or alone on the last line; else relevant, not supported and the like."""
    text = text.strip()
    number = _of_number(text)
    if number.passed is not None:
        return number
    words = _words(text)
    passed = _leading(words)
    if passed is not None:
        return Verdict(None if _contradicted(text, passed) else passed, _after_first(text))
    labelled = [v.passed for part in _LABELLED.findall(text) if (v := _short(part)).passed is not None]
    if labelled:
        return Verdict(labelled[0] if len(set(labelled)) == 1 else None, _reason(text))
    lines = text.splitlines()
    if len(lines) > 1 and (last := _leading(_words(lines[-1]))) is not None and len(_words(lines[-1])) <= 2:
        return Verdict(last, _reason(" ".join(lines[:-1])))
    return Verdict(_of_adjectives(words), _reason(text))


def _short(text: str) -> Verdict:
    number = _of_number(text)
    if number.passed is not None:
        return number
    words = _words(text)
    passed = _leading(words)
    return Verdict(passed if passed is not None else _of_adjectives(words[:4]))


def _words(text: str) -> list[str]:
    plain = unicodedata.normalize("NFKC", text).replace("’", "'").casefold()
    return [word for word in (w.strip("'") for w in _SPLIT.split(plain)) if word]


def _leading(words: Sequence[str]) -> bool | None:
    first = words[0] if words else ""
    if first in YES:
        return True
    if first in NO:
        return _of_adjectives(words[:3]) or False
    return None


def _contradicted(text: str, passed: bool) -> bool:
    """Whether the opposite follows at once ("yes or no") or stands alone in a later sentence ("Yes. No.")."""
    opposite = NO if passed else YES
    first, *later = [_words(part) for part in re.split(r"[.!?;\n。!?]+", text)]
    after = first[2:3] if first[1:2] in (["or"], ["and"], ["oder"], ["und"]) else first[1:2]
    return bool(opposite.intersection(after)) or any(len(part) == 1 and part[0] in opposite for part in later)


def _of_adjectives(words: Sequence[str]) -> bool | None:
    """Relevant, not supported, irrelevant …: all of them have to say the same, and nothing may hedge."""
    if HEDGES.intersection(words):
        return None
    found = set()
    for i, word in enumerate(words):
        if word in GOOD or word in BAD:
            negated = bool(NEGATIONS.intersection(words[max(0, i - 4) : i]))
            found.add((word in GOOD) != negated)
    return found.pop() if len(found) == 1 else None


def _of_number(text: str) -> Verdict:
    fraction = _FRACTION.match(text)
    if fraction and float(fraction.group(2)) > 0:
        return _of_share(_float(fraction.group(1)) / float(fraction.group(2)))
    number = _NUMBER.match(text)
    if not number:
        return Verdict()
    value = _float(number.group(1)) / (100 if number.group(2) else 1)
    return _of_share(value)


def _of_share(share: float) -> Verdict:
    """More than a half is a yes, less a no; a half decides nothing. A plain 0 or 1 is a verdict, not a score."""
    if not 0 <= share <= 1 or share == 0.5 or math.isnan(share):
        return Verdict()
    return Verdict(share > 0.5, score=share if 0 < share < 1 else None)


def _float(text: str) -> float:
    return float(text.replace(",", "."))


def _after_first(text: str) -> str:
    rest = re.sub(r"^\W*[^\s.,;:!?。、,!]+[\s.,;:!?。、,!*\"'`)\]–—-]*", "", text, count=1)
    return _reason(rest)


def _reason(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= MAX_REASON else line[: MAX_REASON - 1].rstrip() + "…"


def yes_probability(tokens: Sequence[Mapping[str, Any]], passed: bool | None) -> float | None:
    """P(yes) / (P(yes) + P(no)) among the alternatives of the token that is the verdict, in 0-1. None where the server
    told no probabilities or where they contradict the verdict that was read. `tokens`: entries of the form
    {token, logprob, top_logprobs: [{token, logprob}]}, as OpenAI and Ollama send them."""
    for entry in list(tokens)[:16]:
        if _bare(entry.get("token")) in ("yes", "no"):
            share = _share_of_yes([entry, *(entry.get("top_logprobs") or [])])
            return share if share is not None and passed is (share >= 0.5) else None
    return None


def _share_of_yes(entries: Sequence[Mapping[str, Any]]) -> float | None:
    chances: dict[str, float] = {}
    for entry in entries:
        token, logprob = entry.get("token"), entry.get("logprob")
        if isinstance(token, str) and isinstance(logprob, (int, float)) and not math.isnan(logprob):
            chances[token] = math.exp(min(0.0, logprob))
    yes = sum(p for token, p in chances.items() if _bare(token) == "yes")
    no = sum(p for token, p in chances.items() if _bare(token) == "no")
    return yes / (yes + no) if yes + no else None


def _bare(token: object) -> str:
    return token.strip(" \t\n\"'{:Ġ▁").casefold() if isinstance(token, str) else ""
