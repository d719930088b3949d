"""The parts of README.md that are made from the code. `python -m tests.readme` writes them; a test compares."""

from __future__ import annotations

import re
from pathlib import Path
from typing import get_args

from pydantic.fields import FieldInfo
from pydantic_core import PydanticUndefined

from rag_graphs.settings import OF_A_RUN, Settings

README = Path(__file__).resolve().parent.parent / "README.md"
BEGIN = "<!-- settings: written by `python -m tests.readme`, checked by a test -->\n"
END = "<!-- end of settings -->"


def settings_table() -> str:
    """One row for each setting: name, variable, default, meaning."""
    rows = ["| setting | variable | default | meaning |", "|---|---|---|---|"]
    for name, field in Settings.model_fields.items():
        if field.exclude or name in OF_A_RUN:  # worked out by the program, nothing to set
            continue
        meaning = (field.description or "").replace("|", "\\|")
        rows.append(f"| `{name}` | `{_variable(name, field)}` | {_default(field)} | {meaning} |")
    return "\n".join(rows) + "\n"


def _variable(name: str, field: FieldInfo) -> str:
    choices = getattr(field.validation_alias, "choices", None)
    return str(choices[-1]) if choices else f"RAG_{name.upper()}"


def _default(field: FieldInfo) -> str:
    value = field.default
    if value is PydanticUndefined or value in (None, ""):
        return "none"
    if isinstance(value, bool):
        return "`true`" if value else "`false`"
    return f"`{value}`"


def with_table(readme: str) -> str:
    """The README with the table between its marks."""
    before, rest = readme.split(BEGIN)
    return before + BEGIN + settings_table() + END + rest.split(END, 1)[1]


def strategy_example(readme: str) -> str:
    """The code under "Add a strategy"."""
    found = re.search(r"<!-- strategy: [^>]*-->\n```python\n(.*?)```", readme, re.DOTALL)
    assert found
    return found[1]


def choices_of(name: str) -> tuple[str, ...]:
    """The words that a setting takes, where it takes only some."""
    return tuple(c for c in get_args(Settings.model_fields[name].annotation) if isinstance(c, str))


if __name__ == "__main__":
    README.write_text(with_table(README.read_text(encoding="utf-8")), encoding="utf-8")
