"""Lists of words and forms by language, kept in TOML files that can be read and changed without knowing Python.

A file has a table for each language. Words are one text, divided by white space. Forms are a list of regular expressions, any
of which may match; case makes no difference.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

ANYWHERE = ("ko", "zh", "ja", "any")
"""Tables whose forms may stand anywhere: in these languages words are written without spaces, or carry endings."""


class WordListError(Exception):
    """A word list that is missing or damaged; the message names the file and the place."""


class WordLists:
    """The tables of one file, by language."""

    def __init__(self, path: Path) -> None:
        self.path = path
        try:
            self._tables: dict[str, Any] = tomllib.loads(path.read_text(encoding="utf-8"))
        except (OSError, ValueError) as error:
            raise WordListError(f"The word list {path} cannot be read: {error}") from error

    def having(self, *keys: str) -> tuple[str, ...]:
        """Return the tables, in order, that have an entry at these keys."""
        return tuple(name for name in self._tables if self._at(name, *keys) is not None)

    def words(self, *keys: str) -> tuple[str, ...]:
        """Return the words of an entry."""
        return tuple(self.text(*keys).split())

    def text(self, *keys: str) -> str:
        """Return an entry that is one text."""
        text = self._at(*keys)
        if not isinstance(text, str):
            raise self._damage("a text is expected", *keys)
        return text

    def texts(self, *keys: str) -> dict[str, str]:
        """Return a table whose entries are all texts."""
        return {key: self.text(*keys, key) for key in self.table(*keys)}

    def table(self, *keys: str) -> Mapping[str, Any]:
        """Return the entries of a table, as they are."""
        table = self._at(*keys)
        if not isinstance(table, dict):
            raise self._damage("a table is expected", *keys)
        return table

    def forms(self, *keys: str) -> tuple[str, ...]:
        """Return the regular expressions of an entry."""
        forms = self._at(*keys)
        if not isinstance(forms, list) or not all(isinstance(form, str) for form in forms):
            raise self._damage("a list of texts is expected", *keys)
        return tuple(forms)

    def all_forms(self, key: str) -> str:
        """Return one regular expression that matches where any form does that a table has at a key."""
        return "|".join(form for name in self.having(key) for form in self.forms(name, key))

    def whole_words(self, key: str, before: str = r"\b", after: str = r"\b") -> re.Pattern[str]:
        """Compile the regular expressions that every table has at a key into one that matches them between these two as whole
        words, or anywhere where the language does not put spaces around words."""
        spaced = "|".join(form for name in self.having(key) if name not in ANYWHERE for form in self.forms(name, key))
        anywhere = [form for name in self.having(key) if name in ANYWHERE for form in self.forms(name, key)]
        return self.compile("|".join([f"{before}(?:{spaced}){after}", *anywhere]), key)

    def compile(self, pattern: str, *keys: str) -> re.Pattern[str]:
        """Compile a pattern made of the entry at these keys."""
        try:
            return re.compile(pattern, re.IGNORECASE)
        except re.error as error:
            raise self._damage(f"no regular expression ({error})", *keys) from error

    def either(self, *keys: str) -> re.Pattern[str]:
        """Compile the regular expressions of an entry into one that matches where any of them does."""
        return self.compile("|".join(self.forms(*keys)), *keys)

    def _at(self, *keys: str) -> Any:
        entry: Any = self._tables
        for key in keys:
            entry = entry.get(key) if isinstance(entry, dict) else None
        return entry

    def _damage(self, problem: str, *keys: str) -> WordListError:
        return WordListError(f"The word list {self.path} is damaged at “{' · '.join(keys)}”: {problem}.")


@cache
def word_lists(module: str, name: str) -> WordLists:
    """Return the lists of `data/<name>.toml` beside a module, which passes its `__file__`. A file is read once, when needed."""
    return WordLists(Path(module).parent / "data" / f"{name}.toml")
