"""A model's choice among a few words, with how likely it held each of them."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass, field

from rag_graphs.export.script.parts.chat_model import Messages, Reply, ask, ask_for_json, json_of


@dataclass(frozen=True)
class Choice:
    """The word that a model chose, "" where it could not be read."""

    word: str
    reason: str = ""
    error: str = ""
    chances: dict[str, float] = field(default_factory=dict)

    @property
    def chance_of_yes(self) -> float | None:
        """P(yes) / (P(yes) + P(no)), None where the server gives no probabilities."""
        total = sum(self.chances.values())
        return self.chances.get("yes", 0.0) / total if total else None


def choose(messages: Messages, key: str, words: Sequence[str]) -> Choice:
    """Ask for one of a few words; once more in plain words where the reply cannot be read."""
    schema = {key: {"type": "string", "enum": list(words)}, "reason": {"type": "string"}}
    reply = ask_for_json("grade", messages, **schema)
    word = chosen_word(reply.text, key, words)
    if not word:
        again = f"An earlier reply could not be read. Reply with one word and nothing else: {' or '.join(words)}."
        *before, (role, text) = messages
        reply = Reply(ask("grade", (*before, (role, f"{text}\n\n{again}"))), [])
        word = chosen_word(reply.text, key, words)
    if not word:
        return Choice("", error=f"The model was asked twice and chose none of: {', '.join(words)}.")
    return Choice(word, str(json_of(reply.text).get("reason", "")), chances=chances(reply, key, words))


def chosen_word(text: str, key: str, words: Sequence[str]) -> str:
    """Return the word that a reply gives under a key, or begins with, or names alone; "" where that is uncertain."""
    said = plain(str(json_of(text).get(key, text)))
    leading = [word for word in words if re.match(rf"\W*{re.escape(plain(word))}\b", said)]
    named = leading or [word for word in words if re.search(rf"\b{re.escape(plain(word))}\b", said)]
    return named[0] if len(named) == 1 else ""


def chances(reply: Reply, key: str, words: Sequence[str]) -> dict[str, float]:
    """Return the probability of each word at the place where the reply's JSON gives this key, {} where none is known."""
    place = re.search(rf'"{key}"\s*:\s*"?', "".join(str(token["token"]) for token in reply.tokens))
    end, shares = 0, dict[str, float]()
    for token in reply.tokens:
        end += len(str(token["token"]))
        if place and end > place.end():
            alternatives = {str(t["token"]): float(t["logprob"]) for t in [token, *(token.get("top_logprobs") or [])]}
            for start, log in ((plain(text.strip(' \n"')), log) for text, log in alternatives.items()):
                meant = [word for word in words if start and plain(word).startswith(start)]
                if len(meant) == 1:
                    shares[meant[0]] = shares.get(meant[0], 0.0) + math.exp(min(0.0, log))
            break
    return shares


def plain(text: str) -> str:
    """Return a text in lower case, with spaces for underscores and hyphens."""
    return re.sub(r"[\s_-]+", " ", text).casefold()
