"""Rules of the session, read from the pages' sources: one place reaches it, and no two visitors share a value."""

from __future__ import annotations

import ast
from pathlib import Path

from rag_graphs.ui.shared import visit

ROOT = Path(__file__).resolve().parents[2]
PLACE = ROOT / "rag_graphs/ui/shared/visit.py"


def test_only_one_file_reaches_the_session() -> None:
    files = [*ROOT.glob("rag_graphs/ui/**/*.py"), *ROOT.glob("pages/**/*.py"), ROOT / "streamlit_app.py"]
    breaches = [
        f"{file.relative_to(ROOT)}:{node.lineno}"
        for file in files
        if file != PLACE
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8")))
        if isinstance(node, (ast.Attribute, ast.Name, ast.alias)) and "session_state" in ast.unparse(node).split(".")
    ]
    assert not breaches, breaches


def test_each_value_is_kept_under_its_own_name() -> None:
    keys = {name: value.key for name, value in vars(visit).items() if isinstance(value, visit.Kept)}
    assert len(keys) > 40
    assert keys == {name: name for name in keys}


def test_one_visitor_s_default_is_no_other_s() -> None:
    values = [value for value in vars(visit).values() if isinstance(value, visit.Kept)]
    mutable = [value for value in values if isinstance(value.default(), (dict, list, visit.SourcesPage))]
    assert [value.key for value in mutable if value.default() is value.default()] == []
