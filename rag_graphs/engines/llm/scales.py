"""The scales of Self-RAG's three judgements: which words of a reply mean which level, and how likely each was."""

from __future__ import annotations

import codecs
import math
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from rag_graphs.engines.llm.fields import Value, fields_of
from rag_graphs.graphs.critique_scores import RELEVANCE, SUPPORT, USE, USEFUL_FROM

Tokens = Sequence[Mapping[str, Any]]
MAX_LABEL = 300
_THEN = r"\s*(?:[.,:;(–—-](?!\d)|because\b|by\b)"
"""What may follow a level that a text begins with: a reason."""


@dataclass(frozen=True)
class Scale:
    """`worth`: what each of the critique score's words is worth, best first. `words`: what a model writes for each of them,
    the word that the prompt asks for first. `passes`: the levels that are a yes."""

    aspect: Literal["relevance", "groundedness", "usefulness"]
    worth: Mapping[str, float]
    words: Mapping[str, tuple[str, ...]]
    passes: frozenset[str]

    def label(self, text: str) -> str:
        """The level that a text names; "" where it names none, or leaves open which."""
        plain = re.sub(r"(?<=\w)(?:[\s_]+|-)(?=\w)", " ", text[:MAX_LABEL]).strip(" \t\n\"'.:;!*`()[]").casefold()
        exact = [label for label, words in self.words.items() if plain in words]
        named = exact or [label for label, words in self.words.items() if _any(words, plain, _THEN)]
        others = {w for label, words in self.words.items() if label not in named for w in words}
        return named[0] if len(named) == 1 and (exact or not _any(others, plain, "", r".*\b")) else ""

    def begun(self, token: object) -> str:
        """The one level whose words a token may begin (“ir” only begins irrelevant); "" where there is none or several."""
        part = token.strip(" \t\n\"'{}:,.Ġ▁").casefold() if isinstance(token, str) else ""
        found = {label for label, words in self.words.items() if part and any(w.startswith(part) for w in words)}
        return found.pop() if len(found) == 1 else ""


def _any(words: Iterable[str], text: str, after: str, before: str = "") -> bool:
    return any(re.match(rf"{before}{re.escape(word)}\b{after}", text, re.DOTALL) for word in words)


ISREL = Scale(
    aspect="relevance",
    worth=RELEVANCE,
    words={"relevant": ("relevant", "yes", "true"), "irrelevant": ("irrelevant", "not relevant", "no", "false")},
    passes=frozenset({"relevant"}),
)
ISSUP = Scale(
    aspect="groundedness",
    worth=SUPPORT,
    words={
        "fully supported": ("fully", "fully supported", "full", "full support"),
        "partially supported": ("partially", "partially supported", "partly", "partial", "partial support"),
        "no support": ("no", "no support", "not supported", "none", "unsupported"),
    },
    passes=frozenset({"fully supported"}),
)
ISUSE = Scale(
    aspect="usefulness",
    worth=USE,
    words={level: (level, f"{level}/5", f"{level} / 5", f"{level} out of 5", f"{level}.0") for level in USE},
    passes=frozenset(level for level in USE if int(level) >= USEFUL_FROM),
)


def text_of(tokens: Tokens) -> tuple[str, list[tuple[int, int]]]:
    """The text that tokens make together, and the characters of it that each takes. A character that is spread over several
    tokens belongs to the last of them."""
    decoder, text, spans = codecs.getincrementaldecoder("utf-8")("replace"), "", []
    for entry in tokens:
        start = len(text)
        text += decoder.decode(_bytes(entry))
        spans.append((start, len(text)))
    return text, spans


def _bytes(entry: Mapping[str, Any]) -> bytes:
    told = entry.get("bytes")
    if isinstance(told, list) and told and all(isinstance(b, int) and 0 <= b < 256 for b in told):
        return bytes(told)
    token = entry.get("token")
    # without bytes some servers send the vocabulary's own sign for a space
    return re.sub("^[Ġ▁]", " ", token).encode("utf-8", "replace") if isinstance(token, str) else b""


def probabilities(tokens: Tokens, key: str, scale: Scale, label: str) -> dict[str, float]:
    """How likely the model held each level: the alternatives of the token that begins the value of `key`, summed by the level
    that each begins. As told, so they need not add up to 1 (equation 4 divides by their sum). {} where the server told
    none, or where they contradict the `label` that was read."""
    text, spans = text_of(tokens)
    value = fields_of(text).get(key)
    at = _token_at(spans, value)
    if value is None or at is None or scale.label(value.text) != label:
        return {}
    entry = tokens[at]
    chances = _chances([entry, *(entry.get("top_logprobs") or [])])
    told = {word: 0.0 for word in scale.worth}
    for token, chance in chances.items():
        if word := scale.begun(token):
            told[word] += chance
    return told if label and 0 < told[label] == max(told.values()) else {}


def _token_at(spans: Sequence[tuple[int, int]], value: Value | None) -> int | None:
    """The index of the token that holds the first character of a value."""
    if value is None:
        return None
    return next((i for i, (start, end) in enumerate(spans) if start <= value.start < end), None)


def _chances(entries: Sequence[object]) -> dict[str, float]:
    """Each alternative once, with its probability."""
    return {
        entry["token"]: math.exp(log)
        for entry in entries
        if isinstance(entry, Mapping) and isinstance(entry.get("token"), str) and (log := _log(entry)) is not None
    }


def _log(entry: Mapping[str, Any]) -> float | None:
    told = entry.get("logprob")
    if isinstance(told, bool) or not isinstance(told, (int, float)) or math.isnan(told):
        return None
    return min(0.0, float(told))


def likelihood(tokens: Tokens, key: str) -> float | None:
    """The geometric mean of the probabilities of the tokens of a value: exp of the mean of their logarithms, in 0-1. None
    where one of them is not known."""
    text, spans = text_of(tokens)
    value = fields_of(text).get(key)
    if value is None:
        return None
    own = [t for t, (start, end) in zip(tokens, spans, strict=True) if start < value.end and value.start < end]
    logs = [log for entry in own if (log := _log(entry)) is not None]
    return math.exp(math.fsum(logs) / len(logs)) if logs and len(logs) == len(own) else None
