"""What README and documents say is true: the table of settings, the example, the commands, the links and the paths."""

from __future__ import annotations

import re
import shlex
from types import ModuleType

import pytest

from rag_graphs.cli.main import parser
from rag_graphs.graphs.outline import outline_of
from rag_graphs.graphs.strategies import all_strategies
from rag_graphs.graphs.strategy import Edge, Strategy
from rag_graphs.runs.runner import run
from rag_graphs.runs.trace import Trace
from rag_graphs.settings import OF_A_RUN, Settings
from tests.fakes import HIT, OURS, fake
from tests.readme import README, choices_of, settings_table, strategy_example, with_table

TEXT = README.read_text(encoding="utf-8")


def test_the_table_of_settings_is_made_from_them() -> None:
    assert with_table(TEXT) == TEXT, "run: python -m tests.readme"


@pytest.mark.parametrize("name", [n for n, f in Settings.model_fields.items() if not f.exclude and n not in OF_A_RUN])
def test_every_setting_is_explained(name: str) -> None:
    description = Settings.model_fields[name].description
    assert description
    assert all(word in description for word in choices_of(name))
    assert f"| `{name}` |" in settings_table()


def test_the_example_of_a_strategy_runs() -> None:
    module = ModuleType("web_only")
    exec(compile(strategy_example(TEXT), "README.md", "exec"), module.__dict__)
    strategy: Strategy = module.STRATEGY
    assert outline_of(strategy, Settings()).edges[0] == Edge(source="START", outcome="", target="search_web")
    trace = Trace(list(run(strategy, "Why?", fake(), Settings())))
    assert (trace.path, trace.stop_reason) == (list(strategy.happy_path[1:-1]), "answered")
    assert trace.state.documents == [HIT]


def test_every_strategy_is_listed() -> None:
    listed = re.findall(r"^\| `([\w-]+)` \| ", TEXT.split("## The strategies")[1].split("## ")[0], re.MULTILINE)
    assert set(OURS) <= set(listed) <= set(all_strategies())


def test_its_commands_can_be_parsed() -> None:
    commands = re.findall(r"^python -m rag_graphs (.+?)(?: > .*)?$", TEXT, re.MULTILINE)
    assert len(commands) >= 5
    for command in commands:
        assert parser().parse_args(shlex.split(command)).command


def test_the_variables_that_it_names_exist() -> None:
    known = {f"RAG_{name.upper()}" for name in Settings.model_fields}
    assert set(re.findall(r"RAG_[A-Z_]+", TEXT)) <= known


def test_its_links_lead_somewhere() -> None:
    for target in re.findall(r"\]\(([^)#]+)\)", TEXT):
        if not target.startswith("http"):
            assert (README.parent / target).exists(), target


@pytest.mark.parametrize("page", ["README.md", "CHANGELOG.md", "docs/decisions.md", "docs/measurements.md"])
def test_the_folders_and_files_that_it_names_exist(page: str) -> None:
    text = (README.parent / page).read_text(encoding="utf-8")
    for target in re.findall(r"`((?:rag_graphs|pages|tests|benchmarks|docs)/[\w./-]*)`", text):
        if target != "rag_graphs/graphs/strategies/web_only.py":
            assert (README.parent / target).exists(), target
