"""What a report says of stop reasons, grades and settings."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from typing import Any

from rag_graphs.graphs.state import Grade
from rag_graphs.settings import KEYS, SERVER_ONLY, Settings

Words = Callable[[str], str]
"""Translates a string of the report."""


def stop(reason: str, _: Words) -> tuple[str, str]:
    """A stop reason's colour (yes, no, plain) and its meaning."""
    known = {
        "useful": ("yes", _("The answer rests on the documents and answers the question.")),
        "answered": ("plain", _("This strategy does not check its answer.")),
        "not verified": ("plain", _("The answer could not be checked to the end.")),
        "no relevant documents": ("no", _("Nothing that was found answers the question.")),
        "retry budget spent": ("no", _("No attempt passed every check; this is the best one.")),
        "from the model, without sources": ("plain", _("The model answered from what it knows.")),
        "search unavailable": ("no", _("A web search was needed and could not be made.")),
        "spending cap reached": ("plain", _("The run had spent what it may.")),
        "stopped": ("plain", _("The run was stopped.")),
        "failed": ("no", _("Something went wrong.")),
        "interrupted": ("plain", _("The program ended before the run did.")),
    }
    return known.get(reason, ("plain", ""))


def verdict(grade: Grade) -> tuple[str, str]:
    """A grade's colour and its words: the scale's own label, and the score where there is one."""
    kind = {True: "yes", False: "no", None: "unclear"}[grade.passed]
    score = "" if grade.score is None else f" {grade.score:.2f}"
    label = grade.label
    if grade.aspect == "usefulness" and label in ("1", "2", "3", "4", "5"):
        return kind, f"useful {label} of 5"
    if grade.aspect != "relevance" and label.casefold() in ("true", "false", "none", ""):
        label = grade.aspect
    return kind, f"{label or 'unclear'}{score}"


def settings_rows(recorded: dict[str, Any], _: Words) -> list[tuple[str, str]]:
    """Name and value of each recorded setting that says something of the run, in the order of the settings."""
    known = [n for n in Settings.model_fields if n not in (*KEYS, *SERVER_ONLY)]
    rows = []
    for name in known:
        value = recorded.get(name)
        if value in (None, "", {}, []):
            continue
        if name == "prompts":
            value = _("replaced: {roles}").format(roles=", ".join(value) if isinstance(value, dict) else value)
        rows.append((name, str(value)))
    return rows


def duration(seconds: float) -> str:
    """Seconds with as many digits as tell something."""
    if seconds < 0.01:
        return f"{seconds:.3f} s"
    return f"{seconds:.2f} s" if seconds < 1 else f"{seconds:.1f} s"


def date(started: str) -> str:
    """A moment as a report gives it: 30 November 2026, 14:05 UTC. What is no moment stays as it is."""
    try:
        moment = datetime.fromisoformat(started)
    except ValueError:
        return started
    return f"{moment.day} {moment:%B %Y, %H:%M} {moment.tzname() or ''}".strip()
