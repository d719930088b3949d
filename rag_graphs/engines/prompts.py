"""Every prompt as data, one per role. The part that never changes comes first (`system`), what changes follows (`user`), so
that a service can reuse the beginning. Variables are written `{name}`; any other brace, as in JSON, stands for itself."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from rag_graphs.engines.prompt_texts import SEPARATOR, TEXTS, Prompt
from rag_graphs.errors import SettingsError

__all__ = ["PROMPTS", "Prompt", "Rendered", "check_prompt", "led_by", "numbered", "render"]

_VARIABLE = re.compile(r"\{([a-z][a-z_]*)\}")


class Rendered(NamedTuple):
    """A prompt with its values in place."""

    system: str
    user: str


def render(role: str, overrides: Mapping[str, str], **values: object) -> Rendered:
    """The prompt of a role, or the one in `overrides` that replaces it, with its values in place. Values are put in once:
    a brace inside a value is never read as a variable. Raises SettingsError for a replaced prompt that cannot be used, and
    KeyError where the caller forgot a value."""
    prompt = PROMPTS[role]
    replaced = overrides.get(role, "").strip()
    if replaced:
        check_prompt(role, replaced)
    system, user = split_text(replaced) if replaced else (prompt.system, prompt.user)
    return Rendered(_fill(system, values), _fill(user, values))


def check_prompt(role: str, text: str) -> None:
    """Raises SettingsError where `text` cannot replace the prompt of `role`: no such role, a variable missing or unknown."""
    if role not in PROMPTS:
        raise SettingsError(f"There is no prompt {role!r}. Prompts: {', '.join(PROMPTS)}.")
    prompt = PROMPTS[role]
    used = set(_VARIABLE.findall(text))
    missing = [v for v in prompt.variables if v not in used]
    unknown = sorted(used - set(prompt.variables) - set(prompt.optional))
    problems = []
    if missing:
        problems.append(f"it needs {_list(missing)}")
    if unknown:
        problems.append(f"{_list(unknown)} cannot be filled in; it may use {_list(prompt.variables + prompt.optional)}")
    if problems:
        raise SettingsError(f"The prompt “{prompt.title}” cannot be used: {'; '.join(problems)}.")


def numbered(passages: Sequence[tuple[str, str]]) -> str:
    """Passages (title, text) in the form that the prompts describe: numbered from 1 and fenced. A passage cannot close its
    own fence."""
    return "\n\n".join(_fence(n, title, text) for n, (title, text) in enumerate(passages, 1)) or "(no documents)"


def _fence(number: int, title: str, text: str) -> str:
    head = re.sub(r'[<>"\s]+', " ", title).strip()
    body = re.sub(r"<(?=\s*/?\s*document)", "‹", text, flags=re.IGNORECASE)
    return f'<document number="{number}" title="{head}">\n{body.strip()}\n</document>'


def led_by(chain: Sequence[str]) -> str:
    """The sentences of reasoning that led to the documents, as they follow a question; "" where there are none. A model wrote
    them, so they are told apart from what may be cited."""
    steps = "\n".join(f"- {' '.join(sentence.split())}" for sentence in chain)
    return f"\n\nReasoning that led to these documents, not a source itself:\n{steps}" if steps else ""


def split_text(text: str) -> tuple[str, str]:
    """A prompt that is written as one text, in its two parts: what never changes, and what does."""
    system, separator, user = text.replace("\r\n", "\n").partition(SEPARATOR)
    return (system, user) if separator else ("", text)


def _fill(text: str, values: Mapping[str, object]) -> str:
    return _VARIABLE.sub(lambda match: str(values[match.group(1)]), text)


def _list(names: Sequence[str]) -> str:
    return ", ".join(f"{{{name}}}" for name in names)


PROMPTS: dict[str, Prompt] = {prompt.role: prompt for prompt in TEXTS}
"""The prompts by role, in the order in which a page shows them."""
