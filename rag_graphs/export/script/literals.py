"""Write texts and data as Python literals. Whatever they hold, they stay data: nothing in them can end its literal."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Any


def text_literal(text: str) -> str:
    """Write a text as a literal: as a block where it has several plain lines, else as Python's own `repr`, which escapes
    quotes, backslashes and every sign that cannot be seen (control characters, marks that turn the direction of writing,
    halves of surrogate pairs)."""
    lines = text.split("\n")
    plain = all(line.isprintable() for line in lines) and '"""' not in text and "\\" not in text
    if plain and len(lines) > 1 and not text.endswith('"'):
        return f'"""{text}"""'
    written = repr(text)
    return written if set(written[1:-1]) & {'"', "\\"} else f'"{written[1:-1]}"'


def value_literal(value: object) -> str:
    """Write a setting's value as a literal."""
    return text_literal(value) if isinstance(value, str) else repr(value)


def prompt_literals(prompts: Mapping[str, tuple[str, str]]) -> str:
    """Write PROMPTS, by role."""
    rows = (f'    "{role}": ({text_literal(s)}, {text_literal(u)}),\n' for role, (s, u) in prompts.items())
    return f"PROMPTS = {{\n{''.join(rows)}}}\n"


def page_literals(name: str, pages: Sequence[Mapping[str, Any]]) -> str:
    """Write a list of pages, one a line."""
    rows = "".join(f"    {dict(page)!r},\n" for page in pages)
    return f"{name}: list[dict[str, Any]] = [\n{rows}]\n" if pages else f"{name}: list[dict[str, Any]] = []\n"


def import_lines(imports: Collection[tuple[str, str, str]]) -> str:
    """Write import statements for (module, name or "", name here), each module once, the standard library first."""
    whole = sorted({m if m == here else f"{m} as {here}" for m, name, here in imports if not name})
    found: dict[str, set[str]] = {}
    for module, name, here in imports:
        if name == here:
            found.setdefault(module, set()).add(name)
    lines = [f"import {m}" for m in whole]
    renamed = sorted(f"from {m} import {name} as {here}" for m, name, here in imports if name and name != here)
    for module in sorted(found):
        names = sorted(found[module])
        line = f"from {module} import {', '.join(names)}"
        lines.append(line if len(line) <= 100 else f"from {module} import (\n    " + ",\n    ".join(names) + ",\n)")
    lines = sorted([*lines, *renamed], key=lambda line: (line.startswith("from"), line.split()[1]))
    ours = ("langgraph", "langchain", "openai")
    standard = [x for x in lines if not x.removeprefix("import ").removeprefix("from ").startswith(ours)]
    return "\n".join([*standard, "", *(x for x in lines if x not in standard)])
