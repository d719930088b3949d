"""What a reply says: the value of a key of its JSON, one of several words, and how likely the model held each of them."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from rag_graphs.engines.llm.replies import without_thinking
from rag_graphs.export.script.parts.asking import Reply, ask
from rag_graphs.export.script.parts.given import Prompt

AGAIN = "\n\nAn earlier reply could not be read. Reply with one word and nothing else: {words}."


@dataclass(frozen=True)
class Choice:
    """The word that a model chose, "" where it could not be read; `chances`: how likely it held each word."""

    word: str
    reason: str = ""
    error: str = ""
    chances: dict[str, float] = field(default_factory=dict)


def schema_of(**values: object) -> dict[str, Any]:
    """The JSON schema of an object with these keys, all of them required."""
    return {"type": "object", "properties": values, "required": list(values), "additionalProperties": False}


def choose(role: str, prompt: Prompt, key: str, words: Sequence[str]) -> Choice:
    """Ask for one of `words`; what cannot be read is asked for once more, in words."""
    reason: dict[str, object] = {"type": "string"}
    reply = ask(role, prompt, schema_of(**{key: {"type": "string", "enum": list(words)}, "reason": reason}))
    word = chosen_word(reply.text, key, words)
    if not word:
        reply = ask(role, prompt._replace(user=prompt.user + AGAIN.format(words=" or ".join(words))))
        word = chosen_word(reply.text, key, words)
    if not word:
        return Choice("", error=f"The model was asked twice and chose none of: {', '.join(words)}.")
    return Choice(word, str(fields_of(reply.text).get("reason", "")), chances=chances(reply, key, words))


def fields_of(text: str) -> dict[str, Any]:
    """The first JSON object of a reply, {} where there is none."""
    reply = without_thinking(text)
    for begin in re.finditer(r"\{", reply):
        try:
            found, _ = json.JSONDecoder().raw_decode(reply, begin.start())
        except (ValueError, RecursionError):
            continue
        if isinstance(found, dict):
            return found
    return {}


def chosen_word(text: str, key: str, words: Sequence[str]) -> str:
    """The one of `words` that a reply gives under `key`, or else begins with; "" where that is not certain."""
    said = _folded(str(fields_of(text).get(key, without_thinking(text))))
    leading = [word for word in words if re.match(rf"\W*{re.escape(_folded(word))}\b", said)]
    named = leading or [word for word in words if re.search(rf"\b{re.escape(_folded(word))}\b", said)]
    return named[0] if len(named) == 1 else ""


def _folded(text: str) -> str:
    return re.sub(r"[\s_-]+", " ", text).casefold()


def chances(reply: Reply, key: str, words: Sequence[str]) -> dict[str, float]:
    """How likely the model held each word where its JSON gives `key`, by the alternatives of that value's first token; {}
    where the server told none."""
    text = "".join(str(token["token"]) for token in reply.tokens)
    place = re.search(rf'"{key}"\s*:\s*"?', text)
    end = 0
    for token in reply.tokens:
        end += len(str(token["token"]))
        if place and end > place.end():
            return _shares([token, *(token.get("top_logprobs") or [])], words)
    return {}


def _shares(alternatives: Sequence[dict[str, Any]], words: Sequence[str]) -> dict[str, float]:
    shares: dict[str, float] = {}
    for token, log in {str(a["token"]): float(a["logprob"]) for a in alternatives}.items():
        begun = _folded(token.strip(' \n"'))
        meant = [word for word in words if begun and _folded(word).startswith(begun)]
        if len(meant) == 1:
            shares[meant[0]] = shares.get(meant[0], 0.0) + math.exp(min(0.0, log))
    return shares
