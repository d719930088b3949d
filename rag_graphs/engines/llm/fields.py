"""Named values in a model's reply: JSON, fenced, with single quotes or cut short, else lines of the form “key: value”."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from dataclasses import dataclass

from rag_graphs.engines.llm.replies import without_thinking

MAX_READ = 40_000
_DOUBLE = r'"(?P<double>(?:[^"\\]|\\.)*)(?P<double_end>"?)'
_SINGLE = r"'(?P<single>(?:[^'\\]|\\.|'(?!\s{0,9}[,}\]]))*)(?P<single_end>'?)"
_COMMA = r"\d+,\d+(?=\s*(?:[}\]]|,\s*[\"']|\Z))"
_BARE = rf"(?P<bare>{_COMMA}|[^\s\"',{{}}\[\]]+(?:[ ]?[%/][ ]?\d*)?)(?P<bare_end>[\s,}}\]]?)"
_PAIR = re.compile(
    rf"(?<![\w\\])[\"'](?P<key>[A-Za-z0-9_ -]{{1,40}})[\"']\s*:\s*(?:{_DOUBLE}|{_SINGLE}|{_BARE})", re.DOTALL
)
_LINE = re.compile(r"^[ \t*•#>-]*(?P<key>[A-Za-z0-9_ ]{1,40}?)[ *_]*[:=](?P<value>.*)$", re.MULTILINE)


@dataclass(frozen=True)
class Value:
    """A value as text, and the characters from `start` to `end` of the reply that it takes, without its quotes. `whole`: it
    was not cut short."""

    text: str
    start: int
    end: int
    whole: bool = True


def fields_of(reply: str) -> dict[str, Value]:
    """The values of a reply by key (lower case, words joined by _), wherever they are nested; of several with one key the
    last, as JSON has it. {} where it holds none. Positions are those in `reply`, thinking before the JSON included."""
    found: dict[str, Value] = {}
    for pair in _PAIR.finditer(reply[:MAX_READ]):
        kind = next(name for name in ("double", "single", "bare") if pair[name] is not None)
        text = pair[kind] if kind == "bare" else _unescaped(pair[kind])
        found[_key(pair["key"])] = Value(text, pair.start(kind), pair.end(kind), bool(pair[f"{kind}_end"]))
    return found


def named(reply: str, keys: Iterable[str]) -> dict[str, Value]:
    """What a reply says under these keys, as JSON or else line by line; thinking counts for nothing."""
    text, wanted = without_thinking(reply[:MAX_READ]), set(keys)
    found = {key: value for key, value in fields_of(text).items() if key in wanted}
    return found or {
        key: Value(line["value"].strip(" *_\t"), *line.span("value"))
        for line in _LINE.finditer(text)
        if (key := _key(line["key"])) in wanted
    }


def first(found: dict[str, Value], keys: Iterable[str]) -> str:
    """The first of these keys' values that is there and whole; else nothing."""
    return next((found[key].text for key in keys if key in found and found[key].whole), "")


def _key(text: str) -> str:
    return re.sub(r"[\s-]+", "_", text.strip().casefold())


def _unescaped(raw: str) -> str:
    """A JSON string's text; one with escapes that JSON does not know as it stands."""
    try:
        return str(json.loads(f'"{raw}"', strict=False))
    except ValueError:
        return raw.replace("\\'", "'").replace('\\"', '"').replace("\\n", "\n")
